"""Sender of a worker: collects what it has to say into reports. The `Exchange` of a crawl in several processes of one machine.

A report goes out 50 ms after the first thing it holds, or as soon as it is large. The coordinator writes its rows, has its
links journalled by their owners, and then says that it is settled; only then are the leases finished whose pages and links it
(or a report before it) holds, always in their order. So whoever dies, a page is in the archive, in the catalog and its links in
the frontiers of their owners, or it is asked for again.

Memory: at most 256 leases wait (`crawler`), and 100,000 hashes of links sent lately, about 9 MB, spare sending them again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import msgspec

from trasmallo.crawl.exchange import Finish, worker_of
from trasmallo.crawl.workers.messages import Packed, Report, WorkerState, pack
from trasmallo.events import AnyEvent, Event, LineChanged
from trasmallo.values.model import Fetch, Target

_SECONDS = 0.05
"""Judgement: a page is not seen to wait, and a busy worker sends some twenty reports a second."""

_MOST_ROWS = 64
"""Judgement: two batches of answers (`crawler`)."""

_MOST_CHARACTERS = 1 << 20
"""Of the links in one report; a page may have a hundred thousand."""

_REMEMBERED = 100_000
"""Links sent lately; about 90 bytes each."""


async def _no_state() -> WorkerState:
    return WorkerState()


class Sender:
    """Collects rows, links and events of one worker; `send` takes each report. Keep `run` running beside the crawl."""

    def __init__(self, worker: int, workers: int, send: Callable[[Report], None]) -> None:
        self.open = True
        self.state: Callable[[], Awaitable[WorkerState]] = _no_state
        self._worker = worker
        self._workers = workers
        self._send = send
        self._due = asyncio.Event()
        self._full = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._rows: list[Fetch] = []
        self._events: list[AnyEvent] = []
        self._lines: dict[int, LineChanged] = {}
        self._safe: list[int] = []
        self._learned: list[bytes] = []
        self._links: defaultdict[int, list[Packed]] = defaultdict(list)
        self._characters = 0
        self._sent: set[int] = set()
        self._finishes: list[tuple[Finish, Sequence[Target]]] = []
        self._number = 0
        self._waiting: deque[tuple[int, list[tuple[Finish, Sequence[Target]]]]] = deque()
        self._settled: set[int] = set()

    def owns(self, url: str) -> bool:
        """Whether the URL's host is of this worker."""
        return worker_of(url, self._workers) == self._worker

    async def settle(self, found: Sequence[Target], finish: Finish) -> None:
        """Put the links of others on their way; `finish` is called with our own when a report from now on is settled."""
        own = []
        for target in found:
            owner = worker_of(target.url, self._workers)
            if owner == self._worker:
                own.append(target)
            elif hash(target.url) not in self._sent:
                self._send_link(owner, target)
                if self._characters >= _MOST_CHARACTERS:
                    await self.flush()
        self._finishes.append((finish, own))
        self.hasten()

    def put(self, fetch: Fetch) -> None:
        """A row for the catalog."""
        self._rows.append(fetch)
        if len(self._rows) >= _MOST_ROWS:
            self._full.set()
        self.hasten()

    def emit(self, event: Event) -> None:
        """An event for the coordinator's bus; of a line only its last state."""
        if isinstance(event, LineChanged):
            self._lines[event.line] = event
        else:
            self._events.append(event)  # type: ignore[arg-type]  # AnyEvent lists all events there are
        self.hasten()

    def acknowledge(self, message: int) -> None:
        """The links of a message are in our journal."""
        self._safe.append(message)
        self.hasten()

    def teach(self, learned: Sequence[bytes]) -> None:
        """What other workers may learn."""
        self._learned += learned

    def hasten(self) -> None:
        """Have a report sent soon."""
        self._due.set()

    async def run(self) -> None:
        """Send reports as they are due, until cancelled."""
        while True:
            await self._due.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(_SECONDS):
                    await self._full.wait()
            await self.flush()

    async def flush(self) -> None:
        """Send what was collected now; one report after the other, each with the state that its content was collected in."""
        async with self._flushing:
            self._send(self._collect(await self.state()))

    def _collect(self, state: WorkerState) -> Report:
        self._due.clear()
        self._full.clear()
        links = {worker: pack(packed) for worker, packed in self._links.items()}
        number = 0
        if links or self._finishes:
            self._number = number = self._number + 1
            self._waiting.append((number, self._finishes))
        events = (*self._events, *self._lines.values())
        report = Report(
            number=number,
            state=state,
            rows=tuple(self._rows),
            links=links,
            events=events,
            safe=tuple(self._safe),
            learned=tuple(self._learned),
        )
        self._rows, self._events, self._lines, self._safe, self._finishes, self._learned = [], [], {}, [], [], []
        self._links.clear()
        self._characters = 0
        return report

    async def settled(self, number: int) -> None:
        """The report of this number is safe: finish what waited for it and for nothing before it."""
        self._settled.add(number)
        while self._waiting and self._waiting[0][0] in self._settled:
            number, finishes = self._waiting.popleft()
            self._settled.discard(number)
            for finish, own in finishes:
                await finish(own)
        self.hasten()

    def _send_link(self, owner: int, target: Target) -> None:
        if len(self._sent) >= _REMEMBERED:
            self._sent.clear()
        self._sent.add(hash(target.url))
        self._links[owner].append(msgspec.structs.astuple(target))
        self._characters += len(target.url) + len(target.via)

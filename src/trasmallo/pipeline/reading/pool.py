"""The session's side of the worker processes: hands out batches, watches the clock, and survives whatever a page does.

A page that a worker did not survive is read again alone, by a fresh one. When that needs too much time or memory, the page is
dropped with the cause. When that dies too, somebody may have killed it: see `deaths`.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import msgspec

from trasmallo.events import Dropped, Emit, Studied
from trasmallo.pipeline.analysis.document import dropped_row
from trasmallo.pipeline.analysis.items import Item, StoredText
from trasmallo.pipeline.reading.deaths import MOST_DEATHS, Deaths
from trasmallo.pipeline.reading.messages import (
    Batch,
    PageSummary,
    Setup,
    TextBatch,
)
from trasmallo.pipeline.reading.pending import BatchSource
from trasmallo.pipeline.reading.process import BatchReader, Died, NotStarted, ReadingProcess, summaries_of
from trasmallo.processes import first_trouble
from trasmallo.results.registry import FromParts, made_by
from trasmallo.store.parts import provisional_name, write_part
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import AgentStatus, PageInReading

_LARGEST_BATCH = 64  # judgement: pages that a kill costs at most, a few seconds of work
_FALSE_STARTS = 3  # judgement: more in a row are no accident
_KILLED_STARTS = 10  # judgement: in a row; who kills that many has a reason
_LONG_REST = 30.0  # judgement: seconds; a process takes a second to start, and some 300 MB as long as it is there
_SECONDS_A_PAGE = 0.05
"""What a page is thought to take before one was read: those of the demo's web, from the archive to the part."""


StartReader = Callable[[Setup], Awaitable[BatchReader]]
"""Makes a reader of batches."""


class ReaderCounts(msgspec.Struct):
    """Pages since the readers began, by why they gave no document; "" for those that did."""

    pages: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def studied(self) -> int:
        """Documents."""
        return self.pages[""]

    @property
    def dropped(self) -> int:
        """Pages that gave none."""
        return self.pages.total() - self.studied


class Readers:
    """Worker processes that read what is pending: 0 `workers` is one a core, None is none. `next_part` names parts.

    `wanted` of them are at work at most, never fewer than one: another may set it at any time. Who is not wanted ends its batch
    and rests, and after a while its process is let go. `start` makes who reads: a process here unless told otherwise.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        workers: int | None,
        emit: Emit,
        next_part: Callable[[], str],
        pending: BatchSource,
        deaths: Deaths | None = None,
        start: StartReader = ReadingProcess.start,
    ) -> None:
        self.counts = ReaderCounts()
        self._setup = setup
        self._workers = 0 if workers is None else workers or os.cpu_count() or 1
        self.wanted = self._workers
        self.seconds = 0.0
        self._emit = emit
        self._next_part = next_part
        self._pending = pending
        self._again: deque[Item] = deque()
        self._alone: deque[Item] = deque()
        self._suspects: set[str] = set()
        self._deaths = deaths or Deaths()
        self._start = start
        self._given_up: list[tuple[Item, Died]] = []
        self._wake = asyncio.Event()
        self._closing = self._over = False
        self._busy = 0
        self._false_starts = self._killed_starts = 0
        self._processes: dict[int, BatchReader] = {}

    def now(self) -> list[PageInReading]:
        """What is being read."""
        return [page for worker in self._processes.values() if (page := worker.reading) is not None]

    def agents(self) -> list[AgentStatus]:
        """What each process is doing."""
        return [worker.status for _, worker in sorted(self._processes.items())]

    @property
    def work(self) -> float:
        """Seconds that one process would take for what waits, as far as that is known; infinity when there may be more."""
        if self._pending.behind:
            return math.inf
        in_hand = sum(page.behind + 1 for page in self.now())
        waiting = self._pending.at_hand + len(self._again) + len(self._alone) + in_hand
        return waiting * (self.seconds + _SECONDS_A_PAGE) / (self.counts.pages.total() + 1)

    def wake(self) -> None:
        """Look again whether something is pending."""
        self._wake.set()

    def close(self) -> None:
        """No more pages will come; `run` ends when nothing is pending."""
        self._closing = True
        self.wake()

    async def run(self) -> None:
        """Work until closed and nothing is pending; cancelling it kills the workers and loses no finished part."""
        try:
            async with asyncio.TaskGroup() as group:
                for place in range(self._workers):
                    group.create_task(self._keep_reading(place))
        except BaseExceptionGroup as troubles:
            raise first_trouble(troubles) from None
        self._drop_given_up()

    async def _keep_reading(self, place: int) -> None:
        try:
            while pages := await self._next_pages(place):
                try:
                    if pages[0].url in self._suspects:
                        await self._let_go(place)
                    if place not in self._processes:
                        self._processes[place] = await self._start(self._setup)
                    if not await self._read(self._processes[place], pages):
                        del self._processes[place]
                    elif self._processes[place].worn:
                        await self._let_go(place)
                finally:
                    self._busy -= 1
                    self.wake()
        finally:
            await self._let_go(place)

    async def _let_go(self, place: int) -> None:
        """End the process of a place, if it has one."""
        if place in self._processes:
            await self._processes.pop(place).end()

    async def _next_pages(self, place: int) -> tuple[Item, ...]:
        """What one worker reads next; empty when it is over, which it is not while another may give pages back."""
        while not self._over:
            self._wake.clear()
            wanted = place < max(1, self.wanted)
            if wanted and (pages := self._share()):
                self._busy += 1
                return pages
            if wanted and self._pending.behind:
                await asyncio.sleep(0)
            elif wanted and self._closing and not self._busy:
                self._over = True
            else:
                await self._rest(place, wanted=wanted)
        self.wake()
        return ()

    async def _rest(self, place: int, *, wanted: bool) -> None:
        """Wait until something has changed, or the session looks around; a process that rests for long frees its memory."""
        await self._wake.wait()
        if not wanted and place in self._processes and self._processes[place].idle > _LONG_REST:
            await self._let_go(place)

    def _share(self) -> tuple[Item, ...]:
        """A share of what waits, so that all workers have something to do."""
        if self._alone:
            return (self._alone.popleft(),)
        if self._again:
            return tuple(self._again.popleft() for _ in range(min(_LARGEST_BATCH, len(self._again))))
        waiting = self._pending.at_hand
        share = _LARGEST_BATCH // 2 if self._pending.behind else -(-waiting // max(1, self.wanted))
        return self._set_apart(self._pending.take(max(1, min(share, _LARGEST_BATCH))))

    def _set_apart(self, pages: tuple[Item, ...]) -> tuple[Item, ...]:
        """What may be read together; a page at which an earlier session lost processes is read alone."""
        for page in pages:
            if self._deaths.at(page.url):
                self._read_alone(page)
        together = tuple(page for page in pages if page.url not in self._suspects)
        return together or ((self._alone.popleft(),) if self._alone else ())

    def _read_alone(self, page: Item) -> None:
        self._suspects.add(page.url)
        self._alone.append(page)

    async def _read(self, worker: BatchReader, pages: tuple[Item, ...]) -> bool:
        """Have a batch read; False when the worker did not survive it."""
        part = self._next_part()
        began = time.monotonic()
        try:
            done = await worker.read(_batch(part, pages))
        except NotStarted as failure:
            self._after_false_start(pages, failure)
            return False
        except Died as death:
            written = Path(self._setup.parts) / part
            if written.exists():
                self._acquit(pages)
                self._tell(summaries_of(written))
            else:
                self._after_death(pages, death)
            return False
        finally:
            self.seconds += max(0.0, time.monotonic() - max(began, worker.ready_at))
        self._false_starts = self._killed_starts = 0
        self._acquit(pages)
        self._tell(done.summaries)
        return True

    def _after_false_start(self, pages: tuple[Item, ...], failure: NotStarted) -> None:
        """When none starts, no page is to blame."""
        self._false_starts += not failure.killed
        self._killed_starts += failure.killed
        if self._false_starts >= _FALSE_STARTS or self._killed_starts >= _KILLED_STARTS:
            raise self._no_start(failure)
        for page in pages:
            (self._alone if page.url in self._suspects else self._again).append(page)

    def _no_start(self, failure: NotStarted) -> ProjectError:
        if failure.killed:
            return ProjectError(
                "processes that read pages are killed before they begin ({failure})",
                "find out who kills them, or whether memory is short, then run again; all that was stored is there",
                failure=failure,
            )
        if failure.needs_memory:
            return ProjectError(
                "{megabytes} MB are too little for a process that reads pages",
                "give it more with megabytes in [clean], then run again",
                megabytes=self._setup.clean.megabytes,
            )
        return ProjectError(
            "no process that reads pages can start ({failure})", "install trasmallo again, then run again", failure=failure
        )

    def _after_death(self, pages: tuple[Item, ...], death: Died) -> None:
        """Every page has a second chance; the one it happened at gets it alone."""
        culprit = pages[min(death.index, len(pages) - 1)]
        if culprit.url not in self._suspects:
            self._read_alone(culprit)
        elif death.is_the_pages:
            self._acquit((culprit,))
            self._drop(self._next_part(), [(culprit, death)])
        elif self._deaths.add(culprit.url) < MOST_DEATHS:
            self._read_alone(culprit)
        else:
            self._given_up.append((culprit, death))
        self._again.extend(page for page in pages if page is not culprit)

    def _acquit(self, pages: tuple[Item, ...]) -> None:
        """What becomes of these pages is no longer open."""
        for page in pages:
            self._suspects.discard(page.url)
            self._deaths.forget(page.url)

    def _drop_given_up(self) -> None:
        """Pages at which processes died again and again count as dropped, until the next session reads them once more."""
        if self._given_up:
            self._drop(provisional_name(self._next_part()), self._given_up)

    def _drop(self, part: str, lost: list[tuple[Item, Died]]) -> None:
        rows: list[msgspec.Struct] = [dropped_row(page, death.drop, death.cause) for page, death in lost]
        tables: dict[str, list[msgspec.Struct]] = {name: [] for name in made_by(FromParts)}
        write_part(Path(self._setup.parts), part, tables | {"pages": rows})
        self._tell(PageSummary(page.url, "", 0, death.drop, death.cause) for page, death in lost)

    def _tell(self, summaries: Iterable[PageSummary]) -> None:
        for summary in summaries:
            self.counts.pages[summary.drop] += 1
            if summary.drop:
                self._emit(Dropped(url=summary.url, reason=summary.drop, cause=summary.cause))
            else:
                self._emit(Studied(url=summary.url, title=summary.title, words=summary.words))


def _batch(name: str, items: tuple[Item, ...]) -> Batch | TextBatch:
    """All of them are of one kind: pages are pending, or texts."""
    texts = tuple(item for item in items if isinstance(item, StoredText))
    return TextBatch(name, texts) if texts else Batch(name, tuple(item for item in items if isinstance(item, Fetch)))

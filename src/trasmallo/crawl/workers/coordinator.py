"""Coordinator of a crawl in several processes: it writes their rows, hands on their links, and knows when all is done.

Workers speak only to the coordinator. Links on the way are kept here until their owner has them in its journal, and are handed
over again when that process was lost; then the report that brought them is settled.

The crawl is over when every worker is idle and has taken all messages that were sent to it: an idle worker becomes active only
by a message, and what it sent before its last report has come before that report, so nothing can be on the way.
The limit of pages is exact: a worker asks only for pages that it was allowed, and gives back what it cannot use.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import limit_reached
from trasmallo.crawl.local_crawl import CrawlCounts
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.crawl.workers.messages import (
    Allow,
    Dismiss,
    End,
    Learned,
    Links,
    Message,
    NewScope,
    Pause,
    Report,
    SearchReply,
    SearchRequest,
    Settled,
    WorkerState,
)
from trasmallo.events import Emit, Waiting
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import HostStatus, LineStatus

_LARGEST_ALLOWANCE = 256  # judgement: pages allowed at once, so that the end is shared fairly
_SECONDS_TO_SEARCH = 2.0  # judgement: who asks waits no longer

Deliver = Callable[[Message], None]


class _LinksOnTheWay(msgspec.Struct, frozen=True):
    """Links on the way: whose report brought them, and which life of that worker's process."""

    origin: int
    life: int
    report: int
    targets: msgspec.Raw


class _WorkerRecord(msgspec.Struct):
    """A worker as the coordinator sees it. `awaited` has how many bundles of links each of its reports still waits for."""

    deliver: Deliver | None = None
    life: int = 0
    sent: int = 0
    state: WorkerState | None = None
    allowed: int = 0
    wants: bool = False
    received_before: int = 0
    hosts: list[HostStatus] = []
    lines: list[LineStatus] = []
    inbox: dict[int, _LinksOnTheWay] = {}
    awaited: dict[int, int] = {}

    @property
    def counts(self) -> CrawlCounts:
        """Its last counts, none before the first report."""
        return self.state.counts if self.state else CrawlCounts()

    @property
    def offline(self) -> str:
        """That it has no network, after all that was sent to it; "" else."""
        return self.state.offline if self.state is not None and self.state.taken == self.sent else ""

    @property
    def ended(self) -> str:
        """Why it asks for no more, "" while it does."""
        return self.state.ended if self.state is not None else ""

    @property
    def at_rest(self) -> bool:
        """Whether it was idle after all that was sent to it."""
        return self.state is not None and self.state.idle and self.state.taken == self.sent

    def say(self, message: Message) -> None:
        """Deliver a message, if somebody is there."""
        if self.deliver is not None:
            self.sent += 1
            self.deliver(message)


class _OpenSearch:
    """A question to all workers: how many have not answered, and what the others answered."""

    def __init__(self, left: int, done: asyncio.Event) -> None:
        self.left = left
        self.done = done
        self.answers: list[QueueAnswer] = []

    def take(self, answer: QueueAnswer) -> None:
        self.answers.append(answer)
        self.left -= 1
        if not self.left:
            self.done.set()


class Coordinator:
    """Takes the reports of all workers. `keep` writes rows before their events are told and the report is settled.

    `received` are the bytes of earlier sessions; `limit` is the one that ended the crawl, in words, and `offline` that the want
    of a network did.
    """

    def __init__(
        self,
        workers: int,
        config: CrawlConfig,
        keep: Callable[[Sequence[Fetch]], None],
        emit: Emit,
        clock: Callable[[], float] = time.monotonic,
        received: int = 0,
        seconds_to_search: float = _SECONDS_TO_SEARCH,
    ) -> None:
        self.limit = self.offline = ""
        self._seconds_to_search = seconds_to_search
        self._received_before = received
        self._records = [_WorkerRecord() for _ in range(workers)]
        self._config = config
        self._keep = keep
        self._emit = emit
        self._clock = clock
        self._began = clock()
        self._numbers = itertools.count(1)
        self._scope: NewScope | None = None
        self._pause: Pause | None = None
        self._searches: dict[int, _OpenSearch] = {}
        self._end: End | None = None
        self._dismissed = False

    def join(self, worker: int, deliver: Deliver) -> None:
        """A process for this worker has begun; links that the one before it may have lost are handed over again."""
        record = self._records[worker]
        record.received_before += record.counts.received
        record.deliver, record.life, record.sent, record.state = deliver, record.life + 1, 0, None
        record.wants, record.awaited = False, {}
        if self._scope is not None:
            record.say(self._scope)
        if self._pause is not None:
            record.say(self._pause)
        for number, bundle in record.inbox.items():
            record.say(Links(number, bundle.targets))
        if self._end is not None:
            record.say(self._end)
        if self._dismissed:
            record.say(Dismiss())

    def leave(self, worker: int) -> None:
        """Nobody listens for this worker any more."""
        self._records[worker].deliver = None

    def take(self, worker: int, report: Report) -> None:
        """Do all that a report asks for."""
        record = self._records[worker]
        if report.rows:
            self._keep(report.rows)
        self._tell(worker, report)
        for number in report.safe:
            self._arrived(record.inbox.pop(number, None))
        if report.number:
            self._send_on(worker, report)
        if report.learned:
            self._teach(worker, report.learned)
        self._note(record, report.state)
        self._allow()
        self.look()
        if all(other.state is not None and other.state.over for other in self._records):
            self._dismiss()

    def look(self) -> None:
        """End the crawl when all workers are at rest, or at a limit, or when those at work have no network or found too little.

        One that found too little for its topic waits for the others, whose hosts may be better.
        """
        if self._end is not None:
            return
        self.limit = self._limit_reached()
        at_work = [record for record in self._records if not record.at_rest]
        if at_work and all(record.ended for record in at_work):
            self.limit = self.limit or at_work[0].ended
        if at_work and all(record.offline for record in at_work):
            self.offline = at_work[0].offline
        if self.limit or self.offline or not at_work:
            self.end(at_once=False)

    def end(self, *, at_once: bool) -> None:
        """Have all workers end."""
        if self._end is None or (at_once and not self._end.at_once):
            self._end = End(at_once)
            for record in self._records:
                record.say(self._end)

    def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Have all workers keep to other exclusions and inclusions, those too that begin later."""
        self._scope = NewScope(tuple(exclude), tuple(include))
        for record in self._records:
            record.say(self._scope)

    def pause(self, *, paused: bool) -> None:
        """Have all workers pause or go on, those too that begin later."""
        self._pause = Pause(paused)
        for record in self._records:
            record.say(self._pause)

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        """What waits in the queues of all workers that answer within a moment."""
        there = [record for record in self._records if record.deliver is not None]
        number = next(self._numbers)
        asked = self._searches[number] = _OpenSearch(len(there), asyncio.Event())
        for record in there:
            record.say(SearchRequest(number, question))
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds_to_search if there else 0):
                    await asked.done.wait()
        finally:
            del self._searches[number]
        answer = sum(asked.answers, QueueAnswer())
        found = answer.found[: question.limit]
        return msgspec.structs.replace(answer, found=found, complete=answer.complete and not asked.left)

    def found(self, reply: SearchReply) -> None:
        """Take what a worker found; nobody may wait for it any more."""
        asked = self._searches.get(reply.number)
        if asked is not None:
            asked.take(reply.answer)

    def _dismiss(self) -> None:
        """Let all go: whoever went before might be the owner of links that another one still waits to have kept."""
        if not self._dismissed:
            self._dismissed = True
            for record in self._records:
                record.say(Dismiss())

    def counts(self) -> CrawlCounts:
        """The sum of all workers."""
        counts = [record.counts for record in self._records]
        sums = CrawlCounts(*(sum(column) for column in zip(*map(msgspec.structs.astuple, counts), strict=True)))
        before = self._received_before + sum(record.received_before for record in self._records)
        return msgspec.structs.replace(sums, received=sums.received + before)

    def lines(self, limit: int) -> list[LineStatus]:
        """The lines of all workers, as far as they tell of them."""
        return sorted((line for record in self._records for line in record.lines), key=lambda line: line.line)[:limit]

    def lines_of(self, worker: int) -> list[LineStatus]:
        """The lines of a worker, as far as it tells of them."""
        return self._records[worker].lines

    def hosts(self, limit: int) -> list[HostStatus]:
        """Hosts at work in all workers, then those with the longest queues."""
        hosts = [host for record in self._records for host in record.hosts]
        return sorted(hosts, key=lambda host: (not host.leased, -host.queued))[:limit]

    def _tell(self, worker: int, report: Report) -> None:
        others = [record.state for record in self._records if record is not self._records[worker] and record.state]
        for event in report.events:
            # One worker that waits is no news while another downloads.
            if not isinstance(event, Waiting) or not any(state.busy for state in others):
                self._emit(event)

    def _send_on(self, worker: int, report: Report) -> None:
        record = self._records[worker]
        for owner, targets in report.links.items():
            number = next(self._numbers)
            self._records[owner].inbox[number] = _LinksOnTheWay(worker, record.life, report.number, targets)
            self._records[owner].say(Links(number, targets))
        if report.links:
            record.awaited[report.number] = len(report.links)
        else:
            record.say(Settled(report.number))

    def _teach(self, worker: int, learned: tuple[bytes, ...]) -> None:
        """Tell the other workers what one has learned; who is not there does without it."""
        for number, record in enumerate(self._records):
            if number != worker:
                record.say(Learned(learned))

    def _arrived(self, bundle: _LinksOnTheWay | None) -> None:
        """One bundle less that a report waits for, if the process that sent it still lives."""
        if bundle is None or bundle.life != self._records[bundle.origin].life:
            return
        origin = self._records[bundle.origin]
        origin.awaited[bundle.report] -= 1
        if not origin.awaited[bundle.report]:
            del origin.awaited[bundle.report]
            origin.say(Settled(bundle.report))

    def _note(self, record: _WorkerRecord, state: WorkerState) -> None:
        if record.state is None:
            record.allowed = state.counts.obtained
        record.state = state
        record.allowed -= state.returned
        record.wants |= state.wants
        if state.hosts is not None:
            record.hosts = state.hosts
        if state.lines is not None:
            record.lines = state.lines

    def _allow(self) -> None:
        """Give pages to those who want some: large portions first, small ones when few are left."""
        if not self._config.pages or any(record.state is None for record in self._records):
            return
        for record in self._records:
            left = self._config.pages - sum(other.allowed for other in self._records)
            if record.wants and left > 0:
                portion = max(1, min(left // (2 * len(self._records)), _LARGEST_ALLOWANCE))
                record.wants = False
                record.allowed += portion
                record.say(Allow(portion))

    def _limit_reached(self) -> str:
        config, counts = self._config, self.counts()
        seconds = self._clock() - self._began
        return limit_reached(config, config.pages or None, counts.obtained, counts.received, seconds)

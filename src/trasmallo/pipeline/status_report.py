"""Report of where a run stands: its counts as an event, its status as a file for other processes, and what it waits for."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from trasmallo.crawl.local_crawl import Crawl
from trasmallo.events import Emit, LineChanged, Progress
from trasmallo.pipeline.reading.pool import ReaderCounts
from trasmallo.pipeline.watchdog import Watchdog
from trasmallo.store.outcome_tally import OutcomeTally
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import (
    AgentStatus,
    LineStatus,
    PageInReading,
    RunCounts,
    RunStatus,
    addresses_left,
    count_run,
)

_MOST_HOSTS = 50  # judgement: hosts that a page shows
_MOST_LINES = 50
"""Hosts and lines that are written down. Judgement: more than a person looks at, and a small file five times a second."""


class PagesRead(NamedTuple):
    """Pages of the results by why they were left out, "" for texts; how many of these are copies; see `RunCounts.remade`."""

    pages: Mapping[str, int]
    copies: int
    remade: int | None = None


def pages_arriving(before: Mapping[str, int], readers: ReaderCounts, copies: Callable[[], int]) -> Callable[[], PagesRead]:
    """What is read goes to the results at once, beside what earlier sessions brought `before`."""
    return lambda: PagesRead(Counter(before) + readers.pages, copies())


def pages_made_again(
    shown: tuple[Mapping[str, int], int], before: Mapping[str, int], readers: ReaderCounts
) -> Callable[[], PagesRead]:
    """What is read takes the place of the results that are `shown` only when all of it is there."""
    return lambda: PagesRead(*shown, remade=sum(before.values()) + readers.pages.total())


class StatusReport:
    """Where one run stands: its rows by `tally`, its pages as `read` tells, its queue by the crawl or as it was `told` before.

    Finding the longest queues looks at every host, so that is done when `look_at_hosts` is called and not each time the status
    is written.
    """

    def __init__(
        self,
        run: Run,
        emit: Emit,
        *,
        told: RunStatus,
        tally: OutcomeTally,
        read: Callable[[], PagesRead],
        reading: bool,
    ) -> None:
        self._run = run
        self._emit = emit
        self._told = told.counts
        self._tally = tally
        self._read = read
        self._reading = reading
        self._watchdog = Watchdog(emit)
        self._hosts = list(told.hosts)
        self._shown: dict[int, LineStatus] = {}

    async def count(self, crawl: Crawl | None) -> Progress:
        """Tell the counts."""
        known, waiting = await self._addresses(crawl)
        read = self._read()
        counts = count_run(
            outcomes=self._tally.outcomes,
            known=known,
            waiting=waiting,
            received=self._tally.received,
            pages=read.pages,
            copies=read.copies,
            remade=read.remade,
        )
        progress = Progress(**msgspec.structs.asdict(counts))
        self._emit(progress)
        return progress

    async def _addresses(self, crawl: Crawl | None) -> tuple[int, int]:
        """Addresses known and waiting."""
        if crawl is None:
            return addresses_left(self._told, self._tally.outcomes.total())
        crawled = await crawl.counts()
        return crawled.known + self._tally.outcomes[Outcome.OUT_OF_SCOPE], crawled.waiting

    async def look_at_hosts(self, crawl: Crawl | None) -> None:
        """Remember the hosts at work and those with the longest queues."""
        if crawl is not None:
            self._hosts = await crawl.hosts(_MOST_HOSTS)

    def show_downloads(self, crawl: Crawl | None) -> None:
        """Tell how far the downloads have come, of the few lines that a person can watch."""
        for line in crawl.lines(_MOST_LINES) if crawl else ():
            if line.state == "downloading" and line.received and line != self._shown.get(line.line):
                self._shown[line.line] = line
                self._emit(LineChanged(**msgspec.structs.asdict(line)))

    def write(
        self,
        crawl: Crawl | None,
        progress: RunCounts,
        pages: Sequence[PageInReading],
        agents: Sequence[AgentStatus],
        *,
        paused: bool,
        stopping: bool,
    ) -> None:
        """Write the status down, and have the watchdog look at it."""
        lines = crawl.lines(_MOST_LINES) if crawl else []
        if not paused:
            self._watchdog.look(progress, lines, self._hosts, reading=self._reading)
        status = RunStatus(
            at=time.time(),
            counts=RunCounts(**msgspec.structs.asdict(progress)),
            lines=tuple(lines),
            hosts=tuple(self._hosts),
            waiting="" if paused else self._watchdog.cause,
            paused=paused,
            stopping=stopping,
            reading=tuple(pages),
            agents=tuple(agents),
        )
        self._run.write_status(status)

"""Report of where a run stands: its counts as an event, its status as a file for other processes, and what it waits for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from trasmallo.crawl.local_crawl import Crawl, CrawlCounts
from trasmallo.events import Emit, LineChanged, Progress
from trasmallo.pipeline.reading.pool import Readers
from trasmallo.pipeline.watchdog import Watchdog
from trasmallo.store.run_folders import Run
from trasmallo.values.run_status import HostStatus, LineStatus, PageInReading, RunCounts, RunStatus

_MOST_HOSTS = 50  # judgement: hosts that a page shows
_MOST_LINES = 50
"""Hosts and lines that are written down. Judgement: more than a person looks at, and a small file five times a second."""


class StatusReport:
    """Where one run stands. `copies` tells how many are known; `before` is what earlier sessions had obtained and received.

    `drops` are the documents of earlier sessions by why they were left out ("" when they were not). Finding the longest queues
    looks at every host, so that is done when `look_at_hosts` is called and not each time the status is written.
    """

    def __init__(
        self, run: Run, emit: Emit, *, before: CrawlCounts, drops: Mapping[str, int], reading: bool, copies: Callable[[], int]
    ) -> None:
        self._run = run
        self._emit = emit
        self._before = before
        self._studied_before = drops.get("", 0)
        self._dropped_before = sum(drops.values()) - self._studied_before
        self._reading = reading
        self._copies = copies
        self._watchdog = Watchdog(emit)
        self._hosts: list[HostStatus] = []
        self._shown: dict[int, LineStatus] = {}

    async def count(self, crawl: Crawl | None, readers: Readers) -> Progress:
        """Tell the counts."""
        crawled = await crawl.counts() if crawl else self._before
        progress = Progress(
            known=crawled.known,
            waiting=crawled.waiting,
            obtained=crawled.obtained,
            failed=crawled.failed,
            studied=self._studied_before + readers.counts.studied,
            dropped=self._dropped_before + readers.counts.dropped,
            received=crawled.received,
            copies=self._copies(),
        )
        self._emit(progress)
        return progress

    async def look_at_hosts(self, crawl: Crawl | None) -> None:
        """Remember the hosts at work and those with the longest queues."""
        self._hosts = await crawl.hosts(_MOST_HOSTS) if crawl else []

    def show_downloads(self, crawl: Crawl | None) -> None:
        """Tell how far the downloads have come, of the few lines that a person can watch."""
        for line in crawl.lines(_MOST_LINES) if crawl else ():
            if line.state == "downloading" and line.received and line != self._shown.get(line.line):
                self._shown[line.line] = line
                self._emit(LineChanged(**msgspec.structs.asdict(line)))

    def write(
        self, crawl: Crawl | None, progress: RunCounts, pages: Sequence[PageInReading], *, paused: bool, stopping: bool
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
        )
        self._run.write_status(status)

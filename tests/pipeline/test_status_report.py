"""The report of where a run stands; `test_session.py` has it at work."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from trasmallo.config import Config
from trasmallo.crawl.local_crawl import Crawl, CrawlCounts
from trasmallo.events import Event, LineChanged, Progress
from trasmallo.pipeline.reading.pool import Readers
from trasmallo.pipeline.staleness import start_run
from trasmallo.pipeline.status_report import StatusReport
from trasmallo.store.run_folders import Run
from trasmallo.values.run_status import HostStatus, LineStatus, PageInReading

LINE = LineStatus(line=1, state="downloading", url="http://a.es/", received=5, expected=9)
HOST = HostStatus(host="http://a.es", queued=2, reason="rests")
READERS = cast(Readers, SimpleNamespace(counts=SimpleNamespace(studied=3, dropped=1)))


class Still:
    """A crawl that stands still."""

    async def counts(self) -> CrawlCounts:
        return CrawlCounts(known=9, waiting=2, obtained=6, failed=1, received=700)

    async def hosts(self, _limit: int) -> list[HostStatus]:
        return [HOST]

    def lines(self, _limit: int) -> list[LineStatus]:
        return [LINE]


STILL = cast(Crawl, Still())


def made(run: Run, told: list[Event]) -> StatusReport:
    before = CrawlCounts(obtained=4, received=50)
    return StatusReport(run, told.append, before=before, drops={"": 10, "no text": 4}, reading=True, copies=lambda: 2)


def new_run(folder: Path) -> Run:
    return start_run(folder, Config(), "crawl", "trasmallo/0")


def test_counts_are_those_of_the_crawl_or_of_before(tmp_path: Path) -> None:
    told: list[Event] = []
    report = made(new_run(tmp_path), told)
    early, late = asyncio.run(report.count(None, READERS)), asyncio.run(report.count(STILL, READERS))
    assert (early.obtained, early.received, early.studied, early.copies) == (4, 50, 13, 2)
    assert (late.known, late.obtained, late.dropped) == (9, 6, 5)
    assert told == [early, late]


def test_what_is_written_is_read_by_others(tmp_path: Path) -> None:
    run, told = new_run(tmp_path), list[Event]()
    report = made(run, told)
    asyncio.run(report.look_at_hosts(STILL))
    page: Any = PageInReading("http://a.es/x", 1.0, 0)
    report.write(STILL, Progress(obtained=6, received=700), (page,), paused=True, stopping=False)
    status = run.status()
    assert (status.counts.obtained, status.lines, status.hosts, status.reading) == (6, (LINE,), (HOST,), (page,))
    assert (status.paused, status.waiting, status.counts.received) == (True, "", 700)


def test_a_download_is_told_when_more_of_it_has_come(tmp_path: Path) -> None:
    told: list[Event] = []
    report = made(new_run(tmp_path), told)
    report.show_downloads(STILL)
    report.show_downloads(STILL)
    report.show_downloads(None)
    assert told == [LineChanged(line=1, state="downloading", url="http://a.es/", received=5, expected=9)]

"""The report of where a run stands; `test_session.py` has it at work."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, cast

from trasmallo.config import Config
from trasmallo.crawl.local_crawl import Crawl, CrawlCounts
from trasmallo.events import Event, LineChanged, Progress
from trasmallo.pipeline.reading.pool import ReaderCounts
from trasmallo.pipeline.staleness import start_run
from trasmallo.pipeline.status_report import PagesRead, StatusReport, pages_arriving, pages_made_again
from trasmallo.store.outcome_tally import OutcomeTally
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus, PageInReading, RunCounts, RunStatus

LINE = LineStatus(line=1, state="downloading", url="http://a.es/", received=5, expected=9)
HOST = HostStatus(host="http://a.es", queued=2, reason="rests")
TOLD = RunCounts(known=7, waiting=3, outcomes={"fetched": 3, "timed out": 2})
"""Of those that wait one was asked for before."""


class Still:
    """A crawl that stands still."""

    async def counts(self) -> CrawlCounts:
        return CrawlCounts(known=9, waiting=2)

    async def hosts(self, _limit: int) -> list[HostStatus]:
        return [HOST]

    def lines(self, _limit: int) -> list[LineStatus]:
        return [LINE]


STILL = cast(Crawl, Still())


def made(run: Run, told: list[Event], tally: OutcomeTally | None = None) -> StatusReport:
    tally = tally or OutcomeTally({Outcome.FETCHED: 3, Outcome.TIMED_OUT: 2}, 50, {})
    read = pages_arriving({"": 10, "no text": 4}, ReaderCounts(Counter({"": 3, "no text": 1})), lambda: 2)
    return StatusReport(run, told.append, told=RunStatus(counts=TOLD), tally=tally, read=read, reading=True)


def new_run(folder: Path) -> Run:
    return start_run(folder, Config(), "crawl", "trasmallo/0")


def test_counts_are_those_of_the_rows_the_pages_and_the_queue(tmp_path: Path) -> None:
    told: list[Event] = []
    tally = OutcomeTally({Outcome.FETCHED: 3, Outcome.TIMED_OUT: 2}, 50, {})
    report = made(new_run(tmp_path), told, tally)
    early = asyncio.run(report.count(None))
    assert (early.known, early.waiting, early.obtained, early.failed, early.received) == (7, 3, 3, 2, 50)
    assert (early.studied, early.copies, early.dropped, early.remade) == (11, 2, 7, None)
    assert early.drops == {"copy of another document": 2, "no text": 5}
    tally.add(b"refused", Outcome.OUT_OF_SCOPE, 0)
    late = asyncio.run(report.count(STILL))
    assert (late.known, late.waiting) == (10, 2), "the queue does not know which of those out of scope have rows"
    assert told == [early, late]


def test_what_is_made_again_is_told_beside_the_results_that_are_shown() -> None:
    readers = ReaderCounts()
    read = pages_made_again(({"": 9, "no text": 1}, 2), {"": 4}, readers)
    readers.pages["no text"] += 1
    assert read() == PagesRead({"": 9, "no text": 1}, 2, remade=5)


def test_what_is_written_is_read_by_others(tmp_path: Path) -> None:
    run, told = new_run(tmp_path), list[Event]()
    report = made(run, told)
    asyncio.run(report.look_at_hosts(STILL))
    page: Any = PageInReading("http://a.es/x", 1.0, 0)
    agent = AgentStatus(process=7, work="reading", what="http://a.es/x", since=1.0)
    report.write(STILL, Progress(obtained=6, received=700), (page,), (agent,), paused=True, stopping=False)
    status = run.status()
    assert (status.counts.obtained, status.lines, status.hosts, status.reading) == (6, (LINE,), (HOST,), (page,))
    assert status.agents == (agent,)
    assert (status.paused, status.waiting, status.counts.received) == (True, "", 700)


def test_a_download_is_told_when_more_of_it_has_come(tmp_path: Path) -> None:
    told: list[Event] = []
    report = made(new_run(tmp_path), told)
    report.show_downloads(STILL)
    report.show_downloads(STILL)
    report.show_downloads(None)
    assert told == [LineChanged(line=1, state="downloading", url="http://a.es/", received=5, expected=9)]

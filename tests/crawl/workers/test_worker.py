"""One worker that takes messages; test_coordinator.py has several of them at work."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import astuple

from support.fake_web import FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.local_crawl import CrawlPlan, LocalCrawl
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.crawl.scope_log import ScopeLog
from trasmallo.crawl.workers.messages import (
    Allow,
    Dismiss,
    End,
    Links,
    NewScope,
    Pause,
    Report,
    SearchReply,
    SearchRequest,
    Start,
    pack,
)
from trasmallo.crawl.workers.sender import Sender
from trasmallo.crawl.workers.worker import CrawlWorker
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target

LINKS = pack([astuple(Target("http://b.test/")), astuple(Target("http://b.test/no"))])


class Workplace:
    """A worker with all it works with, and what it told."""

    def __init__(self, folder: Path, *, limited: bool) -> None:
        self.web = FakeWeb()
        self.reports: list[Report] = []
        self.found: list[SearchReply] = []
        self.sender = Sender(0, 2, self.reports.append)
        self.frontier = EmbeddedFrontier(folder / "frontier")
        config = CrawlConfig(seeds=("http://a.test/",), scope="any", delay=0.0, sitemaps=False)
        self.crawler = Crawler(
            config,
            frontier=self.frontier,
            fetcher=self.web,
            keep=self._keep,
            emit=self.sender.emit,
            robots=RobotsRules(self.web, "trasmallo", self.web.clock),
            decode=lambda content, _charset: (content.decode("latin-1"), "windows-1252"),
            exchange=self.sender,
            clock=self.web.clock,
        )
        log = ScopeLog(folder / "border", self.crawler.scope, self.frontier, self.sender.emit)
        start = Start(
            plan=CrawlPlan(config=config), run="", worker=0, workers=2, archive="", catalog="", roll_at=1, limited=limited
        )
        self.worker = CrawlWorker(LocalCrawl(self.crawler, self.frontier, log), self.sender, start, self.found.append)

    def _keep(self, target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        fetch = Fetch(target.url, answer.at, outcome, getattr(answer, "status", 0), cause=cause)
        self.sender.put(fetch)
        return fetch

    async def waiting(self) -> list[str]:
        """The addresses in the frontier, by a search of the coordinator."""
        await self.worker.take(SearchRequest(7, QueueQuestion(limit=10)))
        assert self.found[-1].number == 7
        return sorted(queued.url for queued in self.found[-1].answer.found)


@asynccontextmanager
async def workplace_in(folder: Path, *, limited: bool = False) -> AsyncIterator[Workplace]:
    place = Workplace(folder, limited=limited)
    try:
        yield place
    finally:
        await place.frontier.control(Close())


def test_links_of_others_are_kept_and_then_acknowledged(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path) as place:
            await place.worker.take(Links(3, LINKS))
            assert await place.waiting() == ["http://b.test/", "http://b.test/no"]
            await place.sender.flush()
            (report,) = place.reports
            assert report.safe == (3,)
            assert (report.state.taken, report.state.idle) == (2, False)

    run(go())


def test_links_that_the_border_now_excludes_are_dropped(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path) as place:
            await place.worker.take(NewScope(("/no",), ()))
            await place.worker.take(Links(1, LINKS))
            assert await place.waiting() == ["http://b.test/"]

    run(go())


def test_pages_are_asked_for_once_and_counted_when_they_are_allowed(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path, limited=True) as place:
            await place.worker.take(Links(1, LINKS))
            assert [(await place.worker.state()).wants for _ in range(2)] == [True, False]
            await place.worker.take(Allow(5))
            assert place.crawler.most_pages == 5

    run(go())


def test_one_with_nothing_to_do_gives_pages_back(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path, limited=True) as place:
            await place.worker.take(Allow(5))
            state = await place.worker.state()
            assert (state.idle, state.wants, state.returned) == (True, False, 5)
            assert (await place.worker.state()).returned == 0

    run(go())


def test_hosts_and_lines_are_told_once_a_beat(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path) as place:
            await place.worker.take(Links(1, LINKS))
            first, second = [await place.worker.state() for _ in range(2)]
            await place.worker.beat()
            third = await place.worker.state()
            assert [host.host for host in first.hosts or ()] == ["http://b.test"]
            assert (second.hosts, second.lines) == (None, None)
            assert (third.hosts, third.lines) == (first.hosts, first.lines)

    run(go())


@pytest.mark.parametrize("at_once", [False, True])
def test_a_worker_that_is_over_stays_until_it_is_dismissed(tmp_path: Path, at_once: bool) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path) as place:
            await place.worker.take(Pause(True))
            await place.worker.take(Pause(False))
            await place.worker.take(End(at_once))
            assert not place.sender.open
            await place.worker.take(Dismiss())
            await place.worker.run()
            assert (await place.worker.state()).over

    run(go())


class FoundLittle(Importance):
    """A ranker after too many pages that are off topic."""

    ended = "2% of the last 200 pages are on topic"


def test_one_that_found_too_little_says_so_and_gives_its_pages_to_the_others(tmp_path: Path) -> None:
    async def go() -> None:
        async with workplace_in(tmp_path, limited=True) as place:
            await place.worker.take(Links(1, LINKS))
            await place.worker.take(Allow(5))
            assert (await place.worker.state()).returned == 0
            place.crawler.ranker = FoundLittle(tmp_path, CrawlConfig())
            state = await place.worker.state()
            assert (state.idle, state.wants, state.returned, state.ended) == (False, False, 5, FoundLittle.ended)

    run(go())

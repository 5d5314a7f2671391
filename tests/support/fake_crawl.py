"""A crawl of a fake web, and everything it did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.fake_web import FakeWeb, run
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import counts_of
from trasmallo.crawl.crawler import Crawler, Recall
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.outcomes import location_of
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.events import Event
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target

ROOT = "http://a.test/"


def link(*paths: str) -> str:
    return "".join(f'<a href="{path}">x</a>' for path in paths)


class Crawl:
    """A crawl of a fake web, and everything it did."""

    def __init__(self, folder: Path, web: FakeWeb, **config: Any) -> None:
        self.folder = folder
        self.web = web
        self.config = CrawlConfig(**({"seeds": (ROOT,), "scope": "any", "sitemaps": False} | config))
        self.events: list[Event] = []
        self.kept: dict[str, Fetch] = {}
        self.order: list[str] = []
        self.size = 10
        self.recall: Recall = lambda _url: None

    def go(self) -> Crawl:
        run(self._go())
        return self

    async def _go(self) -> None:
        frontier = EmbeddedFrontier(self.folder, in_order=self.config.lines == 1, leases_per_host=self.config.lines_per_host)
        try:
            await (await self.crawler(frontier)).run()
        finally:
            await frontier.control(Close())

    async def crawler(self, frontier: EmbeddedFrontier, **options: Any) -> Crawler:
        return Crawler(
            self.config,
            frontier=frontier,
            fetcher=self.web,
            keep=self._keep,
            emit=self.events.append,
            robots=RobotsRules(self.web, "trasmallo", self.web.clock, retry_after=self.config.retry_after),
            decode=lambda content, _charset: (content.decode("latin-1"), "windows-1252"),
            clock=self.web.clock,
            recall=self.recall,
            counts=counts_of((await frontier.stats()).outcomes),
            **options,
        )

    def _keep(self, target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        location = location_of(answer) if isinstance(answer, Response) else ""
        fetch = Fetch(
            target.url, answer.at, outcome, getattr(answer, "status", 0), size=self.size, location=location, cause=cause
        )
        self.kept[target.url] = fetch
        self.order.append(target.url)
        return fetch

    @property
    def obtained(self) -> set[str]:
        return {url for url, fetch in self.kept.items() if fetch.outcome.obtained}

    def asked(self, url: str) -> int:
        return sum(visit.url == url for visit in self.web.visits)

    def heard(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

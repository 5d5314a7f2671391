"""A crawl of a server that plays every bad server: it goes on, and each page ends with its cause."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

from support.hostile_server import OUTCOMES, hostile_server
from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawler import Crawler
from trasmallo.crawl.fetch import Fetcher, RequestLimits, places
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.robots_rules import RobotsRules
from trasmallo.values.model import Failure, Fetch, Outcome, Response, Target

LIMITS = RequestLimits(connect=2.0, first_byte=0.4, total=2.0, idle=0.4, body_bytes=1_000_000, slowest=2_000, grace=0.4)
MEMORY = 300_000_000
"""Bytes that the crawl may need beyond what the process had."""


async def crawl(folder: Path, seeds: tuple[str, ...]) -> dict[str, Fetch]:
    kept: dict[str, Fetch] = {}

    def keep(target: Target, answer: Response | Failure, outcome: Outcome, cause: str) -> Fetch:
        kept[target.url] = Fetch(target.url, answer.at, outcome, cause=cause)
        return kept[target.url]

    fetcher = Fetcher("trasmallo-tests", limits=LIMITS, private=places("127.0.0.1"))
    frontier = EmbeddedFrontier(folder)
    rules = RobotsRules(fetcher, "trasmallo")
    config = CrawlConfig(seeds=seeds, scope="host", delay=0.0, lines=4, retries=0)
    try:
        await Crawler(
            config,
            frontier=frontier,
            fetcher=fetcher,
            keep=keep,
            emit=lambda _event: None,
            robots=rules,
            decode=lambda content, _charset: (content.decode("latin-1"), "windows-1252"),
        ).run()
    finally:
        await frontier.control(Close())
        await fetcher.close()
    return kept


def test_a_crawl_survives_every_bad_server(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with hostile_server() as server:
        urls = {server.url(path): outcome for path, outcome in OUTCOMES.items() if "#" not in path}
        kept = asyncio.run(crawl(tmp_path, tuple(urls)))
    wrong = {url: (kept[url].outcome, kept[url].cause) for url, outcome in urls.items() if not _as_expected(kept[url], outcome)}
    assert not wrong
    assert all(fetch.cause for fetch in kept.values() if fetch.outcome not in (Outcome.FETCHED, Outcome.REDIRECTED))
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < MEMORY


def _as_expected(fetch: Fetch, outcome: Outcome | None) -> bool:
    """An answer, where the fetcher brings one, may mean anything to the crawler; a failure stays what it is."""
    obtained = (Outcome.FETCHED, Outcome.REDIRECTED, Outcome.MISSING, Outcome.HTTP_ERROR, Outcome.UNCHANGED, Outcome.LOGIN)
    return fetch.outcome is outcome or (outcome in (None, Outcome.FETCHED) and fetch.outcome in (*obtained, Outcome.BROKEN))

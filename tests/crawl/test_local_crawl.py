"""A crawl put together in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan, find_private, open_crawl, user_agent
from trasmallo.demo.site import Site
from trasmallo.events import Event, Fetched
from trasmallo.pipeline.analysis.document import decode_page
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog


def test_a_crawl_runs_and_leaves_its_last_counts(site: Site, tmp_path: Path) -> None:
    config = CrawlConfig(seeds=site.seeds[:1], scope="host", pages=4, delay=0.0)
    told: list[Event] = []

    async def crawl() -> tuple[list[str], CrawlCounts, CrawlCounts]:
        with Archive(tmp_path / "archive", software="x") as archive, Catalog(tmp_path / "catalog") as catalog:
            keeper = Keeper(archive, catalog, "run", lambda _fetch: None)
            places = {name: str(tmp_path / name) for name in ("frontier", "traps", "scope_log", "robots")}
            plan = CrawlPlan(config=config, **places, software="x", private=await find_private(config))
            async with open_crawl(plan, keeper, decode_page, told.append) as opened:
                await opened.run()
                await opened.sync()
                hosts, during = [state.host for state in await opened.hosts(5)], await opened.counts()
            opened.stop()
            await opened.sync()
            assert await opened.hosts(5) == []
            return hosts, during, await opened.counts()

    hosts, during, after = asyncio.run(crawl())
    assert hosts == [site.seeds[0].rstrip("/")]
    assert during == after
    assert (after.obtained, sum(isinstance(event, Fetched) for event in told)) == (4, 4)
    assert after.known >= after.obtained + after.waiting
    assert (tmp_path / "traps").exists()
    assert (tmp_path / "robots").exists()


def test_what_a_host_brought_before_counts_towards_its_limit(site: Site, tmp_path: Path) -> None:
    async def crawl(pages: int) -> int:
        config = CrawlConfig(seeds=site.seeds[:1], scope="host", pages_per_host=pages, delay=0.0, sitemaps=False)
        with Archive(tmp_path / "archive", software="x") as archive, Catalog(tmp_path / "catalog") as catalog:
            keeper = Keeper(archive, catalog, "run", lambda _fetch: None)
            places = {name: str(tmp_path / name) for name in ("frontier", "traps", "scope_log", "robots")}
            plan = CrawlPlan(config=config, **places, software="x", private=await find_private(config), received=7)
            async with open_crawl(plan, keeper, decode_page, lambda _event: None) as opened:
                opened.crawler.most_pages = opened.crawler.counts.obtained + 3
                await opened.run()
                assert (await opened.counts()).received > 7
            return (await opened.counts()).obtained

    assert asyncio.run(crawl(4)) == 3
    assert asyncio.run(crawl(4)) == 4


def test_private_is_what_the_seeds_are() -> None:
    assert "127.0.0.1" in asyncio.run(find_private(CrawlConfig(seeds=("http://127.0.0.1:8000/",))))
    assert asyncio.run(find_private(CrawlConfig())) == ()


def test_who_asks_says_where_to_complain() -> None:
    assert user_agent("", "trasmallo/1") == "trasmallo/1"
    assert user_agent("https://a.es/", "trasmallo/1") == "trasmallo/1 (+https://a.es/)"

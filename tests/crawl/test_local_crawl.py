"""A crawl put together in this process."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from trasmallo.clean.decode import decode_page
from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan, find_private, open_crawl, user_agent
from trasmallo.demo.site import Site
from trasmallo.events import Event, Fetched
from trasmallo.pipeline.keeper import Keeper
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.private_places import PrivatePlace


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
                assert [agent.process for agent in opened.agents()] == [os.getpid()]
                hosts, during = [state.host for state in await opened.hosts(5)], await opened.counts()
            opened.stop()
            await opened.sync()
            assert opened.agents() == []
            assert sum(host.queued for host in await opened.hosts(5)) == during.waiting
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


def test_pages_that_a_killed_session_stored_count_towards_the_limit(site: Site, tmp_path: Path) -> None:
    folder, places = tmp_path / "frontier", {name: str(tmp_path / name) for name in ("traps", "scope_log", "robots")}

    async def crawl(pages: int, *, recount: bool = False) -> tuple[int, int]:
        config = CrawlConfig(seeds=site.seeds[:1], scope="host", pages=pages, delay=0.0, sitemaps=False)
        with Archive(tmp_path / "archive", software="x") as archive, Catalog(tmp_path / "catalog") as catalog:
            keeper = Keeper(archive, catalog, "run", lambda _fetch: None)
            private = await find_private(config)
            plan = CrawlPlan(config=config, frontier=str(folder), **places, software="x", private=private, recount=recount)
            async with open_crawl(plan, keeper, decode_page, lambda _event: None) as opened:
                await opened.run()
            return (await opened.counts()).obtained, sum(fetch.outcome.obtained for fetch in catalog.of_run("run"))

    assert asyncio.run(crawl(3)) == (3, 3)
    shutil.copytree(folder, tmp_path / "before")
    assert asyncio.run(crawl(5)) == (5, 5)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "before", folder)  # as if the journal had not been written before the kill
    assert asyncio.run(crawl(5, recount=True)) == (5, 5)
    assert asyncio.run(crawl(7, recount=True)) == (7, 7), "what is found in the archive is not counted twice"


def private(*seeds: str, named: tuple[str, ...] = (), **known: str) -> tuple[PrivatePlace, ...]:
    """What may be asked on private networks, in a DNS that knows these names ("a_test" for a.test)."""

    async def resolve(host: str) -> list[str]:
        if host.replace(".", "_") not in known:
            raise OSError("unknown")
        return known[host.replace(".", "_")].split()

    return asyncio.run(find_private(CrawlConfig(seeds=seeds, private=named), resolve))


def test_of_a_private_seed_its_own_host_and_port_may_be_asked_where_it_is_now() -> None:
    own = PrivatePlace("127.0.0.1", 8000, addresses=("127.0.0.1",))
    assert private("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b") == (own,)
    found = private("https://a.test/", "http://[fd00::1]/", a_test="10.0.0.1 10.0.0.2")
    assert found == (
        PrivatePlace("a.test", 443, addresses=("10.0.0.1", "10.0.0.2")),
        PrivatePlace("fd00::1", 80, "", ("fd00::1",)),
    )


def test_public_and_unknown_seeds_open_nothing() -> None:
    assert private() == ()
    assert (
        private("http://a.test/", "http://b.test/", "http://nowhere.test/", a_test="1.1.1.1", b_test="1.1.1.1 10.0.0.1") == ()
    )
    assert private("http://wiki.local/") == (PrivatePlace("wiki.local", 80),), "private by its name"


def test_what_the_project_names_may_be_asked() -> None:
    named = ("10.0.0.0/8", "*.intranet.test", "db.test:8080")
    assert private(named=named) == (
        PrivatePlace(network="10.0.0.0/8"),
        PrivatePlace("*.intranet.test"),
        PrivatePlace("db.test", 8080),
    )


def test_who_asks_says_where_to_complain() -> None:
    assert user_agent("", "trasmallo/1") == "trasmallo/1"
    assert user_agent("https://a.es/", "trasmallo/1") == "trasmallo/1 (+https://a.es/)"

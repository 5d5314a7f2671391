"""The first machine of a shared crawl: workers come, are killed and stopped, and every page is obtained, once in the end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command_line import hurried
from support.waiting import until
from trasmallo.config import ClusterConfig
from trasmallo.crawl.focus import FocusSetup, Topic
from trasmallo.crawl.focus_ranker import FocusPlan
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.crawl.shared.cluster_status import read_status
from trasmallo.demo.site import Site
from trasmallo.events import Event, Warned
from trasmallo.pipeline.shared_crawl import SharedCrawl, need_cluster, open_shared, project_id
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.store.archive import Archive, records
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import CRAWL
from trasmallo.values.errors import ConfigError
from trasmallo.values.model import Fetch
from trasmallo.values.private_places import place_of
from trasmallo.values.software import SOFTWARE

Disturb = Callable[[SharedCrawl, list[subprocess.Popen[bytes]]], Any]


async def _crawl(project: Project, address: str, storage: Path, disturb: Disturb | None = None) -> list[Fetch]:
    """The rows of a crawl that is disturbed, with one worker beside those of the first machine."""
    run = start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    config = project.config.crawl
    plan = CrawlPlan(config=config, software=SOFTWARE, private=tuple(map(place_of, config.seeds)), began=run.manifest.began)
    joined: list[subprocess.Popen[bytes]] = []
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        cluster = ClusterConfig(frontier=address, storage=str(storage))
        async with open_shared(
            plan, run, archive, catalog, lambda _: None, lambda _: None, cluster, name="test", lease_seconds=3.0
        ) as crawl:
            joined.append(_join(address))
            crawling = asyncio.create_task(crawl.run())
            try:
                if disturb is not None:
                    await disturb(crawl, joined)
            finally:
                if sys.exc_info()[0] is not None:
                    crawl.stop()
                await crawling
        for worker in joined:
            worker.wait(30)
        return list(catalog.of_run(run.name))


def _join(address: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "trasmallo", "worker", address, "--lines", "3", "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


async def _obtained(crawl: SharedCrawl, number: int) -> None:
    def reached() -> bool:
        return crawl.obtained >= number

    await asyncio.to_thread(until, reached, f"{number} pages", 60.0)


def _pages_of(project: Project) -> set[str]:
    with Catalog(project.store / "catalog", read_only=True) as catalog:
        return {row.url for run in project.runs.iterdir() for row in catalog.of_run(run.name) if row.outcome.obtained}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_workers_that_are_killed_and_stopped_lose_nothing(site: Site, finished: Project, database: str, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=4, delay=0.05)

    async def disturb(crawl: SharedCrawl, joined: list[subprocess.Popen[bytes]]) -> None:
        await _obtained(crawl, 5)
        joined[0].kill()
        joined.append(_join(database))
        await _obtained(crawl, 12)
        for agent in crawl.agents()[1:]:
            os.kill(agent.process, signal.SIGKILL)
        await _obtained(crawl, 20)

    rows = asyncio.run(_crawl(project, database, tmp_path / "storage", disturb))
    pages = Counter(row.url for row in rows if row.outcome.obtained)
    alone = _pages_of(finished)
    assert set(pages) == alone
    assert sum(pages.values()) - len(pages) <= 8, "no more than what was under way is asked for again"
    list(records(tmp_path / "storage" / "archive"))  # raises where a file is torn
    with Archive(project.store / "archive", software=SOFTWARE) as archive:
        assert all(archive.read(row.locator).id for row in rows if row.locator is not None)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_crawlers_overlap_unless_they_share_their_frontier(site: Site, database: str, tmp_path: Path) -> None:
    """Exercise 3.8: without an exchange both obtain what both can reach; with a shared frontier nothing is obtained twice."""
    alone = [hurried(tmp_path / f"alone{number}", site.seeds, lines=4, pages=30) for number in range(2)]
    found = []
    for project in alone:
        project.crawl()
        with Catalog(project.store / "catalog", read_only=True) as catalog:
            found.append(
                {row.url for run in project.runs.iterdir() for row in catalog.of_run(run.name) if row.outcome.obtained}
            )
    assert found[0] & found[1]
    rows = asyncio.run(_crawl(hurried(tmp_path / "shared", site.seeds, lines=4), database, tmp_path / "storage"))
    pages = Counter(row.url for row in rows if row.outcome.obtained)
    assert pages
    assert set(pages.values()) == {1}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_pause_and_an_exclusion_reach_all_workers(site: Site, database: str, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=2, delay=0.1)

    async def disturb(crawl: SharedCrawl, _joined: list[subprocess.Popen[bytes]]) -> None:
        await _obtained(crawl, 3)
        crawl.pause(paused=True)
        await asyncio.to_thread(until, lambda: read_status(database).state == "paused", "the pause to be published")
        # Nobody holds a host any more, though many addresses wait: not even who joins meanwhile.
        await asyncio.to_thread(until, lambda: not read_status(database).hosts_leased, "all workers to pause")
        assert (await asyncio.to_thread(read_status, database)).waiting
        await crawl.change_scope((".html",), ())
        assert not (await crawl.search(QueueQuestion(text=".html"))).matching
        crawl.pause(paused=False)

    rows = asyncio.run(_crawl(project, database, tmp_path / "storage", disturb))
    assert any(".html" in row.url for row in rows)
    assert read_status(database).state == "finished"


def test_a_run_whose_database_was_taken_away_says_so() -> None:
    with pytest.raises(ConfigError, match="--new"):
        need_cluster(ClusterConfig())
    cluster = ClusterConfig(frontier="postgresql://a@b/c")
    assert need_cluster(cluster) is cluster


def test_a_project_keeps_its_id(tmp_path: Path) -> None:
    assert project_id(tmp_path) == project_id(tmp_path) != project_id(tmp_path / "other")


def test_that_a_topic_is_not_kept_to_is_told(tmp_path: Path) -> None:
    told: list[Event] = []
    project = Project.new(tmp_path / "p", ["https://example.org/"])
    run = start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    focus = FocusPlan(setup=FocusSetup(topics=(Topic(name="t", words=("vela",)),)))
    plan, cluster = CrawlPlan(config=project.config.crawl, focus=focus), ClusterConfig(frontier="nowhere")

    async def work() -> None:
        with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
            async with open_shared(plan, run, archive, catalog, lambda _: None, told.append, cluster, name="test"):
                pass

    with pytest.raises(ConfigError):
        asyncio.run(work())
    assert [isinstance(event, Warned) and "topic is not kept to" in event.message for event in told] == [True]

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
from support.object_storage import running_storage
from support.postgres import running_server
from support.shared_tables import join, value
from support.waiting import until
from trasmallo.config import ClusterConfig
from trasmallo.crawl.focus.topic import FocusSetup, Topic
from trasmallo.crawl.focus_ranker import FocusPlan
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.marks import add_mark
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.crawl.retries import request_retries
from trasmallo.crawl.shared.blobs import Bucket
from trasmallo.crawl.shared.cluster_status import read_status
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.worker_registry import leave, read_plan
from trasmallo.demo.site import Site
from trasmallo.events import Event, Warned
from trasmallo.pipeline.shared_crawl import SharedCrawl, need_cluster, open_shared, project_id
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.store.archive import Archive, records
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import CRAWL, Run
from trasmallo.values.errors import ConfigError, StoreError
from trasmallo.values.model import Fetch, Outcome, seed_target
from trasmallo.values.private_places import place_of
from trasmallo.values.software import SOFTWARE

Disturb = Callable[[SharedCrawl, list[subprocess.Popen[bytes]]], Any]


async def _crawl(
    project: Project,
    address: str,
    storage: Path | str,
    disturb: Disturb | None = None,
    run: Run | None = None,
    focus: FocusPlan | None = None,
) -> list[Fetch]:
    """The rows of a crawl that is disturbed, with one worker beside those of the first machine."""
    run = run or start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    config = project.config.crawl
    private = tuple(map(place_of, config.seeds))
    plan = CrawlPlan(config=config, software=SOFTWARE, private=private, began=run.manifest.began, focus=focus)
    joined: list[subprocess.Popen[bytes]] = []
    with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
        cluster = ClusterConfig(frontier=address, storage=str(storage))
        try:
            async with open_shared(
                plan,
                run=run,
                archive=archive,
                catalog=catalog,
                obtained=lambda _: None,
                emit=lambda _: None,
                cluster=cluster,
                name="test",
                lease_seconds=3.0,
            ) as crawl:
                joined.append(_join(address.split()[-1]))  # any server will do
                crawling = asyncio.create_task(crawl.run())
                try:
                    if disturb is not None:
                        await disturb(crawl, joined)
                finally:
                    if sys.exc_info()[0] is not None:
                        crawl.stop()
                    await crawling
        finally:
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
def test_files_in_a_bucket_lose_nothing_when_a_worker_is_killed(
    site: Site, finished: Project, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=4, delay=0.05)

    async def disturb(crawl: SharedCrawl, joined: list[subprocess.Popen[bytes]]) -> None:
        await _obtained(crawl, 10)
        joined[0].kill()

    with running_storage(monkeypatch) as server:
        server.make_bucket("corpus")
        rows = asyncio.run(_crawl(project, database, "s3://corpus/here", disturb))
        bucket = Bucket("s3://corpus/here")
        assert bucket.list("pieces") == [], "each file is one object in the end, and what was torn is gone"
        files = {blob.name.removeprefix("archive/"): blob.size for blob in bucket.list("archive")}
    assert {row.url for row in rows if row.outcome.obtained} == _pages_of(finished)
    assert {row.locator.file for row in rows if row.locator is not None} <= set(files)
    assert [name for name, size in files.items() if (project.store / "archive" / name).stat().st_size != size] == []
    with Archive(project.store / "archive", software=SOFTWARE) as archive:
        assert all(archive.read(row.locator).id for row in rows if row.locator is not None)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_storage_that_refuses_a_write_ends_the_crawl_with_one_line_and_loses_nothing(
    site: Site, finished: Project, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=4, delay=0.05)
    run = start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    with running_storage(monkeypatch) as server:
        server.make_bucket("corpus")

        async def disturb(crawl: SharedCrawl, _joined: list[subprocess.Popen[bytes]]) -> None:
            await _obtained(crawl, 5)
            server.refuse_keys()

        with pytest.raises(StoreError, match="refuses this key .*AWS_ACCESS_KEY_ID") as told:
            asyncio.run(_crawl(project, database, "s3://corpus/here", disturb, run))
        assert "\n" not in str(told.value)
        server.refuse_keys(after=10**9)
        asyncio.run(_crawl(project, database, "s3://corpus/here", run=run))
    assert _pages_of(project) == _pages_of(finished)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_servers_share_a_crawl_though_one_of_them_and_a_worker_are_killed(
    site: Site, finished: Project, database: str, tmp_path: Path
) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=4, delay=0.05)
    with running_server() as other:
        second = other.make_database()

        async def disturb(crawl: SharedCrawl, joined: list[subprocess.Popen[bytes]]) -> None:
            await _obtained(crawl, 5)
            await asyncio.to_thread(other.kill)
            joined[0].kill()
            joined.append(_join(database))
            await asyncio.to_thread(other.start)
            await _obtained(crawl, 15)

        rows = asyncio.run(_crawl(project, f"{database} {second}", tmp_path / "storage", disturb))
        hosts = [read_status(address).hosts for address in (database, second)]
    pages = Counter(row.url for row in rows if row.outcome.obtained)
    assert set(pages) == _pages_of(finished)
    assert sum(pages.values()) - len(pages) <= 8, "no more than what was under way is asked for again"
    assert hosts[0] == hosts[1] > 1, "whoever is asked tells of both"


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


def test_a_topic_reaches_all_workers(database: str, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", ("http://a.example/",), harvest=0.5)
    run = start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    setup = FocusSetup(topics=(Topic(name="pesca", words=("red",)),), stop=frozenset({"de"}))
    plan = CrawlPlan(config=project.config.crawl, focus=FocusPlan(setup=setup, marks="/only/here", harvest=0.5))
    told: list[Event] = []

    async def published() -> FocusPlan | None:
        opened = Database(database)
        cluster = ClusterConfig(frontier=database, storage=str(tmp_path / "storage"))
        with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
            async with open_shared(
                plan,
                run=run,
                archive=archive,
                catalog=catalog,
                obtained=lambda _: None,
                emit=told.append,
                cluster=cluster,
                name="test",
            ):
                found = (await read_plan(opened)).plan.focus
        await opened.close()
        return found

    assert asyncio.run(published()) == FocusPlan(setup=setup), (
        "without a path of this machine, nor an end that each finds alone"
    )
    assert next(event.message for event in told if isinstance(event, Warned)).startswith("`harvest`")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_workers_of_a_topic_learn_from_each_other_and_hear_of_marks(site: Site, database: str, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", site.seeds, lines=4, delay=0.05)
    marks = tmp_path / "marks.jsonl"
    setup = FocusSetup(topics=(Topic(name="pesca", words=("mar", "pesca")),), stop=frozenset({"de"}))
    opened = Database(database)

    async def disturb(crawl: SharedCrawl, _joined: list[subprocess.Popen[bytes]]) -> None:
        await _obtained(crawl, 3)
        add_mark(marks, site.seeds[0], on_topic=True)

    async def go() -> tuple[list[Fetch], int, FocusPlan | None]:
        focus = FocusPlan(setup=setup, marks=str(marks), topicality=0.5)
        rows = await _crawl(project, database, tmp_path / "storage", disturb, focus=focus)
        told, plan = await value(opened, "select count(*) from trasmallo_learned"), (await read_plan(opened)).plan.focus
        await opened.close()
        return rows, told, plan

    rows, told, plan = asyncio.run(go())
    outcomes = Counter(row.outcome for row in rows)
    assert outcomes[Outcome.OFF_TOPIC]
    assert outcomes[Outcome.FETCHED]
    assert all(row.locator is None and row.cause for row in rows if row.outcome is Outcome.OFF_TOPIC)
    assert told > 0
    assert plan is not None
    assert plan.said == {site.seeds[0]: True}
    assert plan.marks == "", "no path of this machine"


def test_what_is_to_be_tried_again_is_work_though_nothing_else_is_left(database: str, tmp_path: Path) -> None:
    seed = "http://a.example/"
    project = hurried(tmp_path / "project", (seed,))
    run = start_run(project.runs, project.config, CRAWL, SOFTWARE, 1)
    plan = CrawlPlan(config=project.config.crawl, software=SOFTWARE)

    async def queued() -> Any:
        opened = Database(database)
        cluster = ClusterConfig(frontier=database, storage=str(tmp_path / "storage"))
        with Archive(project.store / "archive", software=SOFTWARE) as archive, Catalog(project.store / "catalog") as catalog:
            async with open_shared(
                plan,
                run=run,
                archive=archive,
                catalog=catalog,
                obtained=lambda _: None,
                emit=lambda _: None,
                cluster=cluster,
                name="test",
            ) as crawl:
                worker = await join(opened, database)
                await worker.add([seed_target(seed)])
                (lease,) = (await worker.lease(0.0)).leases
                await worker.finish(lease, [Result(seed, Outcome.MISSING)], [], 0.0)
                await leave(opened, await value(opened, "select worker from trasmallo_workers where name = 'tester'"))
                request_retries(run.retry_folders, [Fetch(seed, 0.0, Outcome.MISSING)])
                crawl.stop()
                await crawl.run()
                await worker.control(Close())
        found = await value(opened, "select count(*) from trasmallo_queue")
        await opened.close()
        return found

    assert asyncio.run(queued()) == 1


def test_a_run_whose_database_was_taken_away_says_so() -> None:
    with pytest.raises(ConfigError, match="--new"):
        need_cluster(ClusterConfig())
    cluster = ClusterConfig(frontier="postgresql://a@b/c")
    assert need_cluster(cluster) is cluster


def test_a_project_keeps_its_id(tmp_path: Path) -> None:
    assert project_id(tmp_path) == project_id(tmp_path) != project_id(tmp_path / "other")

"""A crawl in several processes ends like one in a single process, whoever is stopped or killed meanwhile."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from support.command_line import Done, fetched, hurried, start, wait_for
from support.killing import check_acknowledged, crawlers_of, is_crawler, kill_until_done, results
from trasmallo.crawl.exchange import worker_of
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog

Command = Callable[..., Done]


@pytest.fixture
def processes(site: Site) -> int:
    """The smallest number of processes of which no single one owns all hosts, whose ports differ from test to test."""
    return next(number for number in range(2, 9) if len({worker_of(seed, number) for seed in site.seeds}) > 1)


@pytest.fixture
def shared(site: Site, processes: int, tmp_path: Path) -> Project:
    """The sample project before its first run, to be crawled by several processes."""
    return hurried(tmp_path / "project", site.seeds, processes=processes, lines=8)


@pytest.fixture
def slow(site: Site, processes: int, tmp_path: Path) -> Project:
    """The same, slow enough to be met at work."""
    return hurried(tmp_path / "project", site.seeds, processes=processes, lines=8, delay=0.1)


def test_several_processes_find_what_one_does_each_on_its_own_hosts(shared: Project, finished: Project, processes: int) -> None:
    summary = shared.run()
    assert summary.state == "finished"
    assert results(shared) == results(finished)
    assert msgspec.structs.replace(summary, run="") == msgspec.structs.replace(finished.summary(), run="")
    causes = [{(row.url, row.what, row.cause) for row in project.incidents()} for project in (shared, finished)]
    assert causes[0] == causes[1]
    status = shared.status().progress
    assert (status.waiting, status.obtained) == (0, summary.pages)

    run = run_folders.latest(shared.runs)
    assert run.manifest.processes == processes
    assert all((run.frontier_of(worker) / "state").exists() for worker in range(processes))
    with Catalog(shared.store / "catalog", read_only=True) as catalog:
        stored = [(row.url, row.locator.file) for row in catalog.of_run(run.name) if row.locator]
    assert len({file for _, file in stored}) > 1
    assert all(file.startswith(f"trasmallo-{worker_of(url, processes) + 1}-20") for url, file in stored)


def test_a_limit_of_pages_is_exact(shared: Project, trasmallo: Command) -> None:
    for pages in (17, 22):
        found = trasmallo("crawl", "--into", shared.folder, "--pages", pages, "--json").value()
        assert found["outcomes"]["fetched"] == pages


def test_what_a_crawler_cannot_repair_is_told_as_the_projects_trouble(shared: Project, trasmallo: Command) -> None:
    trasmallo("crawl", "--into", shared.folder, "--pages", 1, "--quiet")
    state = run_folders.latest(shared.runs).frontier_of(1) / "state"
    state.write_bytes(state.read_bytes()[:-1] + b"x")
    refused = trasmallo("crawl", "--into", shared.folder, "--quiet")
    assert refused.code == 1
    assert refused.refusal().startswith(f"trasmallo: {state} is damaged")


def test_ctrl_c_once_reads_what_is_there_and_twice_ends(
    slow: Project, finished: Project, processes: int, trasmallo: Command
) -> None:
    with start("run", slow.folder, "--json") as process:
        wait_for(lambda: fetched(slow) >= 12, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    once = slow.summary()
    assert once.state == "stopped"
    assert 12 <= once.pages == once.outcomes["fetched"] < len(finished.table("pages"))
    assert slow.status().progress.waiting > 0

    with start("run", slow.folder, "--quiet", "--processes", "1") as process:
        wait_for(lambda: fetched(slow) >= once.pages + 6, process)
        assert len(crawlers_of(process.pid)) == processes, "a run goes on with the processes it began with"
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")
    check_acknowledged(slow)

    assert trasmallo("run", slow.folder, "--delay", "0", "--quiet") == Done(0, "", "")
    assert len(run_folders.find(slow.runs)) == 1
    assert results(slow) == results(finished)


def test_kills_of_the_hall_change_nothing(shared: Project, finished: Project) -> None:
    assert kill_until_done(shared, random.Random(7), longest=2.0, most=1)
    assert results(shared) == results(finished)


def test_a_killed_crawler_goes_on_and_nobody_outlives_the_coordinator(
    slow: Project, finished: Project, processes: int, trasmallo: Command
) -> None:
    with start("run", slow.folder, "--quiet") as process:
        wait_for(lambda: fetched(slow) >= 8, process)
        victim, *survivors = crawlers_of(process.pid)
        os.kill(victim, signal.SIGKILL)
        wait_for(lambda: len({*crawlers_of(process.pid)} - {victim}) == processes, process)
        wait_for(lambda: fetched(slow) >= 16, process)
        left = crawlers_of(process.pid)
        assert {*survivors} < {*left}
        process.kill()
        _, err = process.communicate()
    assert err == "trasmallo: a process that crawls died (signal 9), another one goes on with its hosts\n"
    deadline = time.monotonic() + 10
    while any(map(is_crawler, left)):
        assert time.monotonic() < deadline, "a crawling process outlived its coordinator"
    assert trasmallo("run", slow.folder, "--delay", "0", "--quiet") == Done(0, "", "")
    assert results(slow) == results(finished)


def test_crawlers_that_die_again_and_again_end_the_run(slow: Project) -> None:
    with start("run", slow.folder, "--quiet") as process:
        while process.poll() is None:
            for crawler in crawlers_of(process.pid)[-1:]:
                with suppress(ProcessLookupError):
                    os.kill(crawler, signal.SIGKILL)
        _, err = process.communicate()
    assert process.returncode == 1
    assert err.splitlines()[-1] == (
        "trasmallo: processes that crawl die again and again (signal 9): run again; all that was stored is there"
    )

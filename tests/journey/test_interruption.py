"""Runs that are interrupted, killed or watched end like those that are left in peace."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import PROGRAM, Done, fetched, hurried, start, wait_for
from support.killing import check_acknowledged, kill_until_done, results
from support.waiting import until
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.parts import finished_parts
from trasmallo.values.errors import ProjectBusy
from trasmallo.values.model import Drop

Command = Callable[..., Done]


@pytest.fixture
def slow(site: Site, tmp_path: Path) -> Project:
    """A project whose crawl takes long enough to be met at work."""
    return hurried(tmp_path / "project", site.seeds, delay=0.1)


def test_ctrl_c_once_reads_what_is_there_and_twice_ends(slow: Project, finished: Project, trasmallo: Command) -> None:
    with start("run", slow.folder, "--json") as process:
        wait_for(lambda: fetched(slow) >= 12, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    once = slow.summary()
    assert once.state == "stopped"
    assert 12 <= once.pages < len(finished.table("pages"))
    assert once.pages == once.outcomes["fetched"], "what was downloaded is analysed"
    assert slow.status().progress.waiting > 0

    with start("run", slow.folder, "--quiet") as process:
        wait_for(lambda: fetched(slow) >= once.pages + 6, process)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")
    assert slow.status().state == "stopped"
    check_acknowledged(slow)

    assert trasmallo("run", slow.folder, "--delay", "0", "--quiet") == Done(0, "", "")
    assert len(run_folders.find(slow.runs)) == 1, "the same run went on"
    assert results(slow) == results(finished)


def test_others_can_look_and_must_not_touch_while_a_run_goes_on(slow: Project, trasmallo: Command) -> None:
    with start("run", slow.folder, "--quiet") as process:
        wait_for(lambda: fetched(slow) >= 5 and finished_parts(run_folders.latest(slow.runs).parts), process)
        wait_for(lambda: slow.status().outcomes.get("fetched", 0) >= 5, process)
        status = trasmallo("status", slow.folder, "--json").value()
        assert (status["state"], status["process"]) == ("running", process.pid)
        assert status["outcomes"]["fetched"] >= 5
        assert trasmallo("list", slow.folder, "pages", "--json").rows()
        assert trasmallo("incidents", slow.folder, "--json").code == 0
        for verb in (["run", slow.folder], ["clean", slow.folder], ["crawl", "--into", slow.folder]):
            refused = trasmallo(*verb)
            assert refused.code == ProjectBusy.exit_code
            assert refused.refusal() == (
                f"trasmallo: process {process.pid} already works on {slow.folder}: "
                f"wait for it, or stop it with: kill -INT {process.pid}"
            )
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert trasmallo("status", slow.folder, "--json").value()["process"] == 0


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_is_stopped_and_goes_on_loses_nothing(site: Site, tmp_path: Path, finished: Project, processes: int) -> None:
    project = hurried(tmp_path / "project", site.seeds, delay=0.05, processes=processes, lines=4)
    command = [*PROGRAM, "run", str(project.folder), "--quiet"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        for pages in (5, 15, 25):
            wait_for(lambda pages=pages: fetched(project) >= pages, process)  # type: ignore[misc]
            os.killpg(process.pid, signal.SIGSTOP)
            until(lambda: _state(process.pid) == "T", "the process to stand still")
            os.killpg(process.pid, signal.SIGCONT)
        assert (*process.communicate(), process.returncode) == ("", "", 0)
    assert results(project) == results(finished)


def _state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_kills_at_random_moments_change_nothing(unfinished: Project, finished: Project) -> None:
    kills = kill_until_done(unfinished, random.Random(7), longest=2.5, most=3)
    assert kills
    assert results(unfinished) == results(finished)


def test_a_page_fetched_twice_is_studied_once(site: Site, tmp_path: Path) -> None:
    """Killed between a page's row and the frontier's journal, the next session fetches it again."""
    project = hurried(tmp_path, site.seeds, lines=1, pages=8)
    project.crawl()
    run = run_folders.latest(project.runs)
    run.manifest.crawled = False
    run.save()
    assert project.clean().state == "stopped"
    before = results(project)
    shutil.rmtree(run.frontier)
    asyncio.run(EmbeddedFrontier(run.frontier).control(Close()))
    assert project.run().run == run.name
    assert results(project) == before


def test_a_killed_reader_costs_no_document(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path, site.seeds, pages=8)
    project.crawl()
    with start("clean", project.folder, "--json") as process:
        victims: list[int] = []
        wait_for(lambda: victims.extend(_children(process.pid)) or victims, process)
        os.kill(victims[0], signal.SIGKILL)
        out, err = process.communicate()
    summary = Done(process.returncode, out, err).value()
    assert (process.returncode, err, summary["pages"]) == (0, "", 8)
    assert set(summary["dropped"]) <= {Drop.LISTING, Drop.COPY, Drop.NOINDEX}


def _children(process: int) -> list[int]:
    """The reading processes that have begun: they have fallen silent."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in listed if str(Path(f"/proc/{child}/fd/2").readlink()) == os.devnull]


def test_cleaning_an_interrupted_run_leaves_it_to_be_resumed(slow: Project, trasmallo: Command) -> None:
    with start("crawl", "--into", slow.folder, "--quiet") as process:
        wait_for(lambda: fetched(slow) >= 4, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
    cleaned = trasmallo("clean", slow.folder, "--json").value()
    assert (cleaned["state"], cleaned["pages"]) == ("stopped", fetched(slow))
    ran = Project.open(slow.folder, delay=0.0, pages=cleaned["pages"] + 3).run()
    assert (ran.run, ran.state, ran.pages) == (cleaned["run"], "finished", cleaned["pages"] + 3)

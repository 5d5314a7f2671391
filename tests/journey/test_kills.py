"""kill -9 of any process of a run, and of an app that looks on: the tables are those of a run that was left in peace."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.changing_web import ChangingWeb
from support.command_line import start, wait_for
from support.killing import Killer, by_kind, descendants, differences, has_begun, is_alive, tables_of, work_in_spite
from support.waiting import until
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable


@pytest.fixture(scope="module")
def web() -> Iterator[ChangingWeb]:
    with ChangingWeb(40) as web:
        yield web


@pytest.fixture(scope="module")
def quiet(web: ChangingWeb, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A run that was left in peace; tests only read it."""
    project = made(tmp_path_factory.mktemp("quiet") / "p", web)
    project.run()
    return project


def made(folder: Path, web: ChangingWeb) -> Project:
    return Project.new(folder, web.seeds, name="p", delay=0.0, address_delay=0.0, retry_after=0.05, lines=4, processes=2)


def test_kills_of_anybody_leave_the_tables_as_they_are(web: ChangingWeb, quiet: Project, tmp_path: Path) -> None:
    assert {row["url"] for row in quiet.table("pages", columns=["url"])} == web.truth()
    project = made(tmp_path / "p", web)
    killer = Killer(random.Random(5), most=6, kinds=("main", "share", "reader", "converter"))
    again = ("run", project.folder)
    work_in_spite(again, again, killer, longest=1.5)
    assert killer.counts.total()
    assert tables_of(quiet)
    assert differences(quiet, project, times=False) == []


def test_kills_while_pages_are_read_again_leave_every_octet(quiet: Project, tmp_path: Path) -> None:
    shutil.copytree(quiet.folder, tmp_path / "p")
    project = Project.open(tmp_path / "p")
    killer = Killer(random.Random(6), most=5, kinds=("main", "reader", "converter"))
    again = ("clean", project.folder)
    work_in_spite(again, again, killer, longest=1.5)
    assert killer.counts.total()
    assert differences(quiet, project) == []


def test_kills_of_who_follows_a_site_leave_one_entry_and_the_tables(web: ChangingWeb, quiet: Project, tmp_path: Path) -> None:
    project, table = made(tmp_path / "p", web), tmp_path / "timetable.sqlite"
    killer = Killer(random.Random(7), most=4, kinds=("main", "share", "reader"))
    follow = ("follow", project.folder, "--budget", "100", "--timetable", table)
    work_in_spite(follow, follow, killer, longest=1.5)
    work_in_spite(follow, follow, Killer(random.Random(8), most=0), longest=1.5)
    assert killer.counts.total()
    assert differences(quiet, project, times=False) == []
    (entry,) = Timetable(table).entries()
    assert (entry.work, entry.budget) == ("revisit", "100")


def test_nobody_outlives_a_killed_run(web: ChangingWeb, tmp_path: Path) -> None:
    """They are stopped, as if they were busy: none could notice by itself that it is alone."""
    project = made(tmp_path / "p", web)
    with start("run", project.folder, "--delay", "0.5", "--quiet") as process:
        kinds = ("share", "reader", "converter")
        wait_for(lambda: all(any(map(has_begun, by_kind(process.pid)[kind])) for kind in kinds), process)
        children = descendants(process.pid)
        busy = [child for child in children if has_begun(child)]
        for child in busy:
            os.kill(child, signal.SIGSTOP)
        process.kill()
        process.communicate()
    until(lambda: not any(map(is_alive, busy)), "the end of those at work", patience=1.0)
    until(lambda: not any(map(is_alive, children)), "the end of those that were just starting")

"""The pool of opened results: the same one as long as its run is the same, one visit at a time, never more than some."""

from __future__ import annotations

import gc
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support import concordance_run
from support.allocated_memory import IS_TOLD, allocated
from support.runs import make_run
from support.waiting import until
from trasmallo.project.lock import hold
from trasmallo.project.project import Project
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.store import digests, run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError
from trasmallo.web import pool as pools
from trasmallo.web.pool import ResultPool


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project.new(tmp_path / "p", ["http://a.es/"])
    make_run(found.folder)
    return found


def test_a_thing_stays_open_until_its_run_changes(project: Project) -> None:
    pool = ResultPool()
    with pool.tables(project) as first:
        pass
    with pool.tables(project) as second:
        assert second is first
    (run,) = project.runs.iterdir()
    os.utime(run / "run.json", ns=(1, 1))
    with pool.tables(project) as third:
        assert third is not first
        assert third.number("pages") == 30
    pool.close()


def test_a_run_that_goes_on_is_answered_from_what_is_open(project: Project) -> None:
    pool = ResultPool()
    (run,) = project.runs.iterdir()

    def look() -> Tables:
        with pool.tables(project) as tables:
            assert tables.number("pages") == 30
            return tables

    with hold(project.folder):
        first = look()
        list(first.ask("words", Question(limit=1)))
        os.utime(run / "run.json", ns=(1, 1))
        assert look() is first, "the answer is there at once"
        second = until(lambda: found if (found := look()) is not first else None, "the one that is opened meanwhile")
    os.utime(run / "run.json", ns=(2, 2))
    assert look() is not second, "when nobody works on it any more, it is looked at as it is"
    pool.close()


def test_what_is_too_old_is_opened_at_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "OLDEST", 0.0)
    pool = ResultPool()
    (run,) = project.runs.iterdir()
    with hold(project.folder):
        with pool.tables(project) as first:
            pass
        os.utime(run / "run.json", ns=(1, 1))
        with pool.tables(project) as second:
            assert second is not first
    pool.close()


def test_somebody_who_waits_too_long_gets_another(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "PATIENCE", 0.05)
    pool = ResultPool()
    seen: list[object] = []

    def look() -> None:
        with pool.tables(project) as other:
            seen.extend([other, other.number("pages")])

    with pool.tables(project) as mine:
        asker = threading.Thread(target=look)
        asker.start()
        asker.join()
        assert seen[0] is not mine
        assert seen[1] == 30
        assert mine.number("pages") == 30
    pool.close()


def test_only_some_are_open(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST", 1)
    other = Project.new(tmp_path / "q", ["http://a.es/"])
    make_run(other.folder)
    pool = ResultPool()
    with pool.tables(project) as first:
        pass
    with pool.tables(other):
        pass
    with pool.tables(project) as again:
        assert again is not first
    pool.close()


def test_laws_are_computed_once(project: Project) -> None:
    pool = ResultPool()
    with pool.laws(project) as first, pool.laws(project) as second:
        assert second == first
        assert first.documents == 30
    with pytest.raises(UsageError, match="no words"):
        pool.laws(project, language="xx").__enter__()
    with pool.laws(project) as third:
        assert third == first
    pool.close()


def test_runs_without_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no results yet"):
        ResultPool().tables(Project.new(tmp_path / "e", ["http://a.es/"]))


def test_a_finished_run_is_noticed(project: Project) -> None:
    pool = ResultPool()
    with pool.tables(project) as first:
        pass
    (run,) = project.runs.iterdir()
    from trasmallo.store import run_folders

    compile_tables(run_folders.latest(project.runs))
    assert (run / "pages.parquet").exists()
    with pool.tables(project) as second:
        assert second is not first
    pool.close()


def test_nothing_is_left_of_runs_that_are_closed(project: Project) -> None:
    (made,) = run_folders.find(project.runs)
    compile_tables(made, project.config.study)
    digests.seal(made.folder, made.folder.glob("*.parquet"))
    pool = ResultPool()

    def change(number: int) -> None:
        folder = project.runs / f"later-{number:03d}"
        shutil.copytree(made.folder, folder)
        Run(folder, msgspec.structs.replace(made.manifest, name=folder.name, began=1e9 + number, state="finished")).save()
        with pool.tables(project) as tables:
            assert tables.number("pages") == 30
            digests.verify(folder / "pages.parquet")

    def remembered() -> tuple[int, int, int]:
        gc.collect()
        return len(digests._listed), len(digests._verified), sum(isinstance(each, Tables) for each in gc.get_objects())

    for number in range(pools.MOST + 4):
        change(number)
    before = remembered()
    for number in range(pools.MOST + 4, pools.MOST + 34):
        change(number)
    assert remembered() == before
    assert before[2] >= pools.MOST
    pool.close()


def test_what_is_open_of_a_removed_run_is_closed_when_another_is_opened(project: Project, closed: list[Tables]) -> None:
    (made,) = run_folders.find(project.runs)
    later = project.runs / "later"
    shutil.copytree(made.folder, later)
    Run(later, msgspec.structs.replace(made.manifest, name=later.name, began=made.manifest.began + 1)).save()
    pool = ResultPool()
    with pool.tables(project, "later") as of_removed:
        assert of_removed.number("pages") == 30
    shutil.rmtree(later)
    assert of_removed not in closed
    with pool.tables(project) as kept:
        assert of_removed in closed
    with pool.tables(project) as again:
        assert again is kept
        assert kept not in closed
    pool.close()


def test_what_nobody_asks_for_is_closed_when_another_is_opened(project: Project, closed: list[Tables]) -> None:
    (made,) = run_folders.find(project.runs)
    for number, name in enumerate(("later", "latest"), 1):
        shutil.copytree(made.folder, project.runs / name)
        Run(project.runs / name, msgspec.structs.replace(made.manifest, name=name, began=made.manifest.began + number)).save()
    times = [0.0]
    pool = ResultPool(lambda: times[0])

    def look(run: str) -> Tables:
        with pool.tables(project, run) as tables:
            assert tables.number("pages") == 30
            return tables

    first, later = look(made.name), look("later")
    times[0] = pools.IDLE
    assert look("later") is later
    times[0] += 1
    assert first not in closed, "somebody must open another"
    look("latest")
    assert closed == [first]
    assert look("later") is later
    assert look(made.name) is not first, "it is opened again for who asks"
    pool.close()


def test_what_has_answered_many_questions_is_opened_anew(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "WORN", 3)
    pool = ResultPool()

    def look() -> Tables:
        with pool.tables(project) as tables:
            assert tables.number("pages") == 30
            return tables

    first = look()
    assert [look() for _ in range(3)] == [first] * 3
    assert until(lambda: look() is not first, "another one") is True
    with pool.laws(project) as laws:
        pass
    for _ in range(5):
        with pool.laws(project) as again:
            assert again is laws, "what was computed does not wear out"
    pool.close()


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Tables]:
    """The tables that were closed, as they are."""
    found: list[Tables] = []
    as_it_was = Tables.__exit__

    def close(mine: Tables, *how: Any) -> None:
        found.append(mine)
        as_it_was(mine, *how)

    monkeypatch.setattr(Tables, "__exit__", close)
    return found


def test_what_could_not_take_the_place_of_another_is_closed(
    project: Project, closed: list[Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(mine: Tables, other: Tables) -> None:
        raise UsageError("{mine} is not {other}", "none", mine=mine, other=other)

    monkeypatch.setattr(pools, "WORN", 1)
    monkeypatch.setattr(Tables, "prepare_like", refuse)
    pool = ResultPool()

    def look() -> Tables:
        with pool.tables(project) as tables:
            return tables

    first = look()
    until(lambda: look() and closed, "one that was opened in vain")
    assert look() is first
    assert first not in closed
    pool.close()


def test_what_is_used_while_the_pool_is_closed_is_closed_afterwards(project: Project, closed: list[Tables]) -> None:
    pool = ResultPool()
    with pool.tables(project) as tables:
        pool.close()
        assert not closed
        assert tables.number("pages") == 30
    assert closed == [tables]


def test_what_is_opened_while_the_pool_is_closed_is_closed_again(
    project: Project, closed: list[Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def wait(_mine: Tables, _other: Tables) -> None:
        begun.set()
        may_go_on.wait()

    monkeypatch.setattr(pools, "WORN", 1)
    monkeypatch.setattr(Tables, "prepare_like", wait)
    pool = ResultPool()

    def look() -> bool:
        with pool.tables(project):
            return begun.is_set()

    until(look, "another one that is opened")
    pool.close()
    may_go_on.set()
    until(lambda: len(closed) == 2, "both closed")


@pytest.mark.skipif(not IS_TOLD, reason="GNU's C library tells what is allocated")
def test_questions_to_a_concordance_leave_no_memory_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "WORN", 40)
    monkeypatch.setattr(pools, "REST", 0.0)
    project = Project.new(tmp_path / "p", ["http://a.es/"])
    concordance_run.make_run(project.folder)
    pool = ResultPool()

    def ask() -> object:
        with pool.concordance(project) as concordance:
            assert concordance.find("casa").hits
            return concordance

    def after_renewals(number: int) -> int:
        """What is in use when another database has just taken the place of the one before, for so many times."""
        for _ in range(number):
            opened = ask()
            until(lambda old=opened: ask() is not old, "another database")  # type: ignore[misc]
        return allocated()

    before = after_renewals(3)
    grown = (after_renewals(4) - before) / (4 * pools.WORN)
    # Most of what is measured without a leak comes from threads of the moment: 200 alone, 2,200 in a process full of others.
    assert grown < 6_000, "13,000 bytes a question were left where a database stays open"
    pool.close()

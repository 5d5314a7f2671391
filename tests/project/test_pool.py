"""What is lent: the same thing as long as the run is the same, one asker at a time, never more than some."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from support.runs import make_run
from trasmallo.project import pool
from trasmallo.project.pool import Lender
from trasmallo.project.project import Project
from trasmallo.results.tables import compile_tables
from trasmallo.values.errors import UsageError


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project.new(tmp_path / "p", ["http://a.es/"])
    make_run(found.folder)
    return found


def test_a_thing_stays_open_until_its_run_changes(project: Project) -> None:
    lender = Lender()
    with lender.tables(project) as first:
        pass
    with lender.tables(project) as second:
        assert second is first
    (run,) = project.runs.iterdir()
    os.utime(run / "run.json", ns=(1, 1))
    with lender.tables(project) as third:
        assert third is not first
        assert third.number("pages") == 30
    lender.close()


def test_somebody_who_waits_too_long_gets_another(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.05)
    lender = Lender()
    seen: list[object] = []

    def look() -> None:
        with lender.tables(project) as other:
            seen.extend([other, other.number("pages")])

    with lender.tables(project) as mine:
        asker = threading.Thread(target=look)
        asker.start()
        asker.join()
        assert seen[0] is not mine
        assert seen[1] == 30
        assert mine.number("pages") == 30
    lender.close()


def test_only_some_are_open(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST", 1)
    other = Project.new(tmp_path / "q", ["http://a.es/"])
    make_run(other.folder)
    lender = Lender()
    with lender.tables(project) as first:
        pass
    with lender.tables(other):
        pass
    with lender.tables(project) as again:
        assert again is not first
    lender.close()


def test_laws_are_computed_once(project: Project) -> None:
    lender = Lender()
    with lender.laws(project) as first, lender.laws(project) as second:
        assert second == first
        assert first.documents == 30
    with pytest.raises(UsageError, match="no words"):
        lender.laws(project, language="xx").__enter__()
    with lender.laws(project) as third:
        assert third == first
    lender.close()


def test_runs_without_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no results yet"):
        Lender().tables(Project.new(tmp_path / "e", ["http://a.es/"]))


def test_a_finished_run_is_noticed(project: Project) -> None:
    lender = Lender()
    with lender.tables(project) as first:
        pass
    (run,) = project.runs.iterdir()
    from trasmallo.store import run_folders

    compile_tables(run_folders.latest(project.runs))
    assert (run / "pages.parquet").exists()
    with lender.tables(project) as second:
        assert second is not first
    lender.close()

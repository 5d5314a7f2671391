"""The counts of a run, as it told them or as its files hold them; `journey/test_counts.py` has them through every door."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from trasmallo.project.project import Project
from trasmallo.results.run_counts import has_catalog, need_catalog, pages_in_tables, recount, status_now, write_counts
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.run_status import RunCounts


@pytest.fixture
def run(finished: Project, tmp_path: Path) -> Run:
    """A finished run whose status may be changed; its store is that of `finished`."""
    folder = run_folders.latest(finished.runs).folder
    shutil.copytree(folder, tmp_path / "runs" / folder.name)
    return run_folders.latest(tmp_path / "runs")


def test_what_a_run_told_at_its_end_is_what_its_files_hold(run: Run, finished: Project) -> None:
    told = run.status()
    assert told.ended
    assert recount(run, finished.store) == told.counts
    pages, copies = pages_in_tables(run)
    assert (pages[""] - copies, sum(pages.values())) == (told.counts.studied, told.counts.pages)


def test_a_status_that_nobody_finished_is_not_believed_when_nobody_works(run: Run, finished: Project) -> None:
    true = run.status()
    stale = msgspec.structs.replace(true.counts, obtained=1, studied=0, outcomes={"fetched": 1}, known=true.counts.known)
    run.write_status(msgspec.structs.replace(true, counts=stale, ended=False))
    assert status_now(run, finished.store, working=True).counts == stale
    assert status_now(run, finished.store, working=False).counts == true.counts
    write_counts(run, finished.store, anew=True)
    assert run.status().counts == true.counts


def test_a_status_of_an_earlier_version_is_counted_again(run: Run, finished: Project) -> None:
    true = run.status()
    old = RunCounts(known=100, waiting=0, obtained=80, failed=5, studied=73, dropped=7, received=true.counts.received)
    run.write_status(msgspec.structs.replace(true, counts=old, ended=False))
    assert status_now(run, finished.store, working=False).counts == true.counts


def test_a_catalog_that_is_gone_is_told(finished: Project, tmp_path: Path) -> None:
    assert not has_catalog(tmp_path / "nothing")
    shutil.copytree(finished.store / "archive", tmp_path / "store" / "archive")
    with pytest.raises(StoreDamaged, match="the catalog .* is missing"):
        need_catalog(tmp_path / "store")

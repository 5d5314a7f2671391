"""Runs: their names, states and what makes them stale."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec
import pytest

from trasmallo.config import CleanConfig, Config, StudyConfig
from trasmallo.pipeline.staleness import adopt, stale_stage, start_run
from trasmallo.store import run_folders
from trasmallo.values.errors import NoResults, NotFound, ProjectError, StoreDamaged, StoreTooNew
from trasmallo.values.run_status import RunStatus


def test_a_run_is_named_by_project_date_and_time(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(name="mi corpus"), "crawl", "trasmallo/0")
    assert run.folder.parent == tmp_path
    assert re.fullmatch(r"mi-corpus-\d{8}-\d{6}", run.name)


def test_the_workers_of_a_run_have_frontiers_of_their_own_and_their_number_stays(tmp_path: Path) -> None:
    alone = start_run(tmp_path / "a", Config(), "crawl", "trasmallo/0")
    assert (alone.frontier_of(0), alone.traps_of(0)) == (alone.frontier, alone.folder / "traps")
    start_run(tmp_path / "b", Config(), "crawl", "trasmallo/0", processes=3)
    shared = run_folders.latest(tmp_path / "b")
    assert shared.manifest.processes == 3
    assert [shared.frontier_of(worker).name for worker in range(3)] == ["1-of-3", "2-of-3", "3-of-3"]
    assert shared.traps_of(2) == shared.folder / "traps-3-of-3"
    assert shared.robots_of(2) == shared.folder / "rules-3-of-3"


def test_two_runs_in_one_second_have_two_names(tmp_path: Path) -> None:
    names = {start_run(tmp_path, Config(), "crawl", "trasmallo/0").name for _ in range(3)}
    assert len(names) == 3
    assert {run.name for run in run_folders.find(tmp_path)} == names


def test_no_run_begins_before_what_an_earlier_one_has_written(tmp_path: Path) -> None:
    """By its time it would be the older one, and its pages older versions: nothing of it would be shown."""
    earlier = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    earlier.write_status(RunStatus(at=earlier.manifest.began + 3_600))
    with pytest.raises(ProjectError, match=f"but {earlier.name} was written at .*: set the clock"):
        start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    earlier.progress.write_bytes(b"damaged, and no reason to keep anybody from working")
    start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    earlier.manifest.began += 3_600
    earlier.save()
    with pytest.raises(ProjectError, match="the clock says"):
        start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    assert len(run_folders.find(tmp_path)) == 2


def test_a_run_that_is_just_starting_is_none_yet(tmp_path: Path) -> None:
    begun = run_folders.start(tmp_path, "a", "crawl", "trasmallo/0")
    (begun.folder / "run.json.new").write_bytes(b"{")
    assert run_folders.find(tmp_path) == []
    begun.save()
    assert [run.name for run in run_folders.find(tmp_path)] == [begun.name]


def test_the_state_survives(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    assert not run_folders.latest(tmp_path).finished
    run.mark("finished")
    assert run_folders.latest(tmp_path).finished


def test_other_settings_make_results_stale(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    other = msgspec.structs.replace(Config(), clean=CleanConfig(favour=0.9))
    assert not stale_stage(run, Config())
    assert stale_stage(run, other) == "clean"
    adopt(run, other)
    assert not stale_stage(run_folders.latest(tmp_path), other)


def test_study_is_stale_alone_when_only_its_settings_changed(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    assert stale_stage(run, msgspec.structs.replace(Config(), study=StudyConfig(parts=3))) == "study"
    assert stale_stage(run, Config(language="en")) == "study"
    assert stale_stage(run, Config(clean=CleanConfig(workers=3))) == "", "how many do the work changes nothing"
    assert stale_stage(run, Config(clean=CleanConfig(favour=0.9), study=StudyConfig(parts=3))) == "clean", "study needs it"


def test_without_runs_there_is_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NoResults, match="make some with: trasmallo run"):
        run_folders.latest(tmp_path / "runs")


def test_a_later_version_and_damage_are_told(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/9")
    run.manifest.version = run_folders.VERSION + 1
    run.save()
    with pytest.raises(StoreTooNew, match="install that version"):
        run_folders.latest(tmp_path)
    (run.folder / "run.json").write_text("{")
    with pytest.raises(StoreDamaged, match="trasmallo repair DIR$"):
        run_folders.latest(tmp_path)


def test_of_many_runs_only_the_latest_are_named_to_who_asks_for_another(tmp_path: Path) -> None:
    names = [start_run(tmp_path, Config(name="c"), "crawl", "trasmallo/0").name for _ in range(9)]
    with pytest.raises(NotFound) as refused:
        run_folders.named(tmp_path, "nonsense")
    latest = ", ".join(names[1:])
    assert refused.value.repair == f"choose one of {latest} (the latest of 9), or a date like 2026-05-31"


def test_the_lineage_of_a_run_has_those_that_it_takes_in(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    crawl, visit, other = (run_folders.start(runs, "p", kind, "t/0") for kind in ("crawl", "revisit", "crawl"))
    visit.manifest.base = crawl.name
    visit.save()
    last = run_folders.start(runs, "p", "selection", "t/0", base=visit.name)
    last.manifest.takes = (crawl.name, other.name)
    last.save()
    assert run_folders.lineage(last) == [crawl.name, visit.name, other.name, last.name]
    assert run_folders.lineage(visit) == [crawl.name, visit.name]


def test_an_older_run_is_told_of_while_somebody_works_on_it(tmp_path: Path) -> None:
    older, newest = (start_run(tmp_path, Config(), "crawl", "trasmallo/0") for _ in range(2))
    newest.mark("finished")

    def told(*, working: bool, written: dict[str, float]) -> str:
        for run in (older, newest):
            run.progress.unlink(missing_ok=True)
            if run.name in written:
                run.write_status(RunStatus())
                os.utime(run.progress, (written[run.name],) * 2)
        return run_folders.told_of(tmp_path, working=working).name

    assert told(working=True, written={newest.name: 5.0, older.name: 7.0}) == older.name
    assert told(working=True, written={newest.name: 8.0, older.name: 7.0}) == newest.name, "it is studied again"
    assert told(working=True, written={older.name: 7.0}) == newest.name, "it has just begun"
    assert told(working=False, written={newest.name: 5.0, older.name: 7.0}) == newest.name, "the older one was killed"
    older.mark("finished")
    assert told(working=True, written={newest.name: 5.0, older.name: 7.0}) == newest.name

"""Runs in processes of their own."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from support.waiting import until
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.lock import hold
from trasmallo.project.project import Project
from trasmallo.project.timetable.runner import ChildRunner, Ended, _arguments, _refused
from trasmallo.project.timetable.timetable import Timetable, TimetableEntry, Work


def entry(folder: Path, work: Work = "run", budget: str = "") -> TimetableEntry:
    return Timetable(folder.parent / "data" / "timetable.sqlite").add(folder, "every 1h", 0.0, work=work, budget=budget)


def ended(entry: TimetableEntry) -> Ended:
    return until(ChildRunner().start(entry).poll, "the run to end", 60)


def test_a_project_that_is_none_fails_with_the_cause(tmp_path: Path) -> None:
    found = ended(entry(tmp_path / "none"))
    assert found.state == "failed"
    assert "trasmallo.toml" in found.cause


def test_who_works_on_a_project(tmp_path: Path) -> None:
    runner = ChildRunner()
    assert runner.busy(str(tmp_path)) == 0
    with hold(tmp_path):
        assert runner.busy(str(tmp_path)) > 0


def test_how_the_last_run_stands(tmp_path: Path) -> None:
    runner, folder = ChildRunner(), str(tmp_path)
    assert runner.last(folder, 0.0) == Ended("interrupted", "it was not begun")
    run = start_run(tmp_path / "runs", Config(name="p"), "crawl", "test")
    assert runner.last(folder, 0.0) == Ended("interrupted", "its process was killed", run.name)
    assert runner.last(folder, time.time() + 60).cause == "it was not begun"
    run.manifest.ended = "pages"
    run.mark("finished")
    assert runner.last(folder, 0.0) == Ended("finished", "pages", run.name)
    (run.folder / "run.json").write_text("{")
    assert runner.last(folder, 0.0).state == "failed"


def test_the_command_of_an_entry(tmp_path: Path) -> None:
    folder, run = str(tmp_path / "p"), entry(tmp_path / "p")
    assert _arguments(run) == ["run", folder, "--new"]
    assert _arguments(msgspec.structs.replace(run, resume=True)) == ["run", folder]
    assert _arguments(entry(tmp_path / "p", "revisit")) == ["revisit", folder]
    assert _arguments(entry(tmp_path / "p", "revisit", "50/day")) == ["revisit", folder, "--budget", "50/day"]


def test_a_revisit_without_results_fails_with_the_cause(tmp_path: Path) -> None:
    Project.new(tmp_path / "p", ["http://127.0.0.1:1/"])
    found = ended(entry(tmp_path / "p", "revisit"))
    assert (found.state, found.run) == ("failed", "")
    assert "has no results yet" in found.cause


def test_causes_in_one_line() -> None:
    assert _refused(b"", -9) == Ended("failed", "its process ended with signal 9")
    assert _refused(b"warning\nlast words\n", 1) == Ended("failed", "last words")
    told = b'{"error": {"kind": "X", "problem": "the disk is full", "repair": "free some"}}'
    assert _refused(told, 1) == Ended("failed", "the disk is full: free some")


def test_a_revisit_with_nothing_due_is_skipped() -> None:
    told = b'{"error": {"kind": "NothingDue", "problem": "no page is due", "repair": "wait"}}'
    assert _refused(told, 2) == Ended("skipped", "no page was due for a visit")

"""Runs in processes of their own."""

from __future__ import annotations

import time
from pathlib import Path

from support.waiting import until
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.lock import hold
from trasmallo.project.timetable.runner import ChildRunner, Ended, _cause


def ended(folder: Path) -> Ended:
    job = ChildRunner().start(str(folder), new=True)
    return until(job.poll, "the run to end", 60)


def test_a_project_that_is_none_fails_with_the_cause(tmp_path: Path) -> None:
    found = ended(tmp_path / "none")
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


def test_causes_in_one_line() -> None:
    assert _cause(b"", -9) == "its process ended with signal 9"
    assert _cause(b"warning\nlast words\n", 1) == "last words"
    assert (
        _cause(b'{"error": {"kind": "X", "problem": "the disk is full", "repair": "free some"}}', 1)
        == "the disk is full: free some"
    )

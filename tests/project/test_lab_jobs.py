"""Experiments as processes of their own: started, looked at, stopped."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.command_line import hurried
from support.waiting import until
from trasmallo.demo.site import Site
from trasmallo.project.lab import LinesMeasured
from trasmallo.project.lab_jobs import LabState, LabWish, lab_state, start_lab, stop_lab
from trasmallo.project.project import Project
from trasmallo.study.recognition_speed import SpeedPoint
from trasmallo.values.errors import UsageError


def ended(folder: Path, name: str) -> LabState:
    until(lambda: not lab_state(folder, name).running, "the end of the experiment", 120.0)  # type: ignore[arg-type]
    return lab_state(folder, name)  # type: ignore[arg-type]


def test_the_effect_of_lines_is_measured_row_by_row(site: Site, tmp_path: Path) -> None:
    folder = hurried(tmp_path, site.seeds).folder
    assert lab_state(folder, "lines") == LabState()
    process = start_lab(folder, "lines", LabWish(numbers=(1, 2), pages=2))
    with pytest.raises(UsageError, match="this experiment is going on"):
        start_lab(folder, "lines", LabWish())
    state = ended(folder, "lines")
    assert state.job is not None
    assert (state.job.process, state.job.wish.numbers, state.total, state.error) == (process, (1, 2), 2, "")
    rows = [row for row in state.rows if isinstance(row, LinesMeasured)]
    assert [row.lines for row in rows] == [1, 2]
    assert all(0 < row.download <= row.total for row in rows)
    assert not (folder / "runs").exists(), "the project itself is not run"


def test_an_experiment_that_is_stopped_keeps_what_it_measured(site: Site, tmp_path: Path) -> None:
    folder = Project.new(tmp_path / "slow", site.seeds[:1], delay=5.0, sitemaps=False).folder
    with pytest.raises(UsageError, match="does not go on"):
        stop_lab(folder, "lines")
    process = start_lab(folder, "lines", LabWish(numbers=(1, 2, 3)))
    assert lab_state(folder, "lines").running
    until(lambda: (folder / "lab" / "lines.json").exists(), "the job")
    assert stop_lab(folder, "lines") == process
    state = ended(folder, "lines")
    assert (state.running, state.rows, state.total) == (False, (), 3)


def test_the_memory_of_words_is_measured_on_the_latest_run(finished: Project, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / "copy")
    start_lab(tmp_path / "copy", "cache", LabWish(words=2_000))
    state = ended(tmp_path / "copy", "cache")
    points = [row for row in state.rows if isinstance(row, SpeedPoint)]
    assert (len(points), state.error) == (20, "")
    assert points[-1].words == 2_000


def test_an_experiment_that_cannot_be_done_says_why(tmp_path: Path) -> None:
    folder = Project.new(tmp_path / "empty").folder
    start_lab(folder, "lines", LabWish(numbers=(1,)))
    state = ended(folder, "lines")
    assert state.rows == ()
    assert state.error == "the project has no addresses to start from: add some to `seeds` in its file"

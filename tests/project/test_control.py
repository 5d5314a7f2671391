"""Steering a run that another process works on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from support.waiting import until
from trasmallo.crawl.queue_search import QueueAnswer
from trasmallo.project.control import LOG
from trasmallo.project.lock import hold, holder
from trasmallo.project.project import Project
from trasmallo.values.errors import ConfigError, NoResults, ProjectBusy, ProjectError, UsageError


def test_a_run_in_the_background_ends_like_any_other(unfinished: Project) -> None:
    process = unfinished.start()
    assert process > 0
    until(lambda: not holder(unfinished.folder), "the run to end", 90)
    assert unfinished.status().state == "finished"
    assert unfinished.pending() == QueueAnswer()
    removed = unfinished.preview(["palabras", ".pdf$"])
    assert (removed.waiting, removed.stored > 0, removed.complete) == (0, True, True)


def test_what_a_run_that_cannot_start_says(unfinished: Project) -> None:
    path = unfinished.folder / "trasmallo.toml"
    path.write_text(path.read_text().replace('stop = "none"', 'stop = "missing.txt"'))
    with pytest.raises(ProjectError, match="missing.txt") as error:
        unfinished.start()
    assert LOG in error.value.repair


def test_a_project_that_is_moved_away_while_it_starts(unfinished: Project) -> None:
    folder = unfinished.folder

    def move() -> None:
        until(lambda: (folder / LOG).exists(), "the start of the run")
        folder.rename(folder.with_name("elsewhere"))

    mover = threading.Thread(target=move)
    mover.start()
    with pytest.raises(ProjectError, match=str(folder)):
        unfinished.start()
    mover.join()


def test_one_at_a_time(unfinished: Project) -> None:
    with hold(unfinished.folder), pytest.raises(ProjectBusy):
        unfinished.start()


def test_a_revisit_in_the_background_needs_results_and_a_budget(unfinished: Project) -> None:
    with pytest.raises(NoResults, match="has no results yet"):
        unfinished.start_revisit("5")
    with pytest.raises(UsageError, match="is no budget"):
        unfinished.start_revisit("many")


def test_nobody_is_there(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p")
    for steer in (project.stop, project.pause, project.start_import):
        with pytest.raises(UsageError):
            steer()
    with pytest.raises(ConfigError, match="no addresses"):
        project.start()
    assert project.pending() == QueueAnswer()

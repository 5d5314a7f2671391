"""The command of long questions."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Path:
    shutil.copytree(finished.folder, tmp_path / "own")
    return tmp_path / "own"


def test_a_job_is_started_waited_for_listed_and_forgotten(own: Path, trasmallo: Command) -> None:
    assert "there is no job" in trasmallo("jobs", own).out
    found = trasmallo("jobs", own, "--start", "laws", "--option", "language=es", "--wait").value()
    assert found == trasmallo("laws", own, "--language", "es", "--json").value()
    (row,) = trasmallo("jobs", own, "--json").rows()
    assert (row["number"], row["kind"], row["options"], row["state"]) == (1, "laws", "language=es", "finished")
    assert trasmallo("jobs", own, "1").value() == found
    assert "finished" in trasmallo("jobs", own).out
    assert "does not go on" in trasmallo("jobs", own, "1", "--stop").err
    assert "removed" in trasmallo("jobs", own, "1", "--remove").err
    assert trasmallo("jobs", own, "1").code == 2


def test_bad_questions(own: Path, trasmallo: Command) -> None:
    assert "write its number behind the folder" in trasmallo("jobs", own, "--stop").err
    assert "write it like by=lemma" in trasmallo("jobs", own, "--start", "laws", "--option", "x").err
    failed = trasmallo("jobs", own, "--start", "table", "--option", "name=nothing", "--wait")
    assert (failed.code, "mend that and start it again" in failed.err) == (2, True)

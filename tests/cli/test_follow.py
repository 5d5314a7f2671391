"""The command that follows a site; `journey/test_following.py` has the rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from trasmallo.project.project import Project


def test_a_project_with_results_is_followed_as_it_is(finished: Project, tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    done = trasmallo("follow", finished.folder, "--every", "6h", "--timetable", tmp_path / "t.sqlite")
    assert done.code == 0
    assert done.out.strip() == f"{finished.folder} is followed: a revisit every 6h. Next: trasmallo scheduler"

"""The command that freezes results; `results/test_snapshots.py` has the rest."""

from __future__ import annotations

from collections.abc import Callable

from support.command_line import Done
from trasmallo.project.project import Project


def test_nothing_is_frozen_yet(finished: Project, trasmallo: Callable[..., Done]) -> None:
    assert trasmallo("snapshot", finished.folder, "--json").rows() == []
    assert "documents" in trasmallo("snapshot", finished.folder).out
    unknown = trasmallo("snapshot", finished.folder, "tesis", "--cite")
    assert unknown.code == 2
    assert "there is no snapshot 'tesis'" in unknown.err

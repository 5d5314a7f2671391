"""The command that shows and chooses sites; `journey/test_sites_left_out.py` has the rest."""

from __future__ import annotations

from collections.abc import Callable

from support.command_line import Done
from trasmallo.project.project import Project


def test_sites_are_shown(finished: Project, trasmallo: Callable[..., Done]) -> None:
    rows = trasmallo("sites", finished.folder, "--json").rows()
    assert sum(row["pages"] for row in rows) == len(list(finished.table("pages")))
    shown = trasmallo("sites", finished.folder).out
    assert all(row["host"] in shown for row in rows)


def test_one_thing_at_a_time(finished: Project, trasmallo: Callable[..., Done]) -> None:
    refused = trasmallo("sites", finished.folder, "--take-out", "a.es", "--put-back", "b.es")
    assert refused.code == 2
    assert "exclude each other" in refused.err

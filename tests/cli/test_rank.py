"""The command that ranks documents."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_the_best_documents(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("rank", finished.folder, "--limit", 3)
    assert (done.code, done.err) == (0, "")
    assert "pagerank" in done.out
    assert "documents, " in done.out


@pytest.mark.parametrize(
    ("options", "columns"), [((), "pagerank inlinks url title"), (("--hits",), "authority hub inlinks url title")]
)
def test_figures_for_programs(finished: Project, trasmallo: Command, options: tuple[str, ...], columns: str) -> None:
    rows = list(csv.DictReader(trasmallo("rank", finished.folder, "--format", "csv", *options).out.splitlines()))
    assert list(rows[0]) == columns.split()
    values = [float(row[columns.split()[0]]) for row in rows]
    assert values == sorted(values, reverse=True)


def test_json_agrees_with_the_table(finished: Project, trasmallo: Command) -> None:
    found = trasmallo("rank", finished.folder, "--json").rows()
    best = finished.table("ranks", limit=1)[0]
    assert (found[0]["url"], found[0]["pagerank"]) == (best["url"], best["pagerank"])


def test_what_cannot_be_is_refused(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    assert "no document is about 'zzzz'" in trasmallo("rank", finished.folder, "--topic", "zzzz").refusal()
    assert "--surprise" in trasmallo("rank", finished.folder, "--surprise", "1").refusal()
    assert trasmallo("rank", tmp_path).code == 2

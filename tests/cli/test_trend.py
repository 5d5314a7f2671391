"""The command that shows a word over time."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_a_curve_as_table_rows_and_json(finished: Project, trasmallo: Command) -> None:
    found = trasmallo("trend", finished.folder, "siestabús", "--json").value()
    assert (found["unit"], found["language"], found["by"], found["sites"]) == ("word", "es", "month", 3)
    assert (found["first_seen"], found["by_document"] > 0, found["by_visit"] > 0) == ("2026-05-01", True, True)
    rows = list(csv.DictReader(trasmallo("trend", finished.folder, "siestabús", "--format", "csv").out.splitlines()))
    assert [(row["period"], int(row["tokens"])) for row in rows] == [(one["period"], one["tokens"]) for one in found["periods"]]
    shown = trasmallo("trend", finished.folder, "Siestabús").out
    assert "siestabús (es): 11 occurrences" in shown
    assert "documents dated by themselves" in " ".join(shown.split())
    assert "dated" not in trasmallo("trend", finished.folder, "siestabús", "--quiet").out


def test_python_says_the_same(finished: Project, trasmallo: Command) -> None:
    found = finished.trend("pescar", unit="lemma", by="week")
    told = trasmallo("trend", finished.folder, "pescar", "--lemma", "--by", "week", "--json").value()
    assert (found.count, len(found.periods)) == (told["count"], len(told["periods"]))


def test_a_trend_that_is_tested_is_told(finished: Project, trasmallo: Command) -> None:
    (row, *_) = finished.table("trends_by_week", where=["z>0"], limit=1)
    shown = " ".join(trasmallo("trend", finished.folder, str(row["word"]), "--by", "week").out.split())
    assert f"z +{row['z']:.2f}" in shown


def test_a_picture(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    done = trasmallo("trend", finished.folder, "siestabús", "--plot", tmp_path / "a.svg")
    assert (done.code, done.err) == (0, f"drawn in {tmp_path / 'a.svg'}\n")
    assert (tmp_path / "a.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("nadanadanada",), "the run has no word 'nadanadanada': see what there is with: trasmallo list DIR words"),
        (("siestabús", "--language", "xx"), "no document with a date has 'siestabús' in 'xx': see the dates with:"),
        (("siestabús", "--by", "year"), "year"),
    ],
)
def test_what_cannot_be_shown(finished: Project, trasmallo: Command, typed: tuple[str, ...], said: str) -> None:
    done = trasmallo("trend", finished.folder, *typed)
    assert done.code == 2
    assert said in done.err

"""The command that shows the laws of a corpus."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_the_summary_names_every_law(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("laws", finished.folder)
    assert (done.code, done.err) == (0, "")
    assert all(name in done.out for name in ("hapax", "Zipf", "Mandelbrot", "Heaps"))


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("zipf", "rank word frequency probability rp"),
        ("shares", "occurrences words expected share predicted"),
        ("growth", "documents words types heaps"),
        ("summary", "law what value"),
    ],
)
def test_tables_as_tsv(finished: Project, trasmallo: Command, table: str, columns: str) -> None:
    done = trasmallo("laws", finished.folder, "--table", table, "--format", "tsv")
    rows = list(csv.DictReader(done.out.splitlines(), dialect="excel-tab"))
    assert list(rows[0]) == columns.split()
    assert len(rows) >= 10


def test_json_agrees_with_the_words_table(finished: Project, trasmallo: Command) -> None:
    laws = trasmallo("laws", finished.folder, "--json").value()
    summary = finished.summary()
    assert (laws["documents"], laws["words"], laws["types"]) == (summary.documents, summary.words, summary.types)
    assert laws["ranks"][0]["word"] == finished.table("words", limit=1)[0]["word"]
    assert laws["growth"][-1]["types"] == laws["types"]


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg "), ("a.png", b"\x89PNG")])
def test_pictures(finished: Project, trasmallo: Command, tmp_path: Path, name: str, start: bytes) -> None:
    done = trasmallo("laws", finished.folder, "--language", "es", "--plot", tmp_path / name)
    assert (done.code, done.err) == (0, f"drawn in {tmp_path / name}\n")
    assert (tmp_path / name).read_bytes().startswith(start)


def test_what_cannot_be_is_refused(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    assert trasmallo("laws", finished.folder, "--plot", tmp_path / "a.gif").refusal().endswith("ends in .svg or .png")
    assert "no words in 'zz'" in trasmallo("laws", finished.folder, "--language", "zz").refusal()
    assert trasmallo("laws", tmp_path).code == 2

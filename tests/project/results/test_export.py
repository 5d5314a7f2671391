"""Results in formats that others read."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import msgspec
import pytest

from trasmallo.errors import StoreFull, UsageError
from trasmallo.project.project import Project


def test_the_same_rows_in_every_format(finished: Project, tmp_path: Path) -> None:
    rows = finished.table("words")
    for kind in ("csv", "jsonl", "parquet"):
        assert finished.export(kind, tmp_path / kind, table="words") == len(rows)
    assert [msgspec.json.decode(line) for line in (tmp_path / "jsonl").read_bytes().splitlines()] == rows
    with (tmp_path / "csv").open(newline="", encoding="utf-8") as file:
        assert [row["word"] for row in csv.DictReader(file)] == [row["word"] for row in rows]
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(tmp_path / "parquet"))
        assert table.columns == list(rows[0])
        assert table.fetchall() == [tuple(row.values()) for row in rows]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv", "jsonl", "parquet"], "no drafts are left"


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_refusals_leave_nothing(finished: Project, tmp_path: Path, kind: str) -> None:
    with pytest.raises(UsageError, match="did you mean 'words'"):
        finished.export(kind, tmp_path / "out", table="wrods")
    with pytest.raises(UsageError, match=r"there is no folder .*: make it, or choose another place$"):
        finished.export(kind, tmp_path / "none" / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_names_the_known_ones(finished: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use one of csv, jsonl, parquet, warc"):
        finished.export("xls", tmp_path / "out")


def test_a_full_disk_is_told(finished: Project, tmp_path: Path) -> None:
    (tmp_path / "out.new").symlink_to("/dev/full")
    with pytest.raises(StoreFull, match="the disk is full"):
        finished.export("jsonl", tmp_path / "out", table="words_by_page")

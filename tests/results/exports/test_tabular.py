"""Results in formats that others read."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import msgspec
import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import StoreFull, UsageError
from trasmallo.values.spreadsheet_cells import REMARK, CellForm, restored


def test_the_same_rows_in_every_format(finished: Project, tmp_path: Path) -> None:
    rows = finished.table("words")
    for kind in ("csv", "tsv", "jsonl", "parquet"):
        assert finished.export(kind, tmp_path / kind, table="words") == len(rows)
    assert [msgspec.json.decode(line) for line in (tmp_path / "jsonl").read_bytes().splitlines()] == rows
    with (tmp_path / "csv").open(newline="", encoding="utf-8") as file:
        assert [restored(row["word"]) for row in csv.DictReader(file)] == [row["word"] for row in rows]
    with (tmp_path / "tsv").open(newline="", encoding="utf-8") as file:
        assert [restored(row["word"]) for row in csv.DictReader(file, delimiter="\t")] == [row["word"] for row in rows]
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(tmp_path / "parquet"))
        assert table.columns == list(rows[0])
        assert table.fetchall() == [tuple(row.values()) for row in rows]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["csv", "csv.meta.json", "jsonl", "jsonl.meta.json", "parquet", "tsv", "tsv.meta.json"], "no drafts are left"


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_conditions_columns_and_order(finished: Project, tmp_path: Path, kind: str) -> None:
    wanted = {"where": ["language=es", "words>100"], "columns": ["url", "title", "text"], "sort": "-words"}
    rows = finished.table("texts", **wanted)
    assert finished.export(kind, tmp_path / "out", table="texts", **wanted) == len(rows) > 3
    with duckdb.connect() as connection:
        read = {"csv": connection.read_csv, "jsonl": connection.read_json, "parquet": connection.read_parquet}[kind]
        found = read(str(tmp_path / "out")).fetchall()
    assert [tuple(value or "" for value in row) for row in found] == [tuple(row.values()) for row in rows]


CELLS = ["=1+1", "+a", "-b", "@c", "\tx", "\rx", "'=q", "gato", "", "-3.5"]


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_cells_that_may_be_formulas_get_an_apostrophe(finished: Project, tmp_path: Path, kind: str) -> None:
    listed = ", ".join(f"({number}, -0.5 * {number}, ?)" for number in range(len(CELLS)))
    with finished.tables() as tables:
        tables.select("SELECT 1 FROM pages")  # a view that was asked for is not made again
        tables.connection.execute(f"CREATE TABLE odd AS SELECT * FROM (VALUES {listed}) t(document, number, url)", CELLS)
        tables.connection.define("CREATE OR REPLACE VIEW pages AS SELECT * FROM odd")
        found = {}
        for form in (CellForm(), CellForm(raw=True), CellForm(bom=True)):
            tables.write("pages", tmp_path / "out", kind, form=form)
            with (tmp_path / "out").open(newline="", encoding="utf-8") as file:
                found[form] = list(csv.reader(file, delimiter="\t" if kind == "tsv" else ","))
    safe, raw, marked = found.values()
    assert [row[0] for row in raw[1:]] == CELLS
    assert [restored(row[0]) for row in safe[1:]] == CELLS
    assert not [row for row in safe[1:] if row[0][:1] in tuple("=+-@\t\r")]
    assert [float(row[1]) for row in safe[1:]] == [-0.5 * number for number in range(len(CELLS))], "numbers stay numbers"
    assert marked[0] == ["\ufeffurl", "number", "document"]
    assert marked[1:] == safe[1:]


def test_the_file_beside_says_what_was_done_to_cells(finished: Project, tmp_path: Path) -> None:
    finished.export("csv", tmp_path / "safe")
    finished.export("csv", tmp_path / "raw", raw=True, bom=True)
    assert msgspec.json.decode((tmp_path / "safe.meta.json").read_bytes())["cells"] == REMARK
    said = msgspec.json.decode((tmp_path / "raw.meta.json").read_bytes())
    assert (said.get("cells"), said["query"]) == (None, "--raw --bom")
    assert (tmp_path / "raw").read_bytes().startswith(b"\xef\xbb\xbftitle,")
    for kind in ("jsonl", "parquet", "tei"):
        with pytest.raises(UsageError, match="is not made for spreadsheets: leave out --raw and --bom"):
            finished.export(kind, tmp_path / "other", bom=True)


def test_parquet_says_where_it_comes_from(finished: Project, tmp_path: Path) -> None:
    finished.export("parquet", tmp_path / "out", table="words", where=["word~'"])
    with duckdb.connect() as connection:
        said = dict(connection.execute("SELECT key, value FROM parquet_kv_metadata(?)", [str(tmp_path / "out")]).fetchall())
    assert said[b"corpus"] == b"demo"
    assert said[b"query"].startswith(b"--table words --where ")
    assert set(said) == {b"corpus", b"run", b"query", b"software", b"date"}


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_refusals_leave_nothing(finished: Project, tmp_path: Path, kind: str) -> None:
    with pytest.raises(UsageError, match="did you mean 'words'"):
        finished.export(kind, tmp_path / "out", table="wrods")
    with pytest.raises(UsageError, match=r"there is no folder .*: make it, or choose another place$"):
        finished.export(kind, tmp_path / "none" / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_names_the_known_ones(finished: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use one of csv, tsv, jsonl, parquet, tei, conllu, vert, warc"):
        finished.export("xls", tmp_path / "out")


def test_a_full_disk_is_told(finished: Project, tmp_path: Path) -> None:
    (tmp_path / "out.new").symlink_to("/dev/full")
    with pytest.raises(StoreFull, match="the disk is full"):
        finished.export("jsonl", tmp_path / "out", table="words_by_page")

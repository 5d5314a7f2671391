"""Pieces of SQL, as DuckDB takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from trasmallo.results.sql import from_json_lines, from_parquet, literal, no_rows, quoted


def answer(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("text", ["red", "o'brien", 'la "red"', "--", ""])
def test_texts_and_names_stay_what_they_are(text: str) -> None:
    assert answer(f"SELECT {literal(text)}") == [(text,)]
    name = text or "empty"
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT 1 AS {quoted(name)}").description[0][0] == name


def test_files_are_tables(tmp_path: Path) -> None:
    kinds = {"word": "VARCHAR", "count": "BIGINT"}
    lines, table = tmp_path / "o'lines.jsonl", tmp_path / "o'table.parquet"
    lines.write_text('{"word":"red","count":2}\n')
    sql = from_json_lines([str(lines)], kinds)
    answer(f"COPY ({sql}) TO {literal(str(table))} (FORMAT parquet)")
    assert answer(sql) == answer(from_parquet(table)) == [("red", 2)]


def test_no_files_are_a_table_without_rows() -> None:
    kinds = {"word": "VARCHAR", "count": "BIGINT"}
    assert from_json_lines([], kinds) == no_rows(kinds)
    assert answer(no_rows(kinds)) == []
    assert [row[:2] for row in answer(f"DESCRIBE {no_rows(kinds)}")] == list(kinds.items())

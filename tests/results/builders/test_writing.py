"""Tables of the tokens as files, and these in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.counted_documents import rows_of, tokens_of
from trasmallo.config import StudyConfig
from trasmallo.results.builders.counts import Source
from trasmallo.results.builders.files import NUMBERED, columns_file, made_numbers, made_rows, rows_file
from trasmallo.results.builders.sequences import COLUMNS, ROWS
from trasmallo.results.builders.writing import make
from trasmallo.results.rows import COMPUTED, WordRow, columns
from trasmallo.store.tokens import Corpus

WORDS = [WordRow(f"{n:016x}", word, 1 + n, n // 2) for n in range(3) for word in ("red", "mar", "pez", "sol", "sal")]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    tokens_of(WORDS).write(tmp_path / "tokens")
    return Source(Corpus.open(tmp_path / "tokens"), StudyConfig(segment_frequency=1, collocation_frequency=1))


def answer(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("table", COMPUTED)
def test_every_table_is_made_with_its_columns(source: Source, tmp_path: Path, table: str) -> None:
    make(table, source, tmp_path)
    assert columns_file(table, tmp_path).exists() == (table in COLUMNS)
    assert rows_file(table, tmp_path).exists() == (table in ROWS)
    described = answer(f"DESCRIBE {made_rows(table, tmp_path)}")
    assert {name: kind for name, kind, *_ in described} == columns(table)


@pytest.mark.parametrize("table", COLUMNS)
def test_what_is_made_of_numbers_has_its_texts(source: Source, tmp_path: Path, table: str) -> None:
    make(table, source, tmp_path)
    assert answer(made_rows(table, tmp_path)) == rows_of(COLUMNS[table](source)) != []


@pytest.mark.parametrize("table", NUMBERED)
def test_numbers_and_texts_are_the_table_again(source: Source, tmp_path: Path, table: str) -> None:
    make(table, source, tmp_path)
    views = dict(made_numbers(table, tmp_path))
    texts = {column: dict(answer(views[f"{table}_{column}"])) for column in NUMBERED[table]}
    names = list(columns(table))
    again = [
        tuple(texts[name][value] if name in texts else value for name, value in zip(names, row, strict=True))
        for row in answer(views[f"{table}_numbers"])
    ]
    assert again == answer(made_rows(table, tmp_path))

"""Tables of the tokens as files, and these in numbers."""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import duckdb
import pytest

from support.counted_documents import rows_of, tokens_of
from trasmallo.config import StudyConfig
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.files import built_numbers, built_rows, columns_file, numbered, rows_file
from trasmallo.results.builders.writing import write_built
from trasmallo.results.registry import FromTokens, Table, find, made_by
from trasmallo.results.tables.words import WordRow
from trasmallo.store.tokens import Corpus

WORDS = [WordRow(f"{n:016x}", word, 1 + n, n // 2, "es") for n in range(3) for word in ("red", "mar", "pez", "sol", "sal")]


@pytest.fixture
def source(tmp_path: Path) -> TokenSource:
    tokens_of(WORDS).write(tmp_path / "tokens")
    return TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(segment_frequency=1, collocation_frequency=1))


def answer(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


TABLES = list(made_by(FromTokens).values())
COLUMNS = ["words_by_page", "words_by_category", "lemmas", "lemmas_by_page", "collocations", "segments_by_page", "sketches"]
"""Tables that are made as columns; the others are made as rows."""


def build(table: Table, source: TokenSource) -> Any:
    """What the builder of a table gives."""
    assert isinstance(table.made, FromTokens)
    return resolve_name(table.made.build)(source)


def stored(table: Table) -> dict[str, str]:
    """The columns that files of a table have: others are computed of these when they are asked for."""
    return {name: kind for name, kind in table.types.items() if name not in table.computed}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_is_made_with_its_columns(source: TokenSource, tmp_path: Path, table: Table) -> None:
    write_built(table, build(table, source), source, tmp_path)
    assert columns_file(table.name, tmp_path).exists() == (table.name in COLUMNS)
    assert rows_file(table.name, tmp_path).exists() == (table.name not in COLUMNS)
    described = answer(f"DESCRIBE {built_rows(table, tmp_path)}")
    assert {name: kind for name, kind, *_ in described} == stored(table)


@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "sketches"])  # these tokens have no categories
def test_what_is_made_of_numbers_has_its_texts(source: TokenSource, tmp_path: Path, name: str) -> None:
    table = find(name)
    write_built(table, build(table, source), source, tmp_path)
    assert answer(built_rows(table, tmp_path)) == rows_of(build(table, source)) != []


@pytest.mark.parametrize("table", [table for table in TABLES if numbered(table)], ids=lambda table: table.name)
def test_numbers_and_texts_are_the_table_again(source: TokenSource, tmp_path: Path, table: Table) -> None:
    write_built(table, build(table, source), source, tmp_path)
    views = dict(built_numbers(table, tmp_path))
    texts = {column: dict(answer(views[f"{table.name}_{column}"])) for column in numbered(table)}
    names = list(stored(table))
    again = [
        tuple(texts[name][value] if name in texts else value for name, value in zip(names, row, strict=True))
        for row in answer(views[f"{table.name}_numbers"])
    ]
    assert again == answer(built_rows(table, tmp_path))


def test_rows_are_written_in_pieces(source: TokenSource, tmp_path: Path) -> None:
    table, written = find("segments"), []
    for at_once in (1_000, 2):
        write_built(table, build(table, source), source, tmp_path, at_once)
        written.append(rows_file("segments", tmp_path).read_bytes())
    assert written[0] == written[1] != b""

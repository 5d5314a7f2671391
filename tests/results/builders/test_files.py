"""How tables of the tokens are read before they are made; `test_making` reads those that are."""

from __future__ import annotations

import duckdb
import pytest

from trasmallo.results.builders.files import NUMBERED, made_numbers, made_rows
from trasmallo.results.rows import COMPUTED, columns


@pytest.mark.parametrize("table", COMPUTED)
def test_what_is_not_made_has_columns_and_no_rows(table: str) -> None:
    with duckdb.connect() as connection:
        assert connection.execute(made_rows(table, None)).fetchall() == []
        described = connection.execute(f"DESCRIBE {made_rows(table, None)}").fetchall()
        assert {name: kind for name, kind, *_ in described} == columns(table)
        for _, sql in made_numbers(table, None):
            assert connection.execute(sql).fetchall() == []


def test_only_some_are_kept_in_numbers() -> None:
    assert {table for table in COMPUTED if list(made_numbers(table, None))} == set(NUMBERED)
    assert [name for name, _ in made_numbers("words_by_page", None)] == [
        "words_by_page_numbers", "words_by_page_document", "words_by_page_word",
    ]  # fmt: skip

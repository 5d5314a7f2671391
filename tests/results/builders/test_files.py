"""How tables of the tokens are read before they are made; `test_compilation` reads those that are."""

from __future__ import annotations

import duckdb
import pytest

from trasmallo.results.builders.files import built_numbers, built_rows, numbered
from trasmallo.results.registry import FromTokens, Table, find, made_by


@pytest.mark.parametrize("table", made_by(FromTokens).values(), ids=lambda table: table.name)
def test_what_is_not_made_has_columns_and_no_rows(table: Table) -> None:
    with duckdb.connect() as connection:
        assert connection.execute(built_rows(table, None)).fetchall() == []
        described = connection.execute(f"DESCRIBE {built_rows(table, None)}").fetchall()
        assert {name: kind for name, kind, *_ in described} == table.types
        for _, sql in built_numbers(table, None):
            assert connection.execute(sql).fetchall() == []


def test_only_some_are_kept_in_numbers() -> None:
    assert [name for name, table in made_by(FromTokens).items() if numbered(table)] == ["words_by_page", "lemmas_by_page"]
    assert [name for name, _ in built_numbers(find("words_by_page"), None)] == [
        "words_by_page_numbers", "words_by_page_document", "words_by_page_word", "words_by_page_language",
    ]  # fmt: skip

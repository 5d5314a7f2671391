"""Columns of the tables."""

from __future__ import annotations

from trasmallo.results.rows import TABLES, columns


def test_columns_are_the_fields_with_their_sql_types() -> None:
    assert columns("profiles") == {"document": "VARCHAR", "part": "BIGINT", "words": "BIGINT", "new": "BIGINT"}
    assert columns("pages")["at"] == "DOUBLE"


def test_every_table_names_its_document_first() -> None:
    assert {next(iter(columns(table))) for table in TABLES} == {"document"}

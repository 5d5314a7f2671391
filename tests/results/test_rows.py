"""Rows that a run writes."""

from __future__ import annotations

from trasmallo.results.registry import FromParts, find, made_by


def test_columns_are_the_fields_with_their_sql_types() -> None:
    assert find("profiles").types == {"document": "VARCHAR", "part": "BIGINT", "words": "BIGINT", "new": "BIGINT"}
    assert find("pages").types["at"] == "DOUBLE"


def test_every_row_of_a_part_names_its_document_first() -> None:
    assert {next(iter(table.types)) for table in made_by(FromParts).values()} == {"document"}

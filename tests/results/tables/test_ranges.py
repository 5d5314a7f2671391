"""Ranges of pages in other tables; tests/results/builders/test_page_segments.py compares them with the rows."""

from __future__ import annotations

from trasmallo.results.registry import all_tables
from trasmallo.results.tables.ranges import RANGED, RangeRow


def test_every_table_is_in_the_order_of_its_documents() -> None:
    assert all(all_tables()[table].order.startswith("document") for table in RANGED.values())


def test_every_table_has_its_two_columns() -> None:
    fields = set(RangeRow.__struct_fields__)
    assert {f"{name}_{end}" for name in RANGED for end in ("first", "last")} == fields - {"document", "url", "seed"}

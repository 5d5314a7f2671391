"""Rows as files."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.web.files import rows_as_file

values = st.one_of(st.integers(), st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=30))


@given(st.lists(st.tuples(values, values), max_size=30), st.sampled_from(["csv", "tsv"]))
def test_every_value_comes_back(rows: list[tuple[object, object]], kind: str) -> None:
    text = b"".join(rows_as_file(kind, ("a", "b"), rows, "trasmallo list")).decode()
    head, _, rest = text.partition("\n")
    assert head == "# trasmallo list"
    found = list(csv.reader(io.StringIO(rest, newline=""), dialect="excel-tab" if kind == "tsv" else "excel"))
    assert found == [["a", "b"], *([str(one), str(other)] for one, other in rows)]


def test_lines_of_json_and_large_files_in_pieces() -> None:
    pieces = list(rows_as_file("jsonl", ("a", "b"), ((number, "x" * 100) for number in range(2_000)), ""))
    assert 2 < len(pieces) < 10
    assert [json.loads(line)["a"] for line in b"".join(pieces).splitlines()] == list(range(2_000))

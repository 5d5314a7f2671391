"""Rows as files."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.spreadsheet_cells import REMARK, restored
from trasmallo.web.files import FileKind, rows_as_file

values = st.one_of(st.integers(), st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30))


@given(st.lists(st.tuples(values, values), max_size=30), st.sampled_from(["csv", "tsv"]), st.booleans(), st.booleans())
def test_every_value_comes_back(rows: list[tuple[object, object]], kind: str, raw: bool, bom: bool) -> None:
    text = b"".join(rows_as_file(FileKind(kind, raw, bom), ("a", "b"), rows, "trasmallo list")).decode()
    head, _, rest = text.partition("\n")
    assert head == "\ufeff" * bom + ("# trasmallo list" if raw else f"# trasmallo list ({REMARK})")
    found = list(csv.reader(io.StringIO(rest, newline=""), dialect="excel-tab" if kind == "tsv" else "excel"))
    assert found[0] == ["a", "b"]
    pairs = [zip(*pair, strict=True) for pair in zip(found[1:], rows, strict=True)]
    back = [[value if raw else _restored(value, was) for value, was in pair] for pair in pairs]
    assert back == [[str(one), str(other)] for one, other in rows]


def _restored(value: str, was: object) -> str:
    return restored(value) if isinstance(was, str) else value


def test_the_command_line_gives_the_same_file() -> None:
    assert FileKind("tsv", raw=True, bom=True).options == ("--format", "tsv", "--raw", "--bom")
    assert FileKind("jsonl", raw=True).options == ("--format", "jsonl")


def test_lines_of_json_and_large_files_in_pieces() -> None:
    pieces = list(rows_as_file(FileKind("jsonl"), ("a", "b"), ((number, "x" * 100) for number in range(2_000)), ""))
    assert 2 < len(pieces) < 10
    assert [json.loads(line)["a"] for line in b"".join(pieces).splitlines()] == list(range(2_000))

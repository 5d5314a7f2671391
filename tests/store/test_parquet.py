"""Tables of numbered texts in Parquet, as DuckDB reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store import parquet
from trasmallo.store.parquet import ParquetWriter, listed

TEXTS = ["", "a", "canción", "red", "日本"]

rows = st.lists(
    st.tuples(
        st.integers(0, len(TEXTS) - 1),
        st.integers(-(1 << 31), (1 << 31) - 1),
        st.one_of(st.integers(0, 3), st.integers(-(1 << 63), (1 << 63) - 1)),
        st.floats(allow_nan=False),
    ),
    max_size=40,
)


def read(path: Path) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchall()


def write(path: Path, given_rows: list[tuple[Any, ...]], *, at_once: int = 7, small: bool = True) -> None:
    columns: dict[str, Any] = {"text": listed(TEXTS), "small": np.int32, "whole": np.int64, "real": np.float64}
    with ParquetWriter(path, columns, small=small) as writer:
        for begin in range(0, len(given_rows), at_once):
            values = zip(*given_rows[begin : begin + at_once], strict=True)
            kinds: list[Any] = [np.uint32, np.int32, np.int64, np.float64]
            writer.append([np.array(column, dtype=kind) for column, kind in zip(values, kinds, strict=True)])


@settings(max_examples=50, deadline=None)
@given(rows, st.booleans())
def test_what_is_written_is_read_in_its_order(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[Any, ...]], small: bool
) -> None:
    path = tmp_path_factory.mktemp("drawn") / "table.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROWS_TOGETHER", 16)
        write(path, drawn, small=small)
    assert read(path) == [(TEXTS[text], *numbers) for text, *numbers in drawn]


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    write(tmp_path / "table.parquet", [])
    with duckdb.connect() as connection:
        described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(tmp_path / "table.parquet")]).fetchall()
    assert [row[:2] for row in described] == [
        ("text", "VARCHAR"), ("small", "INTEGER"), ("whole", "BIGINT"), ("real", "DOUBLE"),
    ]  # fmt: skip


@pytest.mark.parametrize("distinct", [2, 256, 257, 65_536, 65_537])
def test_places_take_as_many_bytes_as_they_need(tmp_path: Path, distinct: int) -> None:
    numbers = np.arange(distinct + 3) % distinct
    path = tmp_path / "table.parquet"
    with ParquetWriter(path, {"text": listed([f"{number:06}" for number in range(distinct)])}) as writer:
        writer.append([numbers])
    assert [int(text) for (text,) in read(path)] == numbers.tolist()


def test_groups_are_passed_over_by_their_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_TOGETHER", 2)
    path = tmp_path / "table.parquet"
    write(path, [(1, -5, 9, 0.5), (3, 7, 1 << 40, -2.5), (4, 1, 1, 1.0)])
    with duckdb.connect() as connection:
        sql = "SELECT path_in_schema, stats_min_value, stats_max_value FROM parquet_metadata(?) WHERE row_group_id = 0"
        ends = {name: found for name, *found in connection.execute(sql, [str(path)]).fetchall()}
    assert ends == {"text": ["a", "red"], "small": ["-5", "7"], "whole": ["9", str(1 << 40)], "real": ["-2.5", "0.5"]}


def test_what_shall_be_small_is_compressed(tmp_path: Path) -> None:
    for small in (True, False):
        write(tmp_path / str(small), [(number % 2, number, number, 0.0) for number in range(1_000)], small=small)
    assert (tmp_path / "True").stat().st_size * 2 < (tmp_path / "False").stat().st_size


def test_halves_of_pairs_become_question_marks(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    with ParquetWriter(path, {"text": listed(["a\ud800b"])}) as writer:
        writer.append([np.zeros(1, dtype=np.uint32)])
    assert read(path) == [("a?b",)]


def test_a_table_that_was_cut_short_is_none(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    with pytest.raises(KeyboardInterrupt), ParquetWriter(path, {"whole": np.int64}) as writer:
        writer.append([np.arange(3)])
        raise KeyboardInterrupt
    with pytest.raises(duckdb.Error):
        read(path)

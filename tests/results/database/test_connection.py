"""Connection: memory that is raised once, rows some at a time, and errors in our words; the rest is in test_tables.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.results.database.connection import Connection
from trasmallo.values.errors import StoreError, StoreFull, UsageError

SORTED = "SELECT range AS number FROM range(200000) ORDER BY hash(range) DESC"


def test_what_does_not_fit_gets_more_memory(tmp_path: Path) -> None:
    with_little = Connection(tmp_path, lambda: None, frugal=True, little_memory="1MB")
    assert len(with_little.select(SORTED)) == 200_000
    with_little.close()


def test_what_never_fits_is_told(tmp_path: Path) -> None:
    short = Connection(tmp_path, lambda: None, frugal=True, memory="1MB", little_memory="1MB")
    with pytest.raises(StoreError, match="does not fit in 1MB"):
        short.select(SORTED)
    short.close()


def test_rows_come_some_at_a_time(tmp_path: Path) -> None:
    connection = Connection(tmp_path, lambda: None)
    assert list(connection.stream("SELECT range FROM range(5)", at_once=2)) == [(number,) for number in range(5)]


def test_a_number_and_a_text_do_not_compare(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="compares a number with a text"):
        Connection(tmp_path, lambda: None).select("SELECT 1 WHERE 1 > ?::INTEGER", ["many"])


def test_a_full_disk_is_no_damage() -> None:
    connection = Connection(Path(), lambda: None)
    with pytest.raises(StoreFull, match="cannot write /dev/full: the disk is full"):
        connection.define("COPY (SELECT range FROM range(3000000)) TO '/dev/full' (FORMAT csv)")

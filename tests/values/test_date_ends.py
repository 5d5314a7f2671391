"""The last moment of dates."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from trasmallo.values.date_ends import checked_end, end_of, is_written_as_date
from trasmallo.values.errors import UsageError


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2026", (2026, 12, 31, 23, 59, 59)),
        ("2026-02", (2026, 2, 28, 23, 59, 59)),
        ("2026-12", (2026, 12, 31, 23, 59, 59)),
        (" 2024-02-29 ", (2024, 2, 29, 23, 59, 59)),
        ("2026-11-16T09:30", (2026, 11, 16, 9, 30, 59)),
        ("2026-11-16 09:30:05Z", (2026, 11, 16, 9, 30, 5)),
    ],
)
def test_the_end_of_what_is_named(text: str, last: tuple[int, int, int, int, int, int]) -> None:
    found = end_of(text)
    assert found is not None
    assert int(found) == datetime(*last, tzinfo=UTC if "Z" in text else None).timestamp()


def test_what_is_typed_is_the_time_of_the_place_as_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    assert end_of("2026-11-16T21:30:05") == end_of("2026-11-17T02:30:05Z")
    assert end_of("2026-11-16") == end_of("2026-11-17T04:59:59Z")
    assert end_of("2026-03") == end_of("2026-04-01T03:59:59Z")
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    "text", ["", "p-20261116-093000", "2026-13", "2026-02-30", "2026-11-16T25:00", "16/11/2026", "20261116", "0000", "9999"]
)
def test_what_is_no_date(text: str) -> None:
    assert end_of(text) is None


@pytest.mark.parametrize("text", ["nonsense", "2026-02-31", "", "2026-13"])
def test_what_is_no_date_is_refused_with_the_repair(text: str) -> None:
    with pytest.raises(UsageError, match="is no date: write it like 2026"):
        checked_end(text)
    assert is_written_as_date(text) == (text.startswith("2026"))

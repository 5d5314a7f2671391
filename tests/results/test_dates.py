"""Moments as texts."""

from __future__ import annotations

import time

import pytest

from trasmallo.results.dates import iso, local, with_dates, with_iso

MOMENT = 1_794_884_141.5


def test_moments_are_iso_for_programs_and_local_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Madrid")
    time.tzset()
    assert (iso(MOMENT), local(MOMENT)) == ("2026-11-17T02:55:41Z", "2026-11-17 03:55")
    monkeypatch.undo()
    time.tzset()


def test_an_unknown_moment_is_empty() -> None:
    assert [iso(None), iso(0.0), local(None), local(0.0)] == [""] * 4


def test_only_moments_change() -> None:
    columns, rows = ("word", "first_at", "count"), [("casa", MOMENT, 3), ("mar", None, 4)]
    assert list(with_dates(columns, rows)) == [("casa", "2026-11-17T02:55:41Z", 3), ("mar", "", 4)]


def test_moments_anywhere_in_a_value_change_and_spans_do_not() -> None:
    value = {"at": MOMENT, "lines": [{"since": 0.0, "until": 12.5, "speed": MOMENT}], "ended": "stopped", "due": None}
    assert with_iso(value) == {
        "at": "2026-11-17T02:55:41Z",
        "lines": [{"since": "", "until": 12.5, "speed": MOMENT}],
        "ended": "stopped",
        "due": None,
    }

"""Moments as texts."""

from __future__ import annotations

import math
import time

import msgspec
import pytest

from trasmallo.results.dates import as_told, iso, last_moment, local, with_dates, with_iso
from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message


class Visit(msgspec.Struct):
    at: float
    seconds: float
    cause: Message


MOMENT = 1_794_884_141.5


def test_moments_are_iso_for_programs_and_local_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Madrid")
    time.tzset()
    assert (iso(MOMENT), local(MOMENT)) == ("2026-11-17T02:55:41Z", "2026-11-17 03:55")
    assert local(MOMENT, seconds=True) == "2026-11-17 03:55:41"
    monkeypatch.undo()
    time.tzset()


def test_an_unknown_moment_is_empty() -> None:
    assert [iso(None), iso(0.0), local(None), local(0.0)] == [""] * 4


def test_only_moments_change() -> None:
    columns, rows = ("word", "first_at", "count"), [("casa", MOMENT, 3), ("mar", None, 4)]
    assert list(with_dates(columns, rows)) == [("casa", "2026-11-17T02:55:41Z", 3), ("mar", "", 4)]


def test_what_no_calendar_can_write_stays() -> None:
    for never in (math.inf, -math.inf, 1e18, 253_402_300_800.0):
        assert with_iso({"until": never, "published": never}) == {"until": never, "published": never}
    assert with_iso({"until": 253_402_300_799.0}) == {"until": "9999-12-31T23:59:59Z"}


def test_documents_may_be_older_than_computers_clocks() -> None:
    assert with_iso({"published": -86_400.0, "until": -86_400.0}) == {"published": "1969-12-31T00:00:00Z", "until": -86_400.0}


def test_moments_anywhere_in_a_value_change_and_spans_do_not() -> None:
    value = {"at": MOMENT, "lines": [{"since": 0.0, "until": 12.5, "speed": MOMENT}], "ended": "stopped", "due": None}
    assert with_iso(value) == {
        "at": "2026-11-17T02:55:41Z",
        "lines": [{"since": "", "until": 12.5, "speed": MOMENT}],
        "ended": "stopped",
        "due": None,
    }


def test_rows_have_the_names_of_their_columns() -> None:
    value = {"columns": ["word", "at", "count"], "rows": [["casa", MOMENT, 3], ["mar", None, 4]]}
    assert with_iso(value) == {
        "columns": ["word", "at", "count"],
        "rows": [["casa", "2026-11-17T02:55:41Z", 3], ["mar", None, 4]],
    }
    assert with_iso({"columns": ["at"], "rows": [[MOMENT, 1.0]]}) == {"columns": ["at"], "rows": [[MOMENT, 1.0]]}
    assert with_iso({"columns": ["at"], "rows": 7}) == {"columns": ["at"], "rows": 7}


def test_a_struct_is_told_as_text_and_numbers() -> None:
    shown = Visit(at=MOMENT, seconds=MOMENT, cause=Message("{host} is away", host="a.example"))
    assert as_told([shown]) == [{"at": "2026-11-17T02:55:41Z", "seconds": MOMENT, "cause": "a.example is away"}]


def test_what_was_told_can_be_asked_for() -> None:
    assert MOMENT <= last_moment(iso(MOMENT)) < MOMENT + 1
    assert last_moment(str(MOMENT)) == MOMENT
    assert last_moment("") == 0.0
    with pytest.raises(UsageError, match="there is no moment 2026-99-99"):
        last_moment("2026-99-99T00:00:00Z")

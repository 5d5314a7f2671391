"""Times in rows of results: seconds since 1970 in Python, ISO 8601 for programs and in files, local and short for people."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from trasmallo.values.errors import UsageError

TIMES = frozenset({"at", "first_at", "since", "due", "lease", "published", "updated"})
"""Columns that hold a moment, in every table."""

MOMENTS = TIMES | {"began", "ended", "seen", "until", "again_at", "made"}
"""The same, and what structs call one."""

_EARLIEST = 1e8
"""Seconds: a moment is after 1973; what is shorter and has such a name is a span of time."""

_YEAR_1, _YEAR_10000 = -62_135_596_800.0, 253_402_300_800.0
"""Seconds between which a calendar can write a moment: what is beyond is "for ever", or nonsense of a page."""

_OF_DOCUMENTS = frozenset({"published", "updated"})
"""Moments that documents tell: also those before 1973, and never a span."""

ISO = "%Y-%m-%dT%H:%M:%SZ"
"""How a moment is written in files, in UTC."""

_NEARLY_A_SECOND = 0.999999  # what `iso` leaves out

BY_DOCUMENT, BY_VISIT = "document", "first visit"
"""Origins of a document's date, as `date_origin` tells them; "" where there is no date."""

_Value = TypeVar("_Value")


def iso(at: float | None) -> str:
    """A moment as 2026-11-16T12:34:56Z; "" for none."""
    return datetime.fromtimestamp(at, UTC).strftime(ISO) if at else ""


def last_moment(text: str) -> float:
    """The last moment that a text names, seconds since 1970 or what `iso` writes; 0 for "". Raises UsageError."""
    if not text.endswith("Z"):
        return float(text or 0)
    try:
        return datetime.strptime(text, ISO).replace(tzinfo=UTC).timestamp() + _NEARLY_A_SECOND
    except ValueError:
        raise UsageError("there is no moment {text}", "write it like 2026-11-16T12:34:56Z", text=text[:40]) from None


def as_told(value: object) -> object:
    """A value as every door tells it to programs: what JSON knows, moments in ISO 8601, sentences as texts."""
    return with_iso(msgspec.to_builtins(value, enc_hook=str))  # sentences know how they were made


def with_iso(value: object) -> object:
    """A value made of dictionaries and lists, such as `msgspec.to_builtins` gives, whose moments are texts.

    Lists called `rows` beside others called `columns` have their names from these.
    """
    if isinstance(value, dict):
        told = {name: _told(name, inner) for name, inner in value.items()}
        return told | _told_rows(value.get("columns"), value.get("rows"))
    return [with_iso(inner) for inner in value] if isinstance(value, list | tuple) else value


def _told(name: object, value: object) -> object:
    return iso(value) if isinstance(value, float) and _is_moment(name, value) else with_iso(value)


def _told_rows(columns: object, rows: object) -> dict[str, object]:
    if not isinstance(columns, list | tuple) or not isinstance(rows, list | tuple):
        return {}
    if not all(isinstance(row, list | tuple) and len(row) == len(columns) for row in rows):
        return {}
    return {"rows": [[_told(name, cell) for name, cell in zip(columns, row, strict=True)] for row in rows]}


def _is_moment(name: object, value: float) -> bool:
    if name not in MOMENTS or not _YEAR_1 <= value < _YEAR_10000:
        return False
    return value == 0.0 or value >= _EARLIEST or name in _OF_DOCUMENTS


def local(at: float | None, *, seconds: bool = False) -> str:
    """A moment as 2026-11-16 12:34, where the program runs, with its `seconds` by choice; "" for none.

    People read this in every table of the command line and of the app, programs read `iso`.
    """
    return time.strftime("%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M", time.localtime(at)) if at else ""


def with_dates(
    columns: Sequence[str], rows: Iterable[Sequence[_Value]], written: Callable[[float | None], str] = iso
) -> Iterator[tuple[_Value | str, ...]]:
    """Rows whose moments are texts."""
    places = {place for place, name in enumerate(columns) if name in TIMES}
    for row in rows:
        yield tuple(written(value) if place in places else value for place, value in enumerate(row))  # type: ignore[arg-type]

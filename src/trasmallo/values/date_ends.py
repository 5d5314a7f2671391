"""Dates as people type them, as the last moment that they mean.

They are those of the place where the program runs, as it shows them; one that ends with Z is in UTC, as files and JSON have it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from trasmallo.values.errors import UsageError

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?(Z)?)?)?)?")

_FIRST = ("0", "1", "1", "0", "0", "0")
"""What the first moment of a year has where nothing more is said."""


def end_of(text: str) -> float | None:
    """The last moment of a year, month, day, minute or second (2026, 2026-11, 2026-11-16, 2026-11-16T09:30).

    In seconds since 1970; None when it is no date.
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    *parts, is_utc = found.groups()
    given = [part for part in parts if part is not None]
    year, month, day, hour, minute, second = (int(part) for part in (*given, *_FIRST[len(given) :]))
    try:
        begin = datetime(year, month, day, hour, minute, second, tzinfo=UTC if is_utc else None)
        return (_next(begin, len(given)) - timedelta(microseconds=1)).timestamp()
    except (ValueError, OverflowError):
        return None


def is_written_as_date(text: str) -> bool:
    """Whether a text has the form of a date, be there such a day or not."""
    return _DATE.fullmatch(text.strip()) is not None


def checked_end(text: str) -> float:
    """The same moment; raises UsageError for what is no date."""
    moment = end_of(text)
    if moment is None:
        raise UsageError("{text!r} is no date", "write it like 2026, 2026-05 or 2026-05-31", text=text[:80])
    return moment


def _next(begin: datetime, parts: int) -> datetime:
    """The beginning of the year, month, day, minute or second after one that was given with so many parts."""
    if parts == 1:
        return begin.replace(year=begin.year + 1)
    if parts == 2:
        return (begin + timedelta(days=31)).replace(day=1)
    return begin + {3: timedelta(days=1), 5: timedelta(minutes=1), 6: timedelta(seconds=1)}[parts]

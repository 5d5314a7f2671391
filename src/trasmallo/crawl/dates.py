"""Dates as sitemaps, feeds and headers write them, read leniently."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_YEAR_MONTH = re.compile(r"(\d{4})(?:-(\d{1,2}))?")
_HTTP = re.compile(r"[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_W3C = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[Tt\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?"
    r"\s*(?:(?P<zulu>Z|z|UTC|GMT)|(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2})?)?"
)


def parse_date(text: str) -> float | None:
    """Seconds since 1970 of a date in a W3C, ISO 8601, RFC 822 or RFC 850 form; None when it is no date.

    Without a time zone it is UTC; without a day, the first of the month or year.
    """
    text = text.strip()
    if not text or len(text) > 100:
        return None
    if found := _HTTP.fullmatch(text):
        return _parse_http_date(found)
    try:
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return _parse_w3c(text) if text[:4].isdigit() else _parse_mail_date(text)


def _parse_http_date(found: re.Match[str]) -> float | None:
    """What servers write (RFC 9110, section 5.6.7): read in a tenth of the time that a date of mail takes."""
    day, month, year, hour, minute, second = found.groups()
    try:
        begin = datetime(int(year), _MONTHS.index(month) + 1, int(day), int(hour), int(minute), tzinfo=UTC)
        return begin.timestamp() + int(second)
    except (ValueError, OverflowError):
        return None


def _parse_w3c(text: str) -> float | None:
    try:
        if short := _YEAR_MONTH.fullmatch(text):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC).timestamp()
        if not (found := _W3C.fullmatch(text)):
            return None
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
        shift = (int(found["hours"] or 0) * 60 + int(found["minutes"] or 0)) * (-60 if found["sign"] == "-" else 60)
        # A leap second and the midnight at a day's end are written, though no clock of ours shows them.
        at = datetime(year, month, day, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None
    return at + hour * 3600 + minute * 60 + second - shift if hour <= 24 and minute < 60 and second <= 60 else None


def _parse_mail_date(text: str) -> float | None:
    from email.utils import mktime_tz, parsedate_tz  # costs more to import than this module

    try:
        parts = parsedate_tz(text)
        return None if parts is None else float(mktime_tz(parts))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None

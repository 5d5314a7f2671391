"""Dates as pages write them, in ISO 8601: a day ("2024-05-17"), or a moment when the page gives the time too."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib import resources

_YEARS = range(1000, 2101)
"""Years of a document's date; what is beyond is a mistake."""
_LONGEST = 200
"""Characters in which a date is looked for. Judgement: no date is longer."""
_ISO = re.compile(
    r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ]\s?(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s?(Z|[+-]\d{2}:?\d{2})?)?"
)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?:T?\d{6}Z?)?(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)")
_MAIL = re.compile(r"[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}")
_EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:º|er|st|nd|rd|th|\.)?\s+(?:de\s+|d'|of\s+)?([^\W\d_]{3,})\.?,?\s+(?:de\s+|del\s+)?(\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")


@cache
def _months() -> dict[str, int]:
    """The number of each month's name, whole and in three letters where these tell."""
    names: dict[str, list[str]] = json.loads(resources.files(__package__).joinpath("months.json").read_text("utf-8"))
    numbers = {name[:3]: month for name, month in _numbered(names["en"])}
    for months in names.values():
        numbers |= dict(_numbered(months))
    return numbers


def _numbered(months: list[str]) -> list[tuple[str, int]]:
    return [(name, number) for number, name in enumerate(months, 1)]


def iso_date(text: str, language: str = "") -> str:
    """The first date in a text, "" without a valid one; in English 3/4 is the fourth of March, elsewhere the third of April."""
    text = " ".join(text[:_LONGEST].split())
    return _moment(text) or _from_mail(text) or _numeric(text, language) or _spelled(text.lower())


def _moment(text: str) -> str:
    found = _ISO.search(text)
    if not found:
        return ""
    day, clock, zone = _day(found[1], found[2], found[3]), found[4], found[5] or ""
    if not day or not clock:
        return day
    zone = "+00:00" if zone == "Z" else zone if ":" in zone or not zone else f"{zone[:3]}:{zone[3:]}"
    try:
        return datetime.fromisoformat(f"{day}T{clock}{zone}").isoformat()
    except ValueError:
        return day


def _from_mail(text: str) -> str:
    """A date as mail and HTTP write it."""
    try:
        return parsedate_to_datetime(text).isoformat() if _MAIL.match(text) else ""
    except (ValueError, OverflowError):
        return ""


def _numeric(text: str, language: str) -> str:
    for pattern in (_YEAR_FIRST, _EAST_ASIAN, _COMPACT):
        if (found := pattern.search(text)) and (day := _day(found[1], found[2], found[3])):
            return day
    if found := _YEAR_LAST.search(text):
        one, other, year = found.groups()
        usual, unusual = _day(year, other, one), _day(year, one, other)
        return (unusual or usual) if language == "en" and "/" in found[0] else (usual or unusual)
    return ""


def _spelled(text: str) -> str:
    months = _months()
    for pattern, day, month in ((_DAY_FIRST, 1, 2), (_MONTH_FIRST, 2, 1)):
        for found in pattern.finditer(text):
            if found[month] in months and (iso := _day(found[3], str(months[found[month]]), found[day])):
                return iso
    return ""


def _day(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat() if int(year) in _YEARS else ""
    except ValueError:
        return ""

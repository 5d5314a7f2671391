"""Dates in addresses, in the forms that calendars write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache

import msgspec

from trasmallo.crawl.traps.parameters import last_word, split, table

_DASHED = re.compile(r"/(\d{4})-(\d{2})(?:-(\d{2}))?(?=[/.]|$)")
_TURNED = re.compile(r"/(\d{1,2})-(\d{1,2})-(\d{4})(?=[/.]|$)")
_SLASHED = re.compile(r"/(\d{4})/(\d{1,2})(?:/(\d{1,2}))?(?=[/.]|$)")
_SOLID = re.compile(r"/(\d{4})(\d{2})(\d{2})(?=[/.]|$)")
_WEEK = re.compile(r"/(\d{4})[-/]?(?:[Ww]|week/|semana/)(\d{1,2})(?=[/.]|$)")
_VALUE = re.compile(r"(\d{4})(?:-|%2F|/)?(\d{2})(?:(?:-|%2F|/)?(\d{2}))?(?:[T+%].*)?", re.IGNORECASE)
_TURNED_VALUE = re.compile(r"(\d{1,2})(?:-|%2F|/|\.)(\d{1,2})(?:-|%2F|/|\.)(\d{4})", re.IGNORECASE)
_EPOCH = re.compile(r"\d{10}")


class Moment(msgspec.Struct, frozen=True):
    """A date in an address.

    `day` counts days of the common era; `unit` is "day", "week", "month" or "year"; `sure` is False where the same digits may
    well be numbers of something else.
    """

    day: int
    unit: str
    text: str
    sure: bool


def moment_in(path: str, query: str) -> Moment | None:
    """The first date of an address; None when it has none. A year alone in a path is none: it is a title or a number."""
    return next(_in_query(query), None) or next(_in_path(path), None)


def _in_path(path: str) -> Iterator[Moment]:
    for found in _DASHED.finditer(path):
        yield from _moment(found[1], found[2], found[3])
    for found in _TURNED.finditer(path):
        yield from _moment(found[3], found[2], found[1])
    for found in _SLASHED.finditer(path):
        yield from _moment(found[1], found[2], found[3], sure=found[3] is not None)
    for found in _WEEK.finditer(path):
        yield from _week(found[1], found[2])
    for found in _named_month().finditer(path):
        yield from _moment(found[1] or found[4], _month_number(found[2] or found[3]), found[5])
    for found in _SOLID.finditer(path):
        yield from _moment(found[1], found[2], found[3], sure=False)


def _in_query(query: str) -> Iterator[Moment]:
    if not query:
        return
    known = table()
    parts: dict[str, str] = {}
    for name, value in split(query):
        word = last_word(name)
        if word in known.date:
            yield from _in_value(value)
        for kind, names in (("year", known.year), ("month", known.month), ("day", known.day)):
            if word in names:
                parts.setdefault(kind, value)
    year, month = parts.get("year", ""), _month_number(parts.get("month", ""))
    if month:
        yield from _moment(year, month, parts.get("day"))
    elif year:
        yield from _moment(year, None, None, sure=False)


def _in_value(value: str) -> Iterator[Moment]:
    if _EPOCH.fullmatch(value):
        day = datetime.fromtimestamp(int(value), UTC).date()
        yield Moment(day.toordinal(), "day", day.isoformat(), True)
    elif found := _VALUE.fullmatch(value):
        yield from _moment(found[1], found[2], found[3])
    elif found := _TURNED_VALUE.fullmatch(value):
        yield from _moment(found[3], found[2], found[1])
    elif found := _WEEK.fullmatch("/" + value):
        yield from _week(found[1], found[2])


def _moment(year: str, month: str | None, day: str | None, *, sure: bool = True) -> Iterator[Moment]:
    """The moment, or nothing for the 31st of February and other numbers that are no date."""
    try:
        there = date(int(year), int(month or 1), int(day or 1))
    except (ValueError, OverflowError):
        return
    unit, length = ("day", 10) if day else ("month", 7) if month else ("year", 4)
    yield Moment(there.toordinal(), unit, there.isoformat()[:length], sure)


def _week(year: str, week: str) -> Iterator[Moment]:
    try:
        there = date.fromisocalendar(int(year), int(week), 1)
    except ValueError:
        return
    yield Moment(there.toordinal(), "week", f"{int(year):04}-W{int(week):02}", True)


def _month_number(text: str) -> str:
    number = table().month_numbers.get(text.lower())
    return str(number) if number else text


@cache
def _named_month() -> re.Pattern[str]:
    names = "|".join(sorted(table().month_numbers, key=len, reverse=True))
    return re.compile(rf"/(?:(\d{{4}})[-/]({names})|({names})[-/_](\d{{4}}))(?:/(\d{{1,2}}))?(?=[/.]|$)", re.IGNORECASE)

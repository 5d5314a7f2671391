"""Times at which something is due: pure arithmetic over seconds since 1970 and time zones.

A time of day is that of the wall clock in a zone. Where daylight saving skips it, it is as much later as the clock was put
forward (02:30 becomes 03:30); where it comes twice, the first one counts. A period is counted from when it was set, so it
never drifts.
"""

from __future__ import annotations

import os
import re
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message

FORMATS = Message("'03:00' (daily), 'mon,thu 04:30', 'mon-fri 22:15' or, once, '2026-12-24 18:00'")
"""How a time is written."""

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""Days of the week, Monday first."""

_SPANISH = ("lun", "mar", "mié", "jue", "vie", "sáb", "dom", "mie", "sab")
_NUMBERS = {name: number for number, name in enumerate(WEEKDAYS)} | dict(
    zip(_SPANISH, (0, 1, 2, 3, 4, 5, 6, 2, 5), strict=True)
)
_DAILY = tuple(range(7))
_CLOCK = re.compile(r"(?:(?P<days>[^\W\d_][\w,-]*)\s+)?(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)")
_ONCE = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})[ T](?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)")
_PERIOD = re.compile(r"(?:(\d{1,4})w)?(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?")
_SECONDS = (604_800, 86_400, 3_600, 60)  # of a week, a day, an hour, a minute
_LONGEST = 366 * 86_400
"""Seconds of the longest period: a leap year. Judgement: who wants more rarely wants no timetable."""


class TimeRule(msgspec.Struct, frozen=True):
    """When something is due: `every` so many seconds, or at a `minute` of the day on some `days` (Monday is 0) or a `date`."""

    every: int = 0
    minute: int = 0
    days: tuple[int, ...] = ()
    date: str = ""

    def __str__(self) -> str:
        """As `parse` reads it."""
        if self.every:
            return f"every {_period(self.every)}"
        clock = f"{self.minute // 60:02}:{self.minute % 60:02}"
        if self.date:
            return f"{self.date} {clock}"
        return clock if self.days == _DAILY else f"{','.join(WEEKDAYS[day] for day in self.days)} {clock}"


def parse(text: str) -> TimeRule:
    """A time or, after the word "every", a period; raises UsageError that shows how they are written."""
    text = text.strip().lower()
    return parse_every(text[6:]) if text.startswith("every ") else parse_at(text)


def parse_at(text: str) -> TimeRule:
    """A time of day, on all or some days or once."""
    text = " ".join(text.lower().split()).removeprefix("daily ")
    if once := _ONCE.fullmatch(text):
        return TimeRule(minute=_minute(once), date=_checked_date(once["date"]))
    found = _CLOCK.fullmatch(text)
    if not found:
        raise UsageError("{text!r} is no time", "write it like {formats}", text=text, formats=FORMATS)
    return TimeRule(minute=_minute(found), days=_days(found["days"]) if found["days"] else _DAILY)


def parse_every(text: str) -> TimeRule:
    """A period of weeks, days, hours and minutes, from a minute to a year."""
    found = _PERIOD.fullmatch("".join(text.lower().split()))
    parts = [int(part or 0) for part in found.groups()] if found else []
    every = sum(number * seconds for number, seconds in zip(parts, _SECONDS, strict=False))
    if not 60 <= every <= _LONGEST:
        raise UsageError("{text!r} is no period", "write it like 30m, 6h, 1d12h or 2w: from a minute to a year", text=text)
    return TimeRule(every=every)


def next_after(rule: TimeRule, after: float, since: float, zone: tzinfo) -> float | None:
    """The first time later than `after` at which a rule set at `since` is due; None when that never comes."""
    if rule.every:
        return since + rule.every * max(1, int((after - since) // rule.every) + 1)
    if rule.date:
        found = _at(date.fromisoformat(rule.date), rule.minute, zone)
        return found if found > after else None
    today = datetime.fromtimestamp(after, zone).date() - timedelta(days=1)
    coming = (today + timedelta(days=number) for number in range(10))
    return min(found for day in coming if day.weekday() in rule.days and (found := _at(day, rule.minute, zone)) > after)


def zone_of(name: str) -> tzinfo:
    """A time zone by its name, "" for that of this machine; raises UsageError for an unknown one."""
    if not name:
        return _local_zone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError("there is no time zone {name!r}", "give a name such as Europe/Madrid or UTC", name=name) from None


def _local_zone() -> tzinfo:
    """The zone that TZ names, else the system's, with its daylight saving; UTC where there is none."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if named:
        try:
            return ZoneInfo(named)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            pass
    try:
        with Path("/etc/localtime").open("rb") as file:
            return ZoneInfo.from_file(file, key="localtime")
    except (OSError, ValueError):
        return ZoneInfo("UTC")


def _at(day: date, minute: int, zone: tzinfo) -> float:
    return datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone).timestamp()


def _minute(found: re.Match[str]) -> int:
    return int(found["hour"]) * 60 + int(found["minute"])


def _checked_date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise UsageError("{text!r} is no day", "write it like {formats}", text=text, formats=FORMATS) from None


def _days(text: str) -> tuple[int, ...]:
    """Days of the week such as "mon,thu" or "mon-fri", also in Spanish."""
    found: set[int] = set()
    for part in text.split(","):
        first, *last = part.split("-", 1)
        ends = [first, *last]
        if not all(day in _NUMBERS for day in ends):
            raise UsageError("{part!r} is no day of the week", "use {weekdays}", part=part, weekdays=", ".join(WEEKDAYS))
        begin, end = _NUMBERS[first], _NUMBERS[ends[-1]]
        found.update(day % 7 for day in range(begin, (end if end >= begin else end + 7) + 1))
    return tuple(sorted(found))


def _period(every: int) -> str:
    text = ""
    for unit, seconds in zip("wdhm", _SECONDS, strict=True):
        number, every = divmod(every, seconds)
        text += f"{number}{unit}" if number else ""
    return text

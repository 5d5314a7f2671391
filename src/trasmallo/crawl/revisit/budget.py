"""How many visits a user allows: so many now, or so many a day."""

from __future__ import annotations

import re

import msgspec

from trasmallo.values.errors import UsageError

_DAY = 86_400.0  # seconds
_WRITTEN = re.compile(r"(\d{1,9})(/day)?")
_LASTING = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([mhd])")
_UNITS = {"m": 60.0, "h": 3_600.0, "d": _DAY}

SHARE, LEAST = 30, 100
"""Without a budget a thirtieth of the collection is visited a day, and a hundred pages at least.

Judgement: at that rate two years of real changes left pages .28 days old on average (`benchmarks/freshness.py`).
"""


class Budget(msgspec.Struct, frozen=True):
    """A number of visits, now or `per_day`."""

    visits: int
    per_day: bool = False

    def due(self, last: float | None, now: float) -> int:
        """Visits that may be made now, when the last were made at a time (None: never); what was left of a day is not saved."""
        if not self.per_day or last is None:
            return self.visits
        return int(self.visits * min(max(now - last, 0.0) / _DAY, 1.0))


def parse_budget(text: str) -> Budget:
    """A budget as it is typed, "500" or "500/day"; raises UsageError."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise UsageError("{text!r} is no budget", "write a number of visits, as 500 or 500/day", text=text[:80])
    return Budget(int(found[1]), per_day=bool(found[2]))


def parse_duration(text: str) -> float:
    """Seconds of a time as it is typed, such as 90m, 12h or 7d; raises UsageError."""
    found = _LASTING.fullmatch(text.strip())
    if found is None or not float(found[1]):
        raise UsageError("{text!r} is no length of time", "write minutes, hours or days, as 90m, 12h or 7d", text=text[:80])
    return float(found[1]) * _UNITS[found[2]]


def usual_budget(pages: int) -> Budget:
    """What is visited where nobody says how much."""
    return Budget(max(LEAST, pages // SHARE), per_day=True)

"""The textbook's figure 3.7 for any rates: how the expected age of a copy grows with the days since its visit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec
import numpy as np

from trasmallo.crawl.revisit.age import expected_age, expected_freshness, mean_age, mean_freshness
from trasmallo.values.drawing import Drawing
from trasmallo.values.drawing.axes import WIDTH, Frame
from trasmallo.values.drawing.shapes import Dot, Path
from trasmallo.values.errors import UsageError

RATES = ("1/7",)
"""The rate of the textbook's figure: one change a week."""

DAYS = (1.0, 3.0, 7.0, 14.0)
"""Days that are told unless others are named: those of the figure, and a second week."""

_WORDS = {"hourly": 24.0, "daily": 1.0, "weekly": 1 / 7, "monthly": 12 / 365.25, "yearly": 1 / 365.25}
_INKS = ("main", "accent", "ink", "other", "heat5", "heat3")
_STEPS = 120  # judgement: points of a curve, of which eye and file have enough
_SIZE = (WIDTH, 420.0)


class AgePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What to expect of a copy so many days after its visit, and on the average if it is visited every so many days.

    `rate` is in changes a day, ages are days; `age` is that of the last moment before the next visit.
    """

    rate: float
    days: float
    age: float
    mean_age: float
    fresh: float
    mean_fresh: float


def parse_rate(text: str) -> float:
    """Changes a day from "1/7", "0.14" or a word such as weekly; raises UsageError for anything else."""
    try:
        rate = _WORDS.get(text.strip().lower()) or float(Fraction(text.strip()))
    except (ValueError, ZeroDivisionError, OverflowError):
        rate = math.nan
    if not 1e-6 <= rate <= 1e6:
        raise UsageError(
            "{text!r} is no rate of change",
            "give changes a day such as 1/7 or 0.5, or one of {words}",
            text=text,
            words=", ".join(_WORDS),
        )
    return rate


def age_points(rates: Sequence[float], days: Sequence[float] = DAYS) -> list[AgePoint]:
    """A row for each rate and number of days."""
    return [
        AgePoint(
            rate=rate,
            days=day,
            age=float(expected_age(rate, day)),
            mean_age=float(mean_age(rate, day)),
            fresh=float(expected_freshness(rate, day)),
            mean_fresh=float(mean_freshness(rate, day)),
        )
        for rate in rates
        for day in days
    ]


def draw_ages(rates: Sequence[float], days: Sequence[float] = DAYS) -> Drawing:
    """Expected age against days since the visit, a curve for each rate with a dot at each of the days; at most six curves."""
    shown = list(rates)[: len(_INKS)]
    last = max(days, default=1.0)
    highest = max((float(expected_age(rate, last)) for rate in shown), default=1.0)
    frame = Frame("Expected age of a copy", "by the days since it was visited", _SIZE, (last, 1.05 * highest))
    frame.rule("days since the visit", "expected age in days")
    times = np.linspace(0, last, _STEPS)
    for rate, ink in zip(shown, _INKS, strict=False):
        places = zip(times, expected_age(rate, times), strict=True)
        frame.drawing.add(Path(tuple((frame.x(x), frame.y(y)) for x, y in places), ink, 2))
        dots = zip(days, expected_age(rate, list(days)), strict=True)
        frame.drawing.add(*(Dot(frame.x(x), frame.y(y), 3, ink) for x, y in dots))
    frame.key([(ink, name_rate(rate)) for rate, ink in zip(shown, _INKS, strict=False)])
    return frame.drawing


def draw_chosen_ages(rates: Iterable[float]) -> Drawing:
    """The same for the rates of a collection: six at most, evenly from the liveliest to the quietest; weekly for none."""
    known = sorted({float(f"{rate:.2g}") for rate in rates if rate > 0}, reverse=True) or [1 / 7]
    number = min(len(known), len(_INKS))
    places = np.linspace(0, len(known) - 1, number).round().astype(int)
    return draw_ages([known[place] for place in places])


def name_rate(rate: float) -> str:
    """A rate in words: "one change in 7 days", "2 changes a day"."""
    if rate > 1:
        return f"{rate:.3g} changes a day"
    return f"one change in {1 / rate:.3g} days" if rate > 0.01 else f"one change in {1 / rate:.0f} days"

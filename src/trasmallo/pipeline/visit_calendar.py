"""The calendar of planned visits: which pages would be visited on the next days, if each day had the same budget.

Day by day the plan is asked, and told that the visits were made; what they would find nobody knows, so rates stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
import numpy as np

from trasmallo.crawl.revisit.collection import DAY, DueVisit, PlannedVisit
from trasmallo.pipeline.revisiting import RevisitPlanner
from trasmallo.pipeline.visit_history import MissingAddress
from trasmallo.values.errors import UsageError

DAYS = 14
"""Days of a calendar. Judgement: two weeks; a choice among a million pages takes a second for each."""


class PlannedDay(msgspec.Struct, frozen=True):
    """A day (UTC, as 2026-11-18) and how many visits are planned for it."""

    date: str
    visits: int


class VisitCalendar(msgspec.Struct, frozen=True):
    """The next days at so many visits `a_day`; of the one that is opened, `date`, the visits with their reasons."""

    a_day: int
    days: tuple[PlannedDay, ...]
    date: str = ""
    visits: tuple[PlannedVisit, ...] = ()


def make_calendar(planner: RevisitPlanner, a_day: int, now: float, date: str = "", days: int = DAYS) -> VisitCalendar:
    """The calendar from now on, with the visits of one date if it is named; the planner is used up.

    Raises UsageError for a date that is none of its days.
    """
    moments = [now + day * DAY for day in range(days)]
    dates = [datetime.fromtimestamp(moment, UTC).date().isoformat() for moment in moments]
    if date and date not in dates:
        problem, repair = "{date!r} is no day of the calendar", "choose one from {first} to {last}"
        raise UsageError(problem, repair, date=date[:40], first=dates[0], last=dates[-1])
    planned, opened = list[PlannedDay](), list[PlannedVisit]()
    for moment, name in zip(moments, dates, strict=True):
        due = planner.choose(moment, a_day)
        planned.append(PlannedDay(name, len(due)))
        if name == date:
            opened = planner.explain(due, moment)
        _suppose_made(planner, due, moment)
    return VisitCalendar(a_day, tuple(planned), date, tuple(opened))


def _suppose_made(planner: RevisitPlanner, due: Sequence[DueVisit], moment: float) -> None:
    """Take visits as made, and each page as it was."""
    numbers = np.array([visit.page for visit in due if visit.page >= 0], np.int64)
    pages = planner.plan.planner.pages
    pages["last"][numbers] = pages["tried"][numbers] = moment / DAY
    for url in (visit.url for visit in due if visit.page < 0):
        if url in planner.feeds:
            planner.feeds[url] = msgspec.structs.replace(planner.feeds[url], asked=moment)
        else:
            known = planner.history.missing[url]
            planner.history.missing[url] = MissingAddress(known.times + 1, moment)

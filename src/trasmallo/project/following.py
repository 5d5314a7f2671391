"""Following sites: revisits of a project by the timetable, after a first run where it has no results yet."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.project.timetable import Timetable, TimetableEntry
from trasmallo.project.timetable.times import parse

if TYPE_CHECKING:
    from trasmallo.results.summary import Summary

EVERY = "1h"
"""How often what is due is looked for. Judgement: feeds are asked for by their own rhythm, an hour at the least."""


class Followed(msgspec.Struct, frozen=True):
    """A project that is followed: what its first run brought, None where it had results before, and its entry."""

    summary: Summary | None
    entry: TimetableEntry


def follow(
    folder: Path,
    first_run: Callable[[], Summary | None],
    *,
    every: str = EVERY,
    budget: str = "",
    timetable: Path | None = None,
) -> Followed:
    """Put revisits of a project on the timetable; what cannot be understood is refused before the first run."""
    when = f"every {every}"
    parse(when)
    if budget:
        parse_budget(budget)
    summary = first_run()
    entry = Timetable(timetable).add(folder, when, time.time(), work="revisit", budget=budget)
    return Followed(summary=summary, entry=entry)

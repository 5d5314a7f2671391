"""Following sites: a first run from their sitemaps, feeds and links, then revisits by the timetable."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo import config
from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable, TimetableEntry
from trasmallo.project.timetable.times import parse
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.results.summary import Summary

EVERY = "1h"
"""How often what is due is looked for. Judgement: feeds are asked for by their own rhythm, an hour at the least."""


class Followed(msgspec.Struct, frozen=True):
    """A project that is followed: what its first run brought, None where it had results before, and its entry."""

    summary: Summary | None
    entry: TimetableEntry


def open_followed(folder: str | Path, urls: Sequence[str], language: str = "es") -> Project:
    """The project in a folder; where there is none, one of these sites with their sitemaps, feeds and entries."""
    place = Path(folder)
    if not (place / config.FILE_NAME).exists():
        if not urls:
            raise UsageError("there is nothing to follow", "give the address of a site behind the folder")
        return Project.new(place, urls, language=language, scope="host", sitemaps=True, feeds=True, entries=True)
    project = Project.open(place)
    if new := [url for url in urls if url not in project.config.crawl.seeds]:
        repair = "add it to `seeds` in {path}, or follow it in a folder of its own"
        raise UsageError("{url} is no start address of this project", repair, url=new[0], path=place / config.FILE_NAME)
    return project


def follow(project: Project, *, every: str = EVERY, budget: str = "", timetable: Timetable | None = None) -> Followed:
    """Put revisits of a project on the timetable; it is run first where it has no results yet."""
    when = f"every {every}"
    parse(when)
    if budget:
        parse_budget(budget)
    summary = None if run_folders.last_completed(project.runs) else project.run()
    table = timetable or Timetable()
    return Followed(summary, table.add(project.folder, when, time.time(), work="revisit", budget=budget))

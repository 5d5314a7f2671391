"""Entries of the timetable as pages show them."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

from trasmallo.project.timetable import Timetable, TimetableEntry
from trasmallo.project.timetable.times import TimeRule, parse
from trasmallo.project.workspace import is_project
from trasmallo.values.errors import TrasmalloError
from trasmallo.web.pages import Visit

IMPORT = "from trasmallo.project.timetable import Timetable"
"""How Python gets at the timetable."""


class EntryCard(msgspec.Struct, frozen=True):
    """An entry. `project` is its name in this app, "" when it is not in the list; `there` says whether its folder is a project.

    `command` and `python` set the same.
    """

    entry: TimetableEntry
    rule: TimeRule
    project: str
    there: bool
    command: str
    python: str


def entry_of(visit: Visit, folder: Path) -> EntryCard | None:
    """The entry of a project, None when it has none; a timetable that cannot be read is told on its own page."""
    try:
        found = [entry for entry in Timetable().entries() if entry.folder == str(folder)]
    except TrasmalloError:
        return None
    return card_of(found[0], names_of(visit)) if found else None


def names_of(visit: Visit) -> dict[str, str]:
    """The projects of the list by their folders."""
    return {str(visit.workspace.folder(name)): name for name in visit.workspace.names()}


def card_of(entry: TimetableEntry, names: dict[str, str]) -> EntryCard:
    """An entry with the name of its project, and what sets the same elsewhere."""
    kind, when = ("--every", entry.when[6:]) if entry.when.startswith("every ") else ("--at", entry.when)
    words = ["trasmallo", "schedule", entry.folder, kind, when, *(["--zone", entry.zone] if entry.zone else [])]
    words += ["--missed", entry.missed, *(["--revisit"] if entry.work == "revisit" else [])]
    words += ["--budget", entry.budget] if entry.budget else []
    given = {"zone": entry.zone, "missed": entry.missed, "work": entry.work.replace("run", ""), "budget": entry.budget}
    options = "".join(f", {name}={value!r}" for name, value in given.items() if value)
    added = f"Timetable().add({entry.folder!r}, {entry.when!r}, time.time(){options})"
    return EntryCard(
        entry=entry,
        rule=parse(entry.when),
        project=names.get(entry.folder, ""),
        there=is_project(Path(entry.folder)),
        command=shlex.join(words),
        python=f"import time\n\n{IMPORT}\n\n{added}\n",
    )

"""The timetable: projects with an hour or a period, run or revisited one at a time, the next as soon as the running one ends.

`times` knows when something is due, `Timetable` keeps the entries and the history in SQLite, `Scheduler` runs what is due
through a `Runner`, each run in a process of its own. Clock and runner are handed in: a week passes in a test within a moment.
"""

from __future__ import annotations

from trasmallo.project.timetable.runner import ChildRunner
from trasmallo.project.timetable.scheduler import Notice, RealClock, Scheduler
from trasmallo.project.timetable.timetable import PastRun, Timetable, TimetableEntry, default_path

__all__ = ["ChildRunner", "Notice", "PastRun", "RealClock", "Scheduler", "Timetable", "TimetableEntry", "default_path"]

"""Process of the scheduler, started and stopped from elsewhere; its lock tells who runs it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from trasmallo.project.control import launch
from trasmallo.project.lock import holder
from trasmallo.project.timetable.timetable import Timetable
from trasmallo.values.errors import ProjectBusy, UsageError, disk_errors

LOG = "scheduler.log"
"""What a scheduler that was started in the background printed, beside its timetable."""


def worker(table: Timetable) -> int:
    """The process that runs a timetable, 0 when there is none."""
    return holder(table.path.parent)


def is_stopping(table: Timetable) -> bool:
    """Whether the process that runs a timetable was told to end, and waits for the running project."""
    return table.stopping.exists() and bool(worker(table))


def start(table: Timetable) -> int:
    """Start `trasmallo scheduler` as a process that outlives us; its number. Raises ProjectBusy when there is one already."""
    folder = table.path.parent
    if process := holder(folder):
        raise ProjectBusy("process {process} already runs the timetable", "let it, or stop it first", process=process)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return launch(folder, folder / LOG, "scheduler", "--timetable", str(table.path))


def stop(table: Timetable, *, at_once: bool = False) -> int:
    """Have the scheduler end once the running project has analysed what is there, or finishes `at_once`; its process."""
    process = worker(table)
    if not process:
        raise UsageError("nobody runs the timetable now", "start it with: trasmallo scheduler")
    _tell(process, signal.SIGINT)
    if at_once:
        for past in table.unended():
            _tell(holder(Path(past.folder)), signal.SIGTERM)
    return process


def _tell(process: int, number: signal.Signals) -> None:
    if process:
        with suppress(ProcessLookupError):  # it ended by itself meanwhile
            os.kill(process, number)

"""Experiments of the lab as jobs: processes of their own that write down what they measure, and can be stopped.

In the folder `lab` of a project each experiment has its last job: NAME.json (what was asked, and of which process), NAME.jsonl
(what was measured so far, a row a line), NAME.log (what the process printed beside it) and NAME.lock, which the process holds
as long as it lives, whoever started it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.project.capacity import SIZES, CapacityFigures, CapacitySum, sum_up
from trasmallo.project.lab import LINES, POINTS, WORDS, LinesMeasured
from trasmallo.project.page_figures import SAMPLE
from trasmallo.study.recognition_speed import SpeedPoint
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.folder_lock import is_locked, try_lock

Experiment = Literal["lines", "cache", "capacity"]
Measured = LinesMeasured | SpeedPoint | CapacitySum


class LabWish(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment is to measure: runs with these numbers of lines and at most so many pages, or so many words.

    Sums of capacity are for `sizes` in pages, of a `sample` of pages that is timed, and of given `figures` (NAME=VALUE).
    """

    numbers: tuple[int, ...] = LINES
    pages: int = 0
    words: int = WORDS
    sizes: tuple[int, ...] = SIZES
    sample: int = SAMPLE
    figures: tuple[str, ...] = ()

    def words_of(self, name: Experiment) -> list[str]:
        """What is typed behind the project's folder to have the same on the command line."""
        if name == "lines":
            return [*map(str, self.numbers), "--pages", str(self.pages)]
        if name == "cache":
            return ["--words", str(self.words)]
        given = [word for figure in self.figures for word in ("--figure", figure)]
        return [*map(str, self.sizes), "--pages", str(self.sample), *given]


class LabJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it was started: the process, and when."""

    wish: LabWish
    process: int
    began: float


class LabState(msgspec.Struct, frozen=True, kw_only=True):
    """Where an experiment stands: its last job, None before the first, what it measured, and of how many rows.

    `error` is the last line that a job which ended without a result printed.
    """

    job: LabJob | None = None
    running: bool = False
    lines: tuple[LinesMeasured, ...] = ()
    points: tuple[SpeedPoint, ...] = ()
    sums: tuple[CapacitySum, ...] = ()
    total: int = 0
    error: str = ""

    @property
    def rows(self) -> tuple[Measured, ...]:
        """What was measured, of whichever experiment."""
        return self.lines or self.points or self.sums


def start_lab(folder: Path, name: Experiment, wish: LabWish) -> int:
    """Start an experiment on the project in `folder`; its process. Raises UsageError while another one of its kind goes on."""
    place = folder / "lab"
    with disk_errors(place):
        place.mkdir(exist_ok=True)
    lock = os.open(place / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if not try_lock(lock):
            raise UsageError("this experiment is going on", "wait for its end, or stop it")
        (place / f"{name}.json").unlink(missing_ok=True)  # nobody may stop the job before in our place
        child = _launch(folder, name, wish, lock)
        job = LabJob(wish=wish, process=child.pid, began=time.time())
        write_whole(place / f"{name}.json", msgspec.json.encode(job))
    finally:
        os.close(lock)
    threading.Thread(target=child.wait, daemon=True).start()  # or it stays a zombie as long as we live
    return child.pid


def _launch(folder: Path, name: Experiment, wish: LabWish, lock: int) -> subprocess.Popen[bytes]:
    """The process, which inherits the lock, so that it holds it to its end."""
    place = folder / "lab"
    command = [sys.executable, "-P", "-m", "trasmallo", "lab", name, str(folder.resolve()), *wish.words_of(name), "--json"]
    with disk_errors(place), (place / f"{name}.jsonl").open("wb") as rows, (place / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=rows,
            stderr=log,
            start_new_session=True,
            cwd=folder,
            pass_fds=(lock,),
        )


def stop_lab(folder: Path, name: Experiment) -> int:
    """Have an experiment end; what it measured stays. Raises UsageError when it does not go on."""
    state = lab_state(folder, name)
    if not state.running or state.job is None:
        raise UsageError("this experiment does not go on", "start it")
    with suppress(ProcessLookupError):  # it ended by itself meanwhile
        os.kill(state.job.process, signal.SIGTERM)
    return state.job.process


def lab_state(folder: Path, name: Experiment) -> LabState:
    """Where an experiment stands; writes nothing."""
    place = folder / "lab"
    try:
        job = msgspec.json.decode((place / f"{name}.json").read_bytes(), type=decodable(LabJob))
    except (FileNotFoundError, *UNDECODABLE):
        return LabState()
    running, written = is_locked(place / f"{name}.lock"), _written(place / f"{name}.jsonl")
    error = "" if running or written else _last_line(place / f"{name}.log")
    if name == "lines":
        measured = tuple(msgspec.json.decode(line, type=decodable(LinesMeasured)) for line in written)
        return LabState(job=job, running=running, lines=measured, total=len(job.wish.numbers), error=error)
    if name == "capacity":
        sums = tuple(msgspec.json.decode(line, type=decodable(CapacitySum)) for line in written)
        return LabState(job=job, running=running, sums=sums, total=len(sum_up(CapacityFigures())), error=error)
    points = tuple(msgspec.json.decode(line, type=decodable(SpeedPoint)) for line in written)
    return LabState(job=job, running=running, points=points, total=POINTS, error=error)


def _written(path: Path) -> list[bytes]:
    """The lines of a file; the last may still be written."""
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


class _Problem(msgspec.Struct):
    problem: str
    repair: str


class _Failure(msgspec.Struct):
    error: _Problem


def _last_line(path: Path) -> str:
    """What a process said last: its error in words, or whatever else it was."""
    lines = path.read_bytes().strip().splitlines() if path.exists() else []
    try:
        told = msgspec.json.decode(lines[-1], type=decodable(_Failure)).error if lines else _Problem("", "")
    except UNDECODABLE:
        return lines[-1].decode(errors="replace")
    return f"{told.problem}: {told.repair}" if told.problem else ""

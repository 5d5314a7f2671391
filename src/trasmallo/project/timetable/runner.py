"""Runs of projects in processes of their own, so that whatever becomes of one the scheduler goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Protocol

import msgspec

from trasmallo.project.lock import holder
from trasmallo.project.timetable.timetable import TimetableEntry
from trasmallo.store import run_folders
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import NothingDue, TrasmalloError
from trasmallo.values.process_ends import ending

_LONGEST_CAUSE = 500
"""Characters of the cause of a failed run that are remembered. Judgement: our messages are shorter."""


class Ended(msgspec.Struct, frozen=True):
    """How a run ended: finished, stopped, failed or interrupted; why; and its name, "" when none was begun.

    A revisit for which nothing was due is skipped.
    """

    state: str
    cause: str = ""
    run: str = ""


class Job(Protocol):
    """A run that goes on."""

    def poll(self) -> Ended | None:
        """How it ended, None while it goes on."""

    def stop(self) -> None:
        """Ask it to end: once, to analyse what is there; twice, now."""


class Runner(Protocol):
    """Who runs projects for a scheduler."""

    def busy(self, folder: str) -> int:
        """The process that works on a project, 0 when there is none."""

    def start(self, entry: TimetableEntry) -> Job:
        """Begin what an entry says, or let it go on where it was interrupted."""

    def last(self, folder: str, began: float) -> Ended:
        """How the last run of a project stands, if it began no earlier than at a time."""


class ChildRunner:
    """Runs commands of `trasmallo` as child processes; they survive the scheduler's death, and Ctrl-C does not reach them."""

    def busy(self, folder: str) -> int:
        """The process that works on a project, 0 when there is none."""
        return holder(Path(folder))

    def start(self, entry: TimetableEntry) -> Job:
        """Begin what an entry says."""
        return _Child(_arguments(entry))

    def last(self, folder: str, began: float) -> Ended:
        """How the last run of a project stands, if it began no earlier than at a time."""
        try:
            found = [run for run in run_folders.find(Path(folder) / "runs") if run.manifest.began >= began]
        except TrasmalloError as error:
            return Ended("failed", str(error))
        if not found:
            return Ended("interrupted", "it was not begun")
        run = found[-1]
        if run.manifest.state == "running":
            return Ended("interrupted", "its process was killed", run.name)
        return Ended(run.manifest.state, run.manifest.ended, run.name)


class _Said(msgspec.Struct):
    """What the command prints as JSON, as far as it matters here."""

    run: str = ""
    state: str = "finished"
    ended: str = ""


class _Trouble(msgspec.Struct):
    kind: str
    problem: str
    repair: str


class _Refusal(msgspec.Struct):
    error: _Trouble


class _Child:
    """One run in its process, which talks to files since nobody listens while it runs."""

    def __init__(self, arguments: Sequence[str]) -> None:
        line = [sys.executable, "-P", "-m", "trasmallo", *arguments, "--json"]
        self._out: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        self._err: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            line, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err, start_new_session=True
        )

    def poll(self) -> Ended | None:
        code = self._process.poll()
        if code is None:
            return None
        with self._out, self._err:
            return self._ended(code)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def _ended(self, code: int) -> Ended:
        self._out.seek(0)
        self._err.seek(0)
        if code:
            return _refused(self._err.read(), code)
        try:
            said = msgspec.json.decode(self._out.read(), type=decodable(_Said))
        except UNDECODABLE:
            return Ended("failed", "it ended without saying how")
        return Ended(said.state, said.ended, said.run)


def _arguments(entry: TimetableEntry) -> list[str]:
    """The command of an entry; an interrupted revisit goes on by itself."""
    if entry.work == "revisit":
        return ["revisit", entry.folder, *(["--budget", entry.budget] if entry.budget else [])]
    return ["run", entry.folder, *([] if entry.resume else ["--new"])]


def _refused(errors: bytes, code: int) -> Ended:
    """How a command ended that refused: the last line that it said, without its form."""
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    if not lines:
        return Ended("failed", f"its process ended with {ending(code)}")
    try:
        refusal = msgspec.json.decode(lines[-1], type=decodable(_Refusal)).error
    except UNDECODABLE:
        return Ended("failed", lines[-1][:_LONGEST_CAUSE])
    if refusal.kind == NothingDue.__name__:
        return Ended("skipped", "no page was due for a visit")
    return Ended("failed", f"{refusal.problem}: {refusal.repair}"[:_LONGEST_CAUSE])

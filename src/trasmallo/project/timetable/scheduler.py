"""The scheduler: looks at the timetable once a second, and runs what is due, one project at a time.

- What came due while no scheduler was there is caught up once, however often it was missed, or skipped, as the entry says.
- A project on which somebody works by hand waits; others go before it.
- Killed and started again, it first waits for the run that it had begun, which goes on by itself; a run that died too goes on
  where it stopped, if its entry catches up.
- Stopped, it stops the running project as Ctrl-C does and waits for its end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Protocol

import msgspec

from trasmallo.project.lock import hold, holder
from trasmallo.project.timetable.runner import Ended, Job, Runner
from trasmallo.project.timetable.timetable import PastRun, Timetable, TimetableEntry
from trasmallo.values.errors import ProjectBusy, disk_errors

_TICK = 1.0
"""Seconds between looks. Judgement: times are told in minutes."""


class Notice(msgspec.Struct, frozen=True):
    """Something that the scheduler did with a project: began, ended, skipped, waits. `cause` says more, "" without need."""

    at: float
    folder: str
    what: str
    state: str = ""
    cause: str = ""


class Clock(Protocol):
    """What time it is, and how to wait."""

    def now(self) -> float:
        """Seconds since 1970."""

    def wait(self, seconds: float) -> None:
        """Let time pass; may return early."""

    def wake(self) -> None:
        """Let who waits go on at once; may be called by a signal."""


class RealClock:
    """The clock of the machine."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Sleep until the time has passed or somebody wakes us."""
        self._woken.wait(seconds)
        self._woken.clear()

    def wake(self) -> None:
        """Let who sleeps go on."""
        self._woken.set()


class Scheduler:
    """Runs a timetable. `tell` hears what it does."""

    def __init__(self, timetable: Timetable, runner: Runner, clock: Clock, tell: Callable[[Notice], None]) -> None:
        self._timetable = timetable
        self._runner = runner
        self._clock = clock
        self._tell = tell
        self._job: Job | None = None
        self._past: PastRun | None = None
        self._waiting: set[str] = set()
        self._stops = 0

    def run(self, *, once: bool = False) -> None:
        """Work until stopped, or `once` until nothing is due; raises ProjectBusy when another scheduler has the timetable."""
        with self._alone():
            self.recover()
            while self.step() or not (once or self._stops):
                self._clock.wait(_TICK)

    def stop(self) -> None:
        """End politely: nothing more begins, the running project is asked to end; said again, it is asked once more."""
        self._stops += 1
        with suppress(OSError):  # who looks is told a little less
            self._timetable.stopping.touch()
        if self._job is not None:
            self._job.stop()
        self._clock.wake()

    def recover(self) -> None:
        """See what a killed scheduler left, and pass over what is not to be caught up."""
        now = self._clock.now()
        for past in self._timetable.unended():
            if self._runner.busy(past.folder):
                self._job, self._past = _Orphan(self._runner, past), past
            else:
                self._settle(past, self._runner.last(past.folder, past.began))
        for entry in self._timetable.skip_missed(now):
            self._say(entry.folder, "skipped", cause="no scheduler was running")

    def step(self) -> bool:
        """Look once; whether there is something to wait for: a run that goes on, or a project that others work on."""
        if self._job is not None and not self._has_ended(self._job):
            return not (self._stops and isinstance(self._job, _Orphan))
        if self._stops:
            return False
        waiting = False
        for entry in self._timetable.due(self._clock.now()):
            if self._begin(entry):
                return True
            waiting = True
        return waiting

    def _has_ended(self, job: Job) -> bool:
        ended = job.poll()
        if ended is None or self._past is None:
            return ended is not None
        past, self._job, self._past = self._past, None, None
        self._settle(past, ended)
        return True

    def _settle(self, past: PastRun, ended: Ended) -> None:
        """Write down how a run ended; what was cut short is to go on."""
        by_us = self._stops > 0 and ended.state == "stopped"
        cause = "the scheduler was stopped" if by_us else ended.cause
        again = by_us or ended.state == "interrupted"
        self._timetable.end(past, self._clock.now(), ended.state, cause, ended.run, again=again)
        self._say(past.folder, "ended", ended.state, cause)

    def _begin(self, entry: TimetableEntry) -> bool:
        """Begin a run, unless somebody works on the project."""
        process = self._runner.busy(entry.folder)
        if process:
            if entry.folder not in self._waiting:
                self._waiting.add(entry.folder)
                self._say(entry.folder, "waits", cause=f"process {process} works on it")
            return False
        self._waiting.discard(entry.folder)
        self._past = self._timetable.begin(entry, self._clock.now())
        self._say(entry.folder, "began")
        self._job = self._runner.start(entry)
        if self._stops:  # said while we were beginning
            self._job.stop()
        return True

    def _say(self, folder: str, what: str, state: str = "", cause: str = "") -> None:
        self._tell(Notice(self._clock.now(), folder, what, state, cause))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        folder = self._timetable.path.parent
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            try:
                held.enter_context(hold(folder))
            except ProjectBusy:
                process = holder(folder)
                problem = "process {process} already runs the timetable {path}"
                how = "let it, or stop it with: kill -INT {process}"
                raise ProjectBusy(problem, how, process=process, path=self._timetable.path) from None
            if not self._stops:  # a killed one may have left it
                self._timetable.stopping.unlink(missing_ok=True)
            try:
                yield
            finally:
                self._timetable.stopping.unlink(missing_ok=True)


class _Orphan:
    """A run that outlived the scheduler which had begun it."""

    def __init__(self, runner: Runner, past: PastRun) -> None:
        self._runner = runner
        self._past = past

    def poll(self) -> Ended | None:
        busy = self._runner.busy(self._past.folder)
        return None if busy else self._runner.last(self._past.folder, self._past.began)

    def stop(self) -> None:
        """It is nobody's child: it goes on, and the next scheduler sees how it ended."""

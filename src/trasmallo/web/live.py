"""Live state of a run for every window that looks at it: one watcher a project, however many look.

The watcher reads what the run writes down (`progress.json`, `events.jsonl`), never more than five times a second, and only
while somebody looks. It does not matter who started the run, or whether the app was there when it began.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.pipeline import control_files
from trasmallo.project.lock import holder
from trasmallo.results.run_counts import crawl_left, status_now
from trasmallo.results.summary import at_rest, state_of
from trasmallo.store import run_folders
from trasmallo.store.run_folders import Run
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import NoResults, TrasmalloError
from trasmallo.values.run_status import AgentStatus, CrawlLeft, HostStatus, LineStatus, PageInReading, RunCounts, RunStatus

INTERVAL = 0.2
"""Seconds between two states that are sent. Judgement: a bar that moves five times a second looks alive."""

_HEARTBEAT = 15.0
"""Seconds after which something is sent though nothing changed, so that a dead connection is noticed. Judgement."""

_SHOWN = 100
"""Incidents that are kept for the page. Judgement: several screens."""

_BACKWARDS = 65_536
"""Bytes of `events.jsonl` that are read when somebody begins to look. Judgement: some hundred lines."""

_FORWARDS = 1 << 20
"""Bytes of new events that are read at once; of a flood only the last. Judgement: read between two states."""

_WATCH_EVERY = 2.0
"""Seconds between two signs to the run that somebody looks. Judgement: well below the time for which it believes one."""

_SPEED_OVER = 5.0
"""Seconds over which the speed is measured. Judgement: shorter jumps about, longer lags behind."""

_KINDS = {"Failed", "Refused", "Dropped", "Warned", "Waiting", "Discarded", "CrawlEnded", "ScopeChanged"}


class Incident(msgspec.Struct, frozen=True):
    """Something worth telling: `kind` is the event's name, `what` the outcome or reason."""

    at: float
    kind: str
    url: str = ""
    what: str = ""
    cause: str = ""


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """Where a project's run stands now, the latest or the one at work. `kind` and `state` are "" without a run.

    `memory` is in MB. `left` is an older crawl whose addresses wait.
    `speed` are pages obtained a second, `answers` addresses asked for a second, whatever came of it.
    """

    run: str = ""
    kind: str = ""
    state: str = ""
    process: int = 0
    at: float = 0.0
    ended: str = ""
    error: str = ""
    paused: bool = False
    stopping: bool = False
    waiting: str = ""
    counts: RunCounts = RunCounts()
    speed: float = 0.0
    answers: float = 0.0
    memory: float = 0.0
    lines: tuple[LineStatus, ...] = ()
    hosts: tuple[HostStatus, ...] = ()
    reading: tuple[PageInReading, ...] = ()
    agents: tuple[AgentStatus, ...] = ()
    left: CrawlLeft | None = None
    incidents: list[Incident] = []


class _Event(msgspec.Struct):
    type: str = ""
    at: float = 0.0
    url: str = ""
    outcome: str = ""
    reason: str = ""
    cause: str = ""
    message: str = ""
    number: int = 0


class Watcher:
    """Looks at one project. `look` gives the state now; a second look within the interval gives the same.

    Any thread may look: pages do so in threads, while windows are sent what is new.

    A `silent` one does not say in the run's folder that somebody looks, so the run reports once a second only.
    """

    def __init__(self, folder: Path, *, silent: bool = False) -> None:
        self._folder = folder
        self._silent = silent
        self._lock = threading.Lock()
        self._run: Run | None = None
        self._offset = 0
        self._incidents: deque[Incident] = deque(maxlen=_SHOWN)
        self._speeds: deque[tuple[float, int, int]] = deque()
        self._looked_at = self._watched_at = self._measured_at = 0.0
        self._memory = 0.0
        self._counted, self._counted_at = RunStatus(), ("", 0)
        self._state = Live()

    def look(self) -> Live:
        """The state now; a broken run is told as an error, never raised."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked_at >= INTERVAL * 0.9:
                self._looked_at = now
                self._state = self._read_or_tell(now)
            return self._state

    def _read_or_tell(self, now: float) -> Live:
        try:
            return self._read(now)
        except (TrasmalloError, OSError, *UNDECODABLE) as error:
            return Live(state="broken", error=error.message if isinstance(error, TrasmalloError) else str(error))

    def _read(self, now: float) -> Live:
        process = holder(self._folder)
        run = self._told_of(working=bool(process))
        if run is None:
            return Live(process=process)
        if process and not self._silent and now - self._watched_at > _WATCH_EVERY:
            self._watched_at = now
            control_files.watch(run)
        report = self._report(run, working=bool(process))
        self._follow(run)
        there = bool(process)
        speed, answers = self._speed(report.at, report.counts) if there else (0.0, 0.0)
        return Live(
            run=run.name,
            kind=run.manifest.kind,
            state="paused" if there and report.paused else state_of(run, process),
            process=process,
            at=report.at,
            ended="" if there else run.manifest.ended,
            paused=there and report.paused,
            stopping=there and report.stopping,
            waiting=report.waiting if there else "",
            counts=report.counts,
            speed=speed,
            answers=answers,
            memory=self._measure(process, now) if there else 0.0,
            lines=report.lines if there else (),
            hosts=report.hosts if there else tuple(map(at_rest, report.hosts)),
            reading=report.reading if there else (),
            agents=report.agents if there else (),
            left=crawl_left(run),
            incidents=list(self._incidents),
        )

    def _report(self, run: Run, *, working: bool) -> RunStatus:
        """What the run tells; of one that was killed its files are counted once."""
        if working:
            return run.status()
        if (stamp := (run.name, run.progress.stat().st_mtime_ns if run.progress.exists() else 0)) != self._counted_at:
            self._counted, self._counted_at = status_now(run, self._folder / "store", working=False), stamp
        return self._counted

    def _told_of(self, *, working: bool) -> Run | None:
        """The run at work, or the newest; their manifests are small, so they are read each time."""
        try:
            run = run_folders.told_of(self._folder / "runs", working=working)
        except NoResults:
            run = None
        if run is not None and (self._run is None or run.name != self._run.name):
            self._offset = 0
            self._incidents.clear()
            self._speeds.clear()
        self._run = run
        return run

    def _follow(self, run: Run) -> None:
        """Take in events that are new; of a long file only the end is read, and of a flood only the last megabyte."""
        with suppress(FileNotFoundError), run.events.open("rb") as file:
            size = file.seek(0, 2)
            self._offset = self._offset if self._offset <= size else 0  # it was lost and made again
            first = self._offset == 0
            start = max(self._offset, size - (_BACKWARDS if first else _FORWARDS))
            file.seek(start)
            content = file.read(size - start)
            whole = content.rfind(b"\n") + 1
            self._offset = start + whole
            for line in content[:whole].splitlines():
                self._take(line)

    def _take(self, line: bytes) -> None:
        # Most lines tell of pages that were fetched and studied; the counts say that already.
        if b'"type":"Fetched"' in line[:60] or b'"type":"Studied"' in line[:60]:
            return
        with suppress(*UNDECODABLE):
            event = msgspec.json.decode(line, type=decodable(_Event))
            if event.type in _KINDS:
                what = event.outcome or event.reason or (f"{event.number}" if event.number else "")
                self._incidents.appendleft(Incident(event.at, event.type, event.url, what, event.cause or event.message))

    def _speed(self, at: float, counts: RunCounts) -> tuple[float, float]:
        """Pages and answers a second, over the last seconds."""
        speeds = self._speeds
        if not speeds or speeds[-1][0] < at:
            speeds.append((at, counts.obtained, counts.asked - counts.refused))
        while len(speeds) > 2 and speeds[0][0] < at - _SPEED_OVER:
            speeds.popleft()
        (began, *first), (ended, *last) = speeds[0], speeds[-1]
        if ended <= began:
            return 0.0, 0.0
        pages, answers = (round((now - then) / (ended - began), 1) for then, now in zip(first, last, strict=True))
        return pages, answers

    def _measure(self, process: int, now: float) -> float:
        if now - self._measured_at > 1.0:
            self._measured_at = now
            self._memory = round(control_files.memory_of(process), 1)
        return self._memory


class Watchers:
    """The watchers of an app, one a folder; all of them `silent` where nothing may be written."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._all: dict[Path, Watcher] = {}

    def of(self, folder: Path) -> Watcher:
        """The watcher of a project."""
        return self._all.get(folder) or self._all.setdefault(folder, Watcher(folder, silent=self._silent))


async def stream(watcher: Watcher) -> AsyncIterator[bytes]:
    """Server-sent events: the whole state whenever it changed, at most five times a second, until the window is closed."""
    sent, sent_at = b"", 0.0
    while True:
        # In a thread: a look reads files, and waits for another one.
        state = msgspec.json.encode(await asyncio.to_thread(watcher.look), enc_hook=str)
        now = time.monotonic()
        if state != sent or now - sent_at > _HEARTBEAT:
            yield b"data: " + state + b"\n\n"
            sent, sent_at = state, now
        await asyncio.sleep(INTERVAL)

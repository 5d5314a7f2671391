"""Control files of a run, in its folder: through them other processes watch it, ask it and tell it to pause.

A run looks at them five times a second, so nothing here may cost more than a few system calls. `watched` is touched by who
looks; only then does the run write down where it stands more often than once a second. `paused` is there while it is to pause.
`asked/` holds questions, a file each, and their answers. `pace.jsonl` has a line every five seconds, for curves.
"""

from __future__ import annotations

import itertools
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import ProjectError, StoreError, disk_errors
from trasmallo.values.run_status import RunCounts

_WATCHED_FOR = 5.0
"""Seconds for which a look counts; watchers say that they look every few seconds. Judgement."""

_POLL = 0.02
"""Seconds between looks for an answer. Judgement: a person does not notice them."""

_LONGEST_QUESTION = 1 << 20
"""Bytes. Judgement: far more than exclusions take that a person types."""

_ANSWER = ".answer"
_numbers = itertools.count(1)


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a run's curves: counts so far, bytes received, and megabytes of memory of all its processes."""

    at: float
    obtained: int
    studied: int
    waiting: int
    received: int
    memory: float


class ControlFiles:
    """The control files as the run itself reads and answers them."""

    def __init__(self, run: Run) -> None:
        self._folder = run.folder
        self._asked = _asked(run)

    def open(self) -> None:
        """Forget what was said to an earlier session."""
        shutil.rmtree(self._asked, ignore_errors=True)
        _paused(self._folder).unlink(missing_ok=True)

    def is_watched(self, now: float) -> bool:
        """Whether somebody looked a moment ago."""
        with suppress(OSError):
            return now - _watched(self._folder).stat().st_mtime < _WATCHED_FOR
        return False

    def is_paused(self) -> bool:
        """Whether the downloads are to pause."""
        return _paused(self._folder).exists()

    def questions(self) -> Iterator[tuple[Path, QueueQuestion]]:
        """What was asked since the last look, each once."""
        with suppress(FileNotFoundError):
            for path in [Path(entry.path) for entry in os.scandir(self._asked) if entry.name.endswith(".ask")]:
                with suppress(OSError, *UNDECODABLE):
                    raw = path.read_bytes() if path.stat().st_size <= _LONGEST_QUESTION else b""
                    path.unlink()
                    yield path, msgspec.json.decode(raw, type=decodable(QueueQuestion))

    def answer(self, question: Path, answer: QueueAnswer) -> None:
        """Write the answer beside its question; whoever asked may have gone, and then it does not matter."""
        with suppress(StoreError, OSError):
            write_whole(question.with_suffix(_ANSWER), msgspec.json.encode(answer))

    def note(self, progress: RunCounts) -> None:
        """A point for the curves."""
        pace = Pace(
            at=time.time(),
            obtained=progress.obtained,
            studied=progress.studied,
            waiting=progress.waiting,
            received=progress.received,
            memory=memory_of(os.getpid()),
        )
        line = msgspec.json.encode(pace)
        path = _pace(self._folder)
        with disk_errors(path), path.open("ab") as file:
            file.write(line + b"\n")


def watch(run: Run) -> None:
    """Say that somebody looks; to be said again every few seconds."""
    with suppress(OSError):
        path = _watched(run.folder)
        path.touch()
        os.utime(path)


def pause(run: Run, *, paused: bool) -> None:
    """Have the downloads pause, or go on."""
    path = _paused(run.folder)
    with disk_errors(path):
        path.touch() if paused else path.unlink(missing_ok=True)


def ask(run: Run, asked: QueueQuestion, patience: float = 3.0) -> QueueAnswer:
    """Ask a run that is at work what waits in its queue; raises ProjectError when it does not answer."""
    folder = _asked(run)
    question = folder / f"{os.getpid()}-{next(_numbers)}.ask"
    answer = question.with_suffix(_ANSWER)
    with disk_errors(folder):
        folder.mkdir(exist_ok=True)
    write_whole(question, msgspec.json.encode(asked))
    end = time.monotonic() + patience
    try:
        while time.monotonic() < end:
            if answer.exists():
                return msgspec.json.decode(answer.read_bytes(), type=decodable(QueueAnswer))
            time.sleep(_POLL)
    finally:
        for path in (question, answer):
            path.unlink(missing_ok=True)
    raise ProjectError("the run does not answer", "it may be busy or ending: ask again in a moment")


def read_pace(run: Run, most: int = 300) -> list[Pace]:
    """The curves of a run, thinned to so many points; the last one is always there."""
    points: list[Pace] = []
    with suppress(FileNotFoundError):
        for line in _pace(run.folder).read_bytes().splitlines():
            with suppress(*UNDECODABLE):
                points.append(msgspec.json.decode(line, type=decodable(Pace)))
    step = max(1, -(-len(points) // most))
    return points[::-1][::step][::-1]


def memory_of(process: int) -> float:
    """Megabytes that a process and those it started have for themselves; 0 where the system does not tell."""
    return sum(_own_kilobytes(each) for each in _family(process)) / 1_000


def _family(process: int) -> Iterator[int]:
    yield process
    with suppress(OSError, ValueError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from _family(int(child))


def _own_kilobytes(process: int) -> int:
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
    return 0


def _watched(folder: Path) -> Path:
    return folder / "watched"


def _paused(folder: Path) -> Path:
    return folder / "paused"


def _pace(folder: Path) -> Path:
    return folder / "pace.jsonl"


def _asked(run: Run) -> Path:
    return run.folder / "asked"

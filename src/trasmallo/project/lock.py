"""Locks of a project: one program at a time works on it, and the second one is told the first one's process id."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from trasmallo.values.errors import ProjectBusy, disk_errors

_NAME = ".lock"
_PAUSES = (0.0, 0.01, 0.05)
"""Seconds between tries: who only asks whether somebody works here holds the lock for a moment too. Judgement."""


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the project until the block ends. The system lets go of it when the process dies, however it dies."""
    path = folder / _NAME
    with disk_errors(path):
        file = path.open("a+")
    with file:
        if not any(_try_lock(file, fcntl.LOCK_EX, pause) for pause in _PAUSES):
            raise _busy(folder, path)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def holder(folder: Path) -> int:
    """The process that works on the project now, 0 when there is none."""
    path = folder / _NAME
    if not path.exists():
        return 0
    with path.open() as file:
        return 0 if _try_lock(file, fcntl.LOCK_SH) else int(path.read_text() or 0)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Two commands at once change files of a folder one after the other; the folder is locked, since files are replaced."""
    with disk_errors(folder):
        held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _try_lock(file: IO[str], kind: int, pause: float = 0.0) -> bool:
    time.sleep(pause)
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _busy(folder: Path, path: Path) -> ProjectBusy:
    process = path.read_text() or "unknown"
    return ProjectBusy(
        "process {process} already works on {folder}",
        "wait for it, or stop it with: kill -INT {process}",
        process=process,
        folder=folder,
    )

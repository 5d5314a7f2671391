"""Locks of a project: one program at a time works on it, and the second one is told the first one's process id."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from trasmallo.values.errors import ProjectBusy, disk_errors
from trasmallo.values.folder_lock import try_lock

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
        if not any(_tried(file, pause) for pause in _PAUSES):
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
        return 0 if try_lock(file.fileno(), shared=True) else int(path.read_text() or 0)


def _tried(file: IO[str], pause: float) -> bool:
    time.sleep(pause)
    return try_lock(file.fileno())


def _busy(folder: Path, path: Path) -> ProjectBusy:
    process = path.read_text() or "unknown"
    return ProjectBusy(
        "process {process} already works on {folder}",
        "wait for it, or stop it with: kill -INT {process}",
        process=process,
        folder=folder,
    )

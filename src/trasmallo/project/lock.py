"""One program at a time works on a project; the second one is told the first one's process id."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trasmallo.errors import ProjectBusy, disk_errors

_NAME = ".lock"


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the project until the block ends. The system lets go of it when the process dies, however it dies."""
    path = folder / _NAME
    with disk_errors(path):
        file = path.open("a+")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _busy(folder, path) from None
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
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(path.read_text() or 0)
    return 0


def _busy(folder: Path, path: Path) -> ProjectBusy:
    process = path.read_text() or "unknown"
    return ProjectBusy(f"process {process} already works on {folder}", f"wait for it, or stop it with: kill -INT {process}")

"""Locks of a project: one program at a time works on it, and the second one is told the first one's process id.

The file says who holds it: the process, and the file's own number, which a copy of the folder does not have. Nobody may be
taken for the holder who held it before, since the holder is whom `stop` sends a signal. So whoever lets go of it wipes that
out, and who finds a lock that says nothing yet looks again.
"""

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

_LOOKS, _LOOK_S = 100, 0.01
"""How often, after how many seconds, it is looked whether a holder has said who it is. Judgement: it does so at once."""


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the project until the block ends. The system lets go of it when the process dies, however it dies."""
    path = folder / _NAME
    with disk_errors(path):
        file = path.open("a+")
    with file:
        if not any(_tried(file, pause) for pause in _PAUSES):
            raise _busy(folder, holder(folder))
        file.truncate(0)
        file.write(f"{os.getpid()} {_number_of(file)}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(folder: Path) -> int:
    """The process that works on the project now, 0 when there is none."""
    try:
        with (folder / _NAME).open() as file:
            return next((process for process in _looks(file) if process is not None), 0)
    except FileNotFoundError:
        return 0


def _looks(file: IO[str]) -> Iterator[int | None]:
    """Who holds a lock, 0 for nobody, looked for again and again; None when somebody does who has not said so yet."""
    for _ in range(_LOOKS):
        yield 0 if try_lock(file.fileno(), shared=True) else _told(file)
        time.sleep(_LOOK_S)


def _told(file: IO[str]) -> int | None:
    """The process that a lock says it is held by; None when it says nothing, or what the lock said that it was copied from."""
    file.seek(0)
    process, _, number = file.read().partition(" ")
    return int(process) if process.isdecimal() and number in ("", str(_number_of(file))) else None


def _number_of(file: IO[str]) -> int:
    return os.fstat(file.fileno()).st_ino


def _tried(file: IO[str], pause: float) -> bool:
    time.sleep(pause)
    return try_lock(file.fileno())


def _busy(folder: Path, process: int) -> ProjectBusy:
    return ProjectBusy(
        "process {process} already works on {folder}",
        "wait for it, or stop it with: kill -INT {process}",
        process=process or "unknown",
        folder=folder,
    )

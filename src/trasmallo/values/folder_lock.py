"""Locks of folders and files between processes. The system lets go of a lock when its process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trasmallo.values.errors import ProjectBusy, disk_errors

_POLL = 0.02
"""Seconds between two tries. Judgement: nobody notices them."""


@contextmanager
def locked(path: Path, *, patience: float | None = None) -> Iterator[None]:
    """Lock a folder, or a file that is made for it, while the block lasts; others who lock it wait.

    After `patience` seconds without the lock ProjectBusy is raised; None waits for ever.
    """
    with disk_errors(path):
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if patience is None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        else:
            _wait(handle, path, time.monotonic() + patience)
        yield
    finally:
        os.close(handle)


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file if nobody else holds it; a `shared` lock bears others like it. It goes with the descriptor."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock of a file; a shared one is tried, for whoever only looks."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(handle, shared=True)
    finally:
        os.close(handle)


def busy(folder: Path) -> ProjectBusy:
    """The error of whoever cannot wait for a folder."""
    return ProjectBusy("another program uses {folder}", "wait until it has ended, or stop it", folder=folder)


def _wait(handle: int, path: Path, deadline: float) -> None:
    while not try_lock(handle):
        if time.monotonic() > deadline:
            raise busy(path.parent)
        time.sleep(_POLL)

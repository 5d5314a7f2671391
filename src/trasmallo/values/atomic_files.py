"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trasmallo.values.errors import disk_errors

DRAFT = ".new"
"""How the names of drafts end."""


@contextmanager
def drafted(path: Path, *, contested: bool = False) -> Iterator[Path]:
    """A place beside `path` to write a file or a folder to: renamed to it at the end, removed when that is not reached.

    A kill leaves the draft, `path` with ".new", which the next try writes over. Where it is `contested`, because several
    processes or threads may write it at once, each has a draft of its own.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{DRAFT}" if contested else path.name + DRAFT)
    with disk_errors(path):
        try:
            yield draft
            draft.replace(path)
        except BaseException:
            remove(draft)
            raise


def write_whole(path: Path, content: bytes, *, durable: bool = False, contested: bool = False) -> None:
    """Write a file that is there whole or not at all; who reads it meanwhile sees the one before.

    What is `durable` is on the disk when this returns, and survives a power cut.
    """
    with drafted(path, contested=contested) as draft, disk_errors(path), draft.open("wb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names of files in a folder durable."""
    with disk_errors(folder):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_at_once(folder: Path) -> None:
    """Remove a folder so that nobody ever sees half of it: it is renamed first."""
    draft = folder.with_name(folder.name + ".draft")
    remove(draft)
    with suppress(FileNotFoundError):
        folder.rename(draft)
    remove(draft)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing there is nothing to do."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)

"""Places outside of projects, so that reading one writes nothing into it: a person's cache, scratch space, mirrors of folders.

Scratch space is a folder of this process alone, on the disk of the cache since it may become large; it goes when the process
ends. What a killed process left is removed by the next one: a folder whose lock is free belongs to nobody.
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from trasmallo.values.errors import StoreFull
from trasmallo.values.folder_lock import locked, try_lock

_numbers = itertools.count(1)


def cache_folder() -> Path:
    """Where a person's files are that can be made again: `$XDG_CACHE_HOME/trasmallo`, by default `~/.cache/trasmallo`."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "trasmallo"


def new_scratch() -> Path:
    """A place in the scratch space that nobody else uses; whoever wants a folder there makes it."""
    return _of_process(os.getpid(), str(cache_folder())) / str(next(_numbers))


@contextmanager
def mirrored(folder: Path, *, without: tuple[str, ...] = ()) -> Iterator[Path]:
    """A folder in the scratch space with links to the files of another, for libraries that write beside what they read.

    Names that end like one of `without` are left out. Whoever has opened the files keeps them after the block.
    """
    place = new_scratch()
    try:
        place.mkdir()
        follow(folder, place, without)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def follow(folder: Path, mirror: Path, without: tuple[str, ...] = ()) -> None:
    """Bring a mirror up to date: links to all files of a folder but some, none to what is no longer there."""
    there = {entry.name for entry in os.scandir(folder) if entry.is_file() and not entry.name.endswith(without or ("/",))}
    linked = {entry.name for entry in os.scandir(mirror) if entry.is_symlink()}
    for name in linked - there:
        (mirror / name).unlink()
    for name in there - linked:
        (mirror / name).symlink_to(folder.absolute() / name)


@lru_cache(maxsize=4)
def _of_process(process: int, cache: str) -> Path:
    """The scratch space of a process; a forked one gets its own."""
    try:
        folder = _claimed(Path(cache) / "scratch", process)
    except (OSError, StoreFull):  # a home that cannot be written
        folder = Path(tempfile.mkdtemp(prefix="trasmallo-"))
    atexit.register(_leave, folder, process)
    return folder


def _claimed(base: Path, process: int) -> Path:
    base.mkdir(parents=True, exist_ok=True)
    with locked(base):
        for folder in base.iterdir():
            _remove_abandoned(folder)
        made = Path(tempfile.mkdtemp(prefix=f"{process}-", dir=base))
        # The lock goes with the process, so the descriptor is never closed.
        try_lock(os.open(made, os.O_RDONLY | os.O_CLOEXEC))
    return made


def _remove_abandoned(folder: Path) -> None:
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            if try_lock(handle):
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(handle)


def _leave(folder: Path, process: int) -> None:
    if process == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)

"""A folder walked: every file in it and below with what the system tells of it, and why others are passed over.

Nothing is opened but folders. What is no file, or is left out by a rule, is told with its cause like everything else, so that
nothing is missing in silence. One look at 100,000 files takes about a second.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple

import msgspec

from trasmallo.values.model import Outcome

_DEEPEST = 200
"""Folders in folders. Judgement: more is a loop that links hide, or an attack."""


class FileState(IntEnum):
    """What a file is to a pass; numbers are on disk for ever."""

    DOCUMENT = 0
    HIDDEN = 1
    LINK = 2
    OTHER_DISK = 3
    SPECIAL = 4
    UNREADABLE = 5
    TOO_LARGE = 6
    EXCLUDED = 7
    OWN = 8
    LOOP = 9
    DEEP = 10
    BROKEN_LINK = 11
    NAME = 12


CAUSES = {
    FileState.HIDDEN: (Outcome.OUT_OF_SCOPE, "its name begins with a point (hidden_files = true reads it)"),
    FileState.LINK: (Outcome.OUT_OF_SCOPE, "a symbolic link (linked_files = true follows it)"),
    FileState.OTHER_DISK: (Outcome.OUT_OF_SCOPE, "on another disk than its root (other_disks = true enters it)"),
    FileState.SPECIAL: (Outcome.BROKEN, "a pipe, socket or device, which is never read"),
    FileState.UNREADABLE: (Outcome.BROKEN, "may not be read by this user"),
    FileState.TOO_LARGE: (Outcome.TOO_LARGE, "larger than page_megabytes"),
    FileState.EXCLUDED: (Outcome.OUT_OF_SCOPE, "excluded by the project file"),
    FileState.OWN: (Outcome.OUT_OF_SCOPE, "the project's own folder"),
    FileState.LOOP: (Outcome.OUT_OF_SCOPE, "leads back into a folder that is walked already"),
    FileState.DEEP: (Outcome.OUT_OF_SCOPE, "deeper than `depth` allows"),
    FileState.BROKEN_LINK: (Outcome.BROKEN, "a symbolic link that leads nowhere"),
    FileState.NAME: (Outcome.OUT_OF_SCOPE, "no message of the mailbox"),
}
"""How what is passed over ended, and why."""


class FileRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is walked: hidden files, files behind links, other disks; up to `largest` bytes and `depth` folders, -1 any.

    `own` are folders that are never entered.
    """

    hidden: bool = False
    linked: bool = False
    other_disks: bool = False
    largest: int = 10_000_000
    depth: int = -1
    own: tuple[str, ...] = ()


class WalkedFile(NamedTuple):
    """A file as the system tells of it; times in nanoseconds."""

    path: str
    size: int
    modified: int
    changed: int
    inode: int
    state: FileState


Refuses = Callable[[str], str]
"""From a path, with a slash behind that of a folder, to why it is excluded; "" for one that is not."""

_DOCUMENT = FileState.DOCUMENT


def keep_every(_path: str) -> str:
    """Exclude nothing."""
    return ""


class Walker:
    """Walks one root under some rules; `refuses` is asked for each path, unless it is None."""

    def __init__(self, rules: FileRules, refuses: Refuses | None = None) -> None:
        self._rules = rules
        self._refuses = refuses
        self._device = 0
        self._seen: set[tuple[int, int]] = set()

    def walk(self, root: str) -> Iterator[WalkedFile]:
        """Everything below a root, or the file that it is; raises OSError when the root itself cannot be read."""
        told = os.stat(root)  # noqa: PTH116 - paths here are texts, for speed
        self._device, self._seen = told.st_dev, {(told.st_dev, told.st_ino)}
        if not stat.S_ISDIR(told.st_mode):
            yield self._file(root, told)
            return
        waiting = [(root, 0)]
        with os.scandir(root):
            pass  # a root that cannot be listed is the caller's misfortune, not one file's
        while waiting:
            folder, depth = waiting.pop()
            below: list[tuple[str, int]] = []
            yield from self._list(folder, depth, below)
            waiting += reversed(below)

    def below(self, root: str, path: str) -> Iterator[WalkedFile]:
        """The same of one path below a root, a file or a folder; nothing of what is not there or not walked."""
        told = os.stat(root)  # noqa: PTH116 - as above
        self._device, self._seen = told.st_dev, {(told.st_dev, told.st_ino)}
        inside = path[len(root) :].strip("/").split("/") if path != root else []
        if any(name.startswith(".") for name in inside) and not self._rules.hidden:
            return
        if any(path == own or path.startswith(own + "/") for own in self._rules.own):
            return
        waiting, depth = [(path, len(inside))], len(inside)
        try:
            found = os.lstat(path)
        except OSError:
            return
        if not stat.S_ISDIR(found.st_mode):
            if not stat.S_ISLNK(found.st_mode):
                yield self._file(path, found)
            return
        if depth and self._folder_state(path, depth - 1, found) is not _DOCUMENT:
            return
        while waiting:
            folder, depth = waiting.pop()
            below: list[tuple[str, int]] = []
            yield from self._list(folder, depth, below)
            waiting += reversed(below)

    def _list(self, folder: str, depth: int, below: list[tuple[str, int]]) -> Iterator[WalkedFile]:
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            yield WalkedFile(folder, 0, 0, 0, 0, FileState.UNREADABLE)
            return
        for entry in listed:
            found = self._look(entry, depth)
            if found is None:
                below.append((entry.path, depth + 1))
            else:
                yield found

    def _look(self, entry: os.DirEntry[str], depth: int) -> WalkedFile | None:
        """What an entry of a folder is; None for a folder to be walked."""
        if entry.name[0] == "." and not self._rules.hidden:
            return _passed(entry, FileState.HIDDEN)
        try:
            if entry.is_symlink():
                return self._linked(entry, depth)
            if entry.is_dir(follow_symlinks=False):
                return self._folder(entry, depth, entry.stat(follow_symlinks=False))
            told = entry.stat(follow_symlinks=False)
        except OSError:  # gone, or out of reach, since the folder was listed
            return _passed(entry, FileState.UNREADABLE)
        return self._file(entry.path, told)

    def _linked(self, entry: os.DirEntry[str], depth: int) -> WalkedFile | None:
        if not self._rules.linked:
            return _passed(entry, FileState.LINK)
        try:
            told = entry.stat()
        except OSError:
            return _passed(entry, FileState.BROKEN_LINK)
        if stat.S_ISDIR(told.st_mode):
            return self._folder(entry, depth, told)
        return self._file(entry.path, told)

    def _folder(self, entry: os.DirEntry[str], depth: int, told: os.stat_result) -> WalkedFile | None:
        state = self._folder_state(entry.path, depth, told)
        if state is not _DOCUMENT:
            return _passed(entry, state)
        self._seen.add((told.st_dev, told.st_ino))
        return None

    def _folder_state(self, path: str, depth: int, told: os.stat_result) -> FileState:
        if (told.st_dev, told.st_ino) in self._seen:
            return FileState.LOOP
        if told.st_dev != self._device and not self._rules.other_disks:
            return FileState.OTHER_DISK
        if path in self._rules.own:
            return FileState.OWN
        if depth + 1 > _DEEPEST or 0 <= self._rules.depth < depth + 1:
            return FileState.DEEP
        return FileState.EXCLUDED if self._refuses is not None and self._refuses(path + "/") else _DOCUMENT

    def _file(self, path: str, told: os.stat_result) -> WalkedFile:
        state = _DOCUMENT
        if not stat.S_ISREG(told.st_mode):
            state = FileState.SPECIAL
        elif told.st_size > self._rules.largest:
            state = FileState.TOO_LARGE
        elif self._refuses is not None and self._refuses(path):
            state = FileState.EXCLUDED
        return WalkedFile(path, told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino, state)


def _passed(entry: os.DirEntry[str], state: FileState) -> WalkedFile:
    return WalkedFile(entry.path, 0, 0, 0, entry.inode(), state)

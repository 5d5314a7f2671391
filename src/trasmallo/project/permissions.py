"""Permissions: who asks, and which documents the system would not let them read now.

A document is permitted where the rights that are stored with it allow it and its file, looked at afresh, still does, with all
folders on the way. So a right that is taken away counts at once, and one that is given counts when the file was read again: a
file in the place of another says nothing about what was stored before. Of a file that is no longer there what is stored can be
asked by its owner, and by that of the project, if its rights allowed it.
"""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from urllib.parse import unquote_to_bytes

from trasmallo.crawl.files.access import read_access, read_acl
from trasmallo.values.access import EXECUTE, READ, Access, Asker, may
from trasmallo.values.errors import NotFound, UsageError

_asking_as: ContextVar[str] = ContextVar("asking_as", default="")
"""The user that is asked as where no other is named."""


@contextmanager
def asking_as(name: str) -> Iterator[None]:
    """Have projects that are opened in the block asked as a user of the system; "" is this process's own."""
    token = _asking_as.set(name)
    try:
        yield
    finally:
        _asking_as.reset(token)


def asker_named(name: str, folder: Path) -> Asker:
    """The user of a name or number, this process's own for ""; only the superuser and a project's owner may name another.

    Raises UsageError for others, NotFound where the system has no such user.
    """
    own, name = own_asker(), name or _asking_as.get()
    if not name or name in (own.name, str(own.uid)):
        return own
    if own.uid not in (0, owner_of(folder)):
        problem = "only the owner of {folder} and the superuser may ask as somebody else"
        raise UsageError(problem, "ask as yourself", folder=folder)
    return _user(name)


def own_asker() -> Asker:
    """The user that this process works for, with all its groups."""
    uid = os.geteuid()
    return Asker(uid=uid, name=_name_of(uid), groups=frozenset({os.getegid(), *os.getgroups()}))


def owner_of(folder: Path) -> int:
    """The number of a folder's owner; nobody's where there is no such folder."""
    try:
        return folder.stat().st_uid
    except OSError:
        return -1


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _user(name: str) -> Asker:
    try:
        found = pwd.getpwuid(int(name)) if name.isascii() and name.isdecimal() and len(name) < 10 else pwd.getpwnam(name)
    except (KeyError, ValueError):  # a zero byte
        if name.isascii() and name.isdecimal() and len(name) < 10:
            return Asker(uid=int(name), name=name, groups=frozenset({int(name)}))
        raise NotFound("this system has no user {name!r}", "name one of: getent passwd", name=name[:80]) from None
    groups = frozenset(os.getgrouplist(found.pw_name, found.pw_gid))
    return Asker(uid=found.pw_uid, name=found.pw_name, groups=groups)


class Permissions:
    """Looks at the rights of files for one asker; folders are looked at once, so it is for one question."""

    def __init__(self, asker: Asker, project_owner: int) -> None:
        self._asker = asker
        self._owner = project_owner
        self._is_own = asker.uid == os.geteuid()
        self._folders: dict[str, bool] = {}
        self._ways: dict[str, bool] = {}

    def denied(self, rights: Mapping[str, Access]) -> frozenset[str]:
        """The addresses of those documents that the asker may not read."""
        if self._asker.uid == 0:
            return frozenset()
        known: dict[Access, bool] = {}
        for access in rights.values():
            if access not in known:
                known[access] = self._may_read(access)
        return frozenset(url for url, access in rights.items() if not known[access])

    def _may_read(self, access: Access) -> bool:
        if not may(access, self._asker):
            return False
        if not access.path:
            return True
        path = os.fsdecode(unquote_to_bytes(access.path))
        try:
            return self._may_read_now(path)
        except (FileNotFoundError, NotADirectoryError):
            return self._asker.uid in (access.uid, self._owner)
        except (OSError, ValueError):
            return False

    def _may_read_now(self, path: str) -> bool:
        """Whether the system would let the asker read a file; raises FileNotFoundError where there is none."""
        if self._is_own and os.access(path, os.R_OK, effective_ids=True):
            return True
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            path = os.path.realpath(path)
            found = os.lstat(path)
        if self._is_own or not stat.S_ISREG(found.st_mode):
            return False
        # A path of its own for each file would cost three times as much.
        access = Access(uid=found.st_uid, gid=found.st_gid, mode=stat.S_IMODE(found.st_mode), acl=read_acl(path))
        return self._may_come_to(os.path.dirname(path)) and may(access, self._asker, READ)  # noqa: PTH120

    def _may_come_to(self, folder: str) -> bool:
        """Whether the asker may go to a folder, wherever links on the way to it lead."""
        if folder not in self._ways:
            self._ways[folder] = self._may_enter(os.path.realpath(folder))
        return self._ways[folder]

    def _may_enter(self, folder: str) -> bool:
        """Whether the asker may go through a folder and all above it."""
        if folder not in self._folders:
            above = os.path.dirname(folder)  # noqa: PTH120 - called for every file
            may_come = above == folder or self._may_enter(above)
            self._folders[folder] = may_come and may(read_access(folder), self._asker, EXECUTE)
        return self._folders[folder]

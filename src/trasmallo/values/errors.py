"""The project's misfortunes; a document's misfortune is a value (`model.Outcome`, `model.Drop`), never an exception.

TrasmalloError            something the user can repair; the message ends with the repair
├── UsageError            what was typed is wrong: exit code 2
│   ├── NothingDue        there is nothing to do now
│   ├── ConfigError       the project file
│   ├── NotFound          a project, run or table that is not there
│   ├── NoResults         a project that has not run yet, or found nothing
│   ├── UrlError          a URL that is none
│   ├── CriterionError    a criterion that cannot be understood
│   ├── QueryError        a corpus query that cannot be understood, or asks for too much
│   │   └── Crowded       it has too many ways to match
│   └── DocumentError     a document argument that cannot be read
└── ProjectError          the project cannot go on: exit code 1
    ├── ProjectBusy       another program works on it
    ├── ProjectChanged    somebody else changed its file meanwhile
    └── StoreError        what is on disk
        ├── StoreDamaged  a file ends or breaks where it should not
        ├── StoreTooNew   written by a later version of trasmallo
        └── StoreFull     the disk is full or may not be written
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from trasmallo.values.messages import Message


class Said(NamedTuple):
    """Problem and repair with their codes and arguments."""

    problem: Message
    repair: Message


class TrasmalloError(Exception):
    """A misfortune in one line: what is wrong, then what to do about it. The sentences are made when somebody asks for them."""

    exit_code = 1

    def __init__(self, problem: str, repair: str, /, **arguments: object) -> None:
        super().__init__(problem, repair)
        self._arguments = arguments

    @property
    def said(self) -> Said:
        """What the error says, for whoever says it in another language."""
        problem, repair = self.args
        return Said(Message(problem, **self._arguments), Message(repair, **self._arguments))

    @property
    def problem(self) -> str:
        """What is wrong, in plain English."""
        return str(self.said.problem)

    @property
    def repair(self) -> str:
        """What to do about it, in plain English."""
        return str(self.said.repair)

    @property
    def message(self) -> Message:
        """Both in one line."""
        return Message("{problem}: {repair}", **self.said._asdict())

    def __str__(self) -> str:
        return str(self.message)

    def __reduce__(self) -> tuple[type[TrasmalloError], tuple[object, ...]]:
        """Travel between processes; the default would lose the arguments."""
        return type(self), self.said


class UsageError(TrasmalloError):
    """What the user typed is wrong."""

    exit_code = 2


class NothingDue(UsageError):
    """There is nothing to do now; there will be later."""


class ConfigError(UsageError):
    """The project file is missing, broken, or says something impossible."""


class NotFound(UsageError):
    """A project, a run or a table that is not there."""


class NoResults(UsageError):
    """A project that has not run yet, or a run without documents: nothing can be told about its results."""


class UrlError(UsageError):
    """A URL that is none, or that we do not fetch."""


class CriterionError(UsageError):
    """A criterion to slice by is empty or broken.

    `code` names the mistake, `at` and `length` its place in the criterion in characters, `told` what the mistake is about.
    """

    def __init__(
        self,
        problem: str,
        repair: str,
        code: str = "",
        at: int = 0,
        length: int = 0,
        told: tuple[str, ...] = (),
        /,
        **arguments: object,
    ) -> None:
        super().__init__(problem, repair, **arguments)
        self.code, self.at, self.length, self.told = code, at, length, told

    def __reduce__(self) -> tuple[type[CriterionError], tuple[object, ...]]:
        return type(self), (*self.said, self.code, self.at, self.length, self.told)


class DocumentError(UsageError):
    """A document named on the command line cannot be read."""


class ProjectError(TrasmalloError):
    """The project cannot go on."""


class ProjectBusy(ProjectError):
    """Another program works on this project."""


class ProjectChanged(ProjectError):
    """Somebody else changed the project file since it was read."""


class StoreError(ProjectError):
    """Something about the files on disk."""


class StoreDamaged(StoreError):
    """A stored file ends or breaks where it should not."""


class StoreTooNew(StoreError):
    """The store was written by a later version."""


class StoreFull(StoreError):
    """The disk is full, or the folder may not be written."""


REBUILD = "rebuild it from the archive with: trasmallo repair DIR"
"""How damage is repaired in whatever follows from the archive and the project file."""

_FREE_SPACE = Message("free some space and run the same command again; nothing stored is lost")
_GIVE_PERMISSION = Message("give yourself write permission there or choose another folder")
_DISK_REPAIRS = {
    errno.ENOSPC: Said(Message("the disk is full"), _FREE_SPACE),
    errno.EDQUOT: Said(Message("the disk quota is used up"), _FREE_SPACE),
    errno.EFBIG: Said(
        Message("the file may not grow further"), Message("raise the limit on file sizes and run the same command again")
    ),
    errno.EACCES: Said(Message("no permission to write"), _GIVE_PERMISSION),
    errno.EPERM: Said(Message("no permission to write"), _GIVE_PERMISSION),
    errno.EROFS: Said(Message("the disk is read-only"), Message("choose a folder that can be written")),
}


def disk_error(error: OSError, path: Path) -> StoreFull | OSError:
    """The error a user can repair, or the same error where we know no repair."""
    if error.errno not in _DISK_REPAIRS:
        return error
    problem, repair = _DISK_REPAIRS[error.errno]
    return StoreFull("cannot write {path}: {problem}", repair, path=path, problem=problem)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Translate what the disk refuses into one line that ends with the repair."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, path) from error

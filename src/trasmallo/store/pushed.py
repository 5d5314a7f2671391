"""What hubs pushed to a project and no run has taken in yet: a folder a push, whole or not there.

A push cannot go into the store directly, since a run may be at work on it. Its folder has the feed as it came, in a WARC file,
and what was read of its new entries as a part (`parts`), so that these can be searched at once.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from trasmallo.store.archive import Archive
from trasmallo.store.parts import write_part
from trasmallo.values.atomic_files import remove
from trasmallo.values.errors import disk_errors
from trasmallo.values.model import Response
from trasmallo.values.software import SOFTWARE

FOLDER = "pushed"
_PART, _DRAFT = "part", ".draft"
_numbers = itertools.count()


def keep_push(project: Path, answer: Response, tables: Mapping[str, Iterable[msgspec.Struct]]) -> Path:
    """Keep a push with the rows of what is new in it; afterwards it survives the death of the program. Its folder."""
    name = f"{time.time_ns():020d}-{os.getpid()}-{next(_numbers)}"
    draft = project / FOLDER / (name + _DRAFT)
    with disk_errors(draft):
        draft.mkdir(parents=True)
        with Archive(draft, software=SOFTWARE, prefix=FOLDER) as archive:
            archive.append(answer)
        write_part(draft, _PART, tables)
        return draft.rename(draft.with_name(name))


def pushes(project: Path) -> list[Path]:
    """The folders of what was pushed, oldest first."""
    found = (project / FOLDER).glob("*-*")
    return sorted(path for path in found if path.is_dir() and not path.name.endswith(_DRAFT))


def pushed_parts(project: Path) -> dict[str, Path]:
    """The parts of what was pushed, by the names of the pushes, oldest first."""
    return {path.name: path / _PART for path in pushes(project)}


def files_of(push: Path) -> list[Path]:
    """The files that hold a push as it came."""
    return sorted(push.glob("*.warc.gz"))


def forget_pushes(taken: Iterable[Path]) -> None:
    """Remove what a run has taken in."""
    for push in taken:
        remove(push)

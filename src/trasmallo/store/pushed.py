"""What hubs pushed to a project and no run has taken in yet: a folder a push, whole or not there.

A push cannot go into the store directly, since a run may be at work on it. Its folder has the feed as it came, in a WARC file,
and what was read of its new entries as a part (`parts`), so that these can be searched at once.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.store.archive import Archive
from trasmallo.store.parts import write_part
from trasmallo.values.access import Access, access_of
from trasmallo.values.atomic_files import remove
from trasmallo.values.decodable import decodable
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


class _Restricted(msgspec.Struct):
    """What a row of a page says of who may read it."""

    url: str
    access: str = ""


def pushed_rights(project: Path) -> dict[str, Access]:
    """The rights of documents of pushes and changed files that not everybody may read; the store does not know of them yet."""
    found, decoder = dict[str, Access](), msgspec.json.Decoder(decodable(_Restricted))
    for part in (*pushed_parts(project).values(), *early_parts(project).values()):
        with suppress(FileNotFoundError):  # a run has taken it in meanwhile
            for row in map(decoder.decode, (part / "pages.jsonl").read_bytes().splitlines()):
                if (access := access_of(row.access)) is not None:
                    found[row.url] = access
    return found


def files_of(push: Path) -> list[Path]:
    """The files that hold a push as it came."""
    return sorted(push.glob("*.warc.gz"))


def forget_pushes(taken: Iterable[Path]) -> None:
    """Remove what a run has taken in."""
    for push in taken:
        remove(push)


EARLY = "early"
"""The folder of what changed in folders and mailboxes and no run has taken in yet."""

_GONE = "gone"


class GoneDocument(msgspec.Struct, frozen=True):
    """A document that is no longer there."""

    document: str


def keep_early(project: Path, tables: Mapping[str, Iterable[msgspec.Struct]], gone: Iterable[str]) -> Path:
    """Keep rows of documents that changed, and the ids of those that are gone, until a run takes them in; their folder."""
    name = f"{time.time_ns():020d}-{os.getpid()}-{next(_numbers)}"
    draft = project / EARLY / (name + _DRAFT)
    with disk_errors(draft):
        draft.mkdir(parents=True, mode=0o700)
        write_part(draft, _PART, {**tables, _GONE: [GoneDocument(document) for document in gone]})
        return draft.rename(draft.with_name(name))


def early_parts(project: Path) -> dict[str, Path]:
    """The parts of what changed, by name, oldest first."""
    found = (path for path in (project / EARLY).glob("*-*") if path.is_dir() and not path.name.endswith(_DRAFT))
    return {path.name: path / _PART for path in sorted(found)}


def gone_in(part: Path) -> list[str]:
    """The documents that a part says are gone."""
    path, decoder = part / f"{_GONE}.jsonl", msgspec.json.Decoder(decodable(GoneDocument))
    return [decoder.decode(line).document for line in path.read_bytes().splitlines()] if path.exists() else []


def forget_early(project: Path, before: float) -> None:
    """Remove what was kept before a time, in seconds: a run has taken it in."""
    for path in (project / EARLY).glob("*-*"):
        if path.name[:20].isdigit() and int(path.name[:20]) < before * 1e9:
            remove(path)

"""The index of a collection with what hubs pushed and feeds told since: that of its run as links, and the new documents added.

The files of an index never change once they are written, so links to them take no room and the run's own index stays as it is.
It lies in the run's cache, and is made again when there is another index or when it is lost.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from trasmallo.results.search.indexing import LIVE, entries_of_part
from trasmallo.store.index.folder import IndexWriter, begin_with, put_in_place, read_stamp, why_unusable
from trasmallo.store.pushed import gone_in
from trasmallo.values.errors import StoreDamaged, disk_errors
from trasmallo.values.folder_lock import locked

PUSHED = "index.pushed"
"""What its folder is called in a run's cache."""

_ORIGIN = "origin"
"""The file in it that says of which index it is made."""


def follow_pushes(base: Path, cache: Path, parts: Mapping[str, Path]) -> Path:
    """The index in `base` with the documents of these parts; base itself where there are none.

    That of a run that goes on has pages as they are read, which stand for what feeds told of them.
    """
    if not parts:
        return base
    with locked(cache / (PUSHED + ".lock")):
        folder = cache / PUSHED
        taken = _taken(base, folder)
        if taken is None:
            _begin(base, folder)
            taken = set()
        if not parts.keys() <= taken:
            _add(folder, {name: part for name, part in parts.items() if name not in taken}, taken, keep=base.name == LIVE)
        return folder


def begin_empty(folder: Path) -> None:
    """An index without documents, for a run that has read none yet."""
    with IndexWriter(folder) as writer:
        writer.commit()


def _taken(base: Path, folder: Path) -> set[str] | None:
    """The pushes that are in the index; None when it must be begun."""
    origin, stamp = folder / _ORIGIN, read_stamp(folder)
    if stamp is None or why_unusable(folder) or not origin.exists() or origin.read_text() != _identity(base):
        return None
    return set(stamp.taken)


def _begin(base: Path, folder: Path) -> None:
    draft = folder.with_name(PUSHED + ".draft")
    with disk_errors(draft):
        shutil.rmtree(draft, ignore_errors=True)
        begin_with(base, draft)
        (draft / _ORIGIN).write_text(_identity(base))
    with IndexWriter(draft) as writer:
        writer.commit()
    put_in_place(draft, folder)


def _add(folder: Path, parts: Mapping[str, Path], taken: set[str], *, keep: bool) -> None:
    """Add the documents of parts, which replace those that are there, or with `keep` do not."""
    with IndexWriter(folder) as writer:
        for name, part in parts.items():
            try:
                found = list(entries_of_part(part))
            except (StoreDamaged, FileNotFoundError):
                continue  # a run has taken it in meanwhile
            found = [entry for entry in found if not (keep and writer.holds(entry.id))]
            writer.remove([*gone_in(part), *(entry.id for entry in found)])
            writer.add(found)
            taken.add(name)
        writer.commit(taken)


def pushed_documents(parts: Mapping[str, Path]) -> set[str]:
    """The documents of these parts."""
    found: set[str] = set()
    for part in parts.values():
        with suppress(StoreDamaged, FileNotFoundError):
            found.update(entry.id for entry in entries_of_part(part))
    return found


def _identity(base: Path) -> str:
    return f"{base}\n{(base / 'stamp.json').stat().st_mtime_ns}"

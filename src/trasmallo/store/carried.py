"""What a run takes over from the one before it: files of results that stay as they are, linked and not copied.

A run of a collection that has results adds to them. Its folder `carried` holds the tables and the tokens of the run before, as
hard links, so that these stay even if that run is made again or removed. A document counts there unless the run's own parts
have it too, or it is gone (`outdated_documents`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.store import digests
from trasmallo.store.layers import names_of
from trasmallo.store.parts import TOKENS, documents_done
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import drafted, remove
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import disk_errors

GONE = "gone.jsonl"
"""The pages that are no longer there, in the folder of a run and in what it carries."""

COPIES = "copies.jsonl"
"""The copies among its documents, the same."""


ENTRIES = "entries.jsonl"
"""The entries of the collection's feeds, in the folder of a run."""


class _Named(msgspec.Struct):
    document: str


def carry_over(base: Run, run: Run, tables: Iterable[str], index: str) -> None:
    """Let a run carry these tables, the tokens and the `index` of another that is finished.

    Raises StoreDamaged if one of them was damaged; an index is looked at when it is used.
    """
    wanted = {*(name for table in tables for name in names_of(table)), TOKENS, COPIES, GONE}
    sealed = {name: found for name, found in digests.sealed_files(base.folder).items() if name in wanted}
    for name in sealed:
        digests.verify(base.folder / name)
    with drafted(run.carried) as draft:
        remove(draft)
        draft.mkdir()
        for name in sealed:
            os.link(base.folder / name, draft / name)
        _link_index(base, draft, index)
        digests.seal_as(draft, sealed)


def adopt_all(base: Run, run: Run, index: str) -> None:
    """Let a run have all results of another, with its `index`, since nothing differs; both keep them when one goes."""
    sealed = digests.sealed_files(base.folder)
    for name in sealed:
        digests.verify(base.folder / name)
    with disk_errors(run.folder):
        for name in sealed:
            remove(run.folder / name)
            os.link(base.folder / name, run.folder / name)
        remove(run.folder / index)
        _link_index(base, run.folder, index)
    digests.seal_as(run.folder, sealed)


def _link_index(base: Run, folder: Path, index: str) -> None:
    if (base.folder / index).exists():
        shutil.copytree(base.folder / index, folder / index, copy_function=os.link)


def outdated_documents(run: Run) -> set[str]:
    """The documents of what a run carries that count no more: its own parts have them, or they are gone."""
    return {*documents_done(run.shown_parts), *named_documents(run.folder / GONE)}


def carried_tokens(run: Run) -> dict[Path, Collection[str]]:
    """The file of tokens that a run carries, with the documents to leave out of it; nothing when it carries none."""
    path = run.carried / TOKENS
    if not run.carried.exists():
        return {}
    digests.verify(path)
    return {path: outdated_documents(run)} if path.exists() else {}


def named_documents(path: Path) -> Iterator[str]:
    """The documents that a file of JSON lines names, none when there is no such file."""
    digests.verify(path)
    decoder = msgspec.json.Decoder(decodable(_Named))
    with suppress(FileNotFoundError):
        yield from (decoder.decode(line).document for line in path.read_bytes().splitlines())

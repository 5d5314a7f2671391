"""Results arrive in parts: a folder a batch of documents, with a file of JSON lines a table.

A part exists when its folder has been renamed into place, all of it or none of it: a crash costs the documents of the batch
at work, and they are read again. So every document is in exactly one part, however often the program was killed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
import xxhash

from trasmallo.errors import disk_errors

_DRAFT = ".draft"


class _Key(msgspec.Struct):
    document: str


def document_id(url: str) -> str:
    """The id of the document at a URL: 64 bits in hex (at ten million documents, 3 in a million that any two share one)."""
    return xxhash.xxh3_64_hexdigest(url.encode())


def write_part(parts: Path, name: str, tables: Mapping[str, Iterable[msgspec.Struct]]) -> None:
    """Write a part whole. `name` sorts parts; an existing part of that name stays as it is."""
    draft = parts / (name + _DRAFT)
    with disk_errors(draft):
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        encoder = msgspec.json.Encoder()
        for table, rows in tables.items():
            (draft / f"{table}.jsonl").write_bytes(encoder.encode_lines(list(rows)))
        draft.rename(parts / name)


def finished_parts(parts: Path) -> list[Path]:
    """The parts that are whole, in order."""
    if not parts.is_dir():
        return []
    return sorted(path for path in parts.iterdir() if path.is_dir() and path.suffix != _DRAFT)


def remove_drafts(parts: Path) -> None:
    """Clear what a crash left; no other process may be writing."""
    for draft in parts.glob("*" + _DRAFT):
        shutil.rmtree(draft, ignore_errors=True)


def documents_done(parts: Path) -> Iterator[str]:
    """Ids of the documents that have their rows."""
    decoder = msgspec.json.Decoder(_Key)
    for part in finished_parts(parts):
        path = part / "pages.jsonl"
        if path.exists():
            yield from (row.document for row in map(decoder.decode, path.read_bytes().splitlines()))

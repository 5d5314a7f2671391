"""Indexes of parts of a collection joined into one: their files are linked and listed together, and nothing is indexed again.

A tantivy index is a list of segments that no one changes, and a searcher weighs words by their numbers in all of them. So an
index whose segments were written by several machines, each for a share of the documents, answers as if one had written them:
the same hits, scores, facets and counts. Only documents of equal scores may stand in another order behind the first fifty.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.store.index.folder import Stamp, begin_with, link_file, write_stamp
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import StoreDamaged, disk_errors

_META, _MANAGED = "meta.json", ".managed.json"


class _Meta(msgspec.Struct):
    """tantivy's list of segments; the rest of it is the same in all indexes of ours."""

    index_settings: msgspec.Raw
    segments: list[msgspec.Raw]
    schema: msgspec.Raw
    opstamp: int = 0


def join_indexes(parts: Sequence[Path], folder: Path) -> None:
    """Make an index in a new folder of those in the parts, at least one, which hold no document twice and stay as they are."""
    begin_with(parts[0], folder)
    joined, managed = _read_meta(parts[0]), set(_managed(parts[0]))
    with disk_errors(folder):
        for part in parts[1:]:
            meta, names = _read_meta(part), _managed(part)
            if bytes(meta.schema) != bytes(joined.schema):
                raise StoreDamaged("{part} is an index of another version", "run the same command again", part=part)
            for name in names:
                if name != _META:
                    link_file(part / name, folder / name)
            joined.segments += meta.segments
            joined.opstamp = max(joined.opstamp, meta.opstamp)
            managed |= set(names)
        (folder / _MANAGED).write_bytes(msgspec.json.encode(sorted(managed)))
        (folder / _META).write_bytes(msgspec.json.encode(joined))
        write_stamp(folder, Stamp())


def _read_meta(part: Path) -> _Meta:
    with disk_errors(part):
        return msgspec.json.decode((part / _META).read_bytes(), type=decodable(_Meta))


def _managed(part: Path) -> list[str]:
    """The files of an index by tantivy's own list; those of segments that were put together may be gone."""
    with disk_errors(part):
        names = msgspec.json.decode((part / _MANAGED).read_bytes(), type=list[str])
        return [name for name in names if (part / name).exists()]

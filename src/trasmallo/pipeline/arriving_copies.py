"""Copies among the documents of a run while more of them arrive, so that its tables tell them before it ends.

Who is the original of a group can change as documents come. When the run ends all of them are compared once more
(`find_copies`), so that the end does not depend on who came first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from trasmallo.clean.copies.signatures import unpack
from trasmallo.pipeline.duplicates import write_copies
from trasmallo.results.tables import CopyRow
from trasmallo.store.parts import finished_parts
from trasmallo.store.run_folders import Run

if TYPE_CHECKING:
    from trasmallo.clean.copies.discovery import Pairs

Row = TypeVar("Row", bound=msgspec.Struct)

_MOST = 1_000_000


class _Named(msgspec.Struct):
    document: str
    url: str


class _Signed(msgspec.Struct):
    document: str
    signature: str


class Arrivals:
    """Follows the parts of a run: about a kilobyte of memory a document, for the first million of them.

    `found` is how many copies there are so far. No other process may merge parts while it looks.
    """

    def __init__(self, run: Run, least: float) -> None:
        from trasmallo.clean.copies.index import Index

        self.found = 0
        self._run = run
        self._index = Index(least)
        self._urls: dict[str, str] = {}
        self._pairs: list[Pairs] = []
        self._taken: set[str] = set()

    def look(self) -> None:
        """Take in the parts that are new, and write down the copies when there are more."""
        before = len(self._pairs)
        parts = {part.name: part for part in finished_parts(self._run.parts)}
        for name in parts.keys() - self._taken if len(self._urls) < _MOST else ():
            self._take(parts[name])
        self._taken = set(parts)
        if len(self._pairs) > before:
            rows = list(self._copies())
            write_copies(self._run, rows)
            self.found = len(rows)

    def _take(self, part: Path) -> None:
        """The documents of a part; those of a merged one may be known."""
        urls = {row.document: row.url for row in _rows(part / "pages.jsonl", _Named)}
        fresh = [row for row in _rows(part / "texts.jsonl", _Signed) if row.document not in self._urls]
        self._urls.update((row.document, urls[row.document]) for row in fresh)
        pairs = self._index.add(unpack(row.signature for row in fresh))
        if len(pairs.first):
            self._pairs.append(pairs)

    def _copies(self) -> Iterator[CopyRow]:
        """The copies so far: of those that are alike the one with the shortest address is the original."""
        import numpy as np

        from trasmallo.clean.copies import discovery

        one, other, similarity = (np.concatenate(column) for column in zip(*self._pairs, strict=True))
        names = list(self._urls.items())
        alike = sorted({*one.tolist(), *other.tolist()}, key=lambda number: (len(names[number][1]), names[number][1]))
        place = np.zeros(len(names), dtype=np.intp)
        place[alike] = np.arange(len(alike))
        one, other = place[one], place[other]
        pairs = discovery.Pairs(np.minimum(one, other), np.maximum(one, other), similarity)
        original, share = discovery.originals(pairs, len(alike))
        for copy, first in enumerate(original):
            if copy != first:
                (document, url), (copy_of, address) = names[alike[copy]], names[alike[first]]
                yield CopyRow(document, url, copy_of, address, share[copy])


def _rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    decoder = msgspec.json.Decoder(kind)
    yield from map(decoder.decode, path.read_bytes().splitlines() if path.exists() else ())

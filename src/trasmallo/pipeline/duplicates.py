"""Copies and near copies among the documents of a run, while they arrive and once all of them are there.

Of documents that are alike the one with the shortest address is the original (then the first in the alphabet). Who that is can
change as documents come, so all of them are compared once more when a run ends: the same choice in every run, whatever the
order of arrival was. A million documents take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from trasmallo.clean.copies.signatures import unpack
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import CopyRow
from trasmallo.store.parts import finished_parts
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import decodable

if TYPE_CHECKING:
    from trasmallo.clean.copies.discovery import Pairs
    from trasmallo.clean.copies.minhash import Signatures

Row = TypeVar("Row", bound=msgspec.Struct)

_AT_ONCE = 10_000
"""Signatures that are unpacked together. Judgement: some 10 MB."""

_MOST_FOLLOWED = 1_000_000
"""Documents that are compared while they arrive, at about a kilobyte each; later ones are when the run ends."""


class NamedDocument(msgspec.Struct, frozen=True):
    """A document and its address."""

    document: str
    url: str


class SignedDocument(msgspec.Struct, frozen=True):
    """A document and the fingerprint of its text."""

    document: str
    signature: str


def find_copies(run: Run, least: float) -> int:
    """Write `copies.jsonl` for a run: every document at least this similar to its original; returns how many."""
    from trasmallo.clean.copies import minhash

    rows: Sequence[CopyRow] = ()
    if least:
        with Tables(run, frugal=True) as tables:
            names, signed = signed_documents(tables)
        rows = choose_originals(names, minhash.all_pairs(signed, least))
    write_copies(run, rows)
    return len(rows)


class ArrivingCopies:
    """Follows the parts of a run while they come, so that its tables tell copies before it ends.

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
        for name in parts.keys() - self._taken if len(self._urls) < _MOST_FOLLOWED else ():
            self._take(parts[name])
        self._taken = set(parts)
        if len(self._pairs) > before:
            rows = choose_originals(list(self._urls.items()), *self._pairs)
            write_copies(self._run, rows)
            self.found = len(rows)

    def _take(self, part: Path) -> None:
        """The documents of a part; those of a merged one may be known."""
        urls = {row.document: row.url for row in _rows(part / "pages.jsonl", NamedDocument)}
        fresh = [row for row in _rows(part / "texts.jsonl", SignedDocument) if row.document not in self._urls]
        self._urls.update((row.document, urls[row.document]) for row in fresh)
        pairs = self._index.add(unpack(row.signature for row in fresh))
        if len(pairs.first):
            self._pairs.append(pairs)


def choose_originals(names: Sequence[tuple[str, str]], *found: Pairs) -> list[CopyRow]:
    """The copies among documents, (document, url) each, that are alike in pairs of their numbers."""
    import numpy as np

    from trasmallo.clean.copies import discovery

    one, other, similarity = (np.concatenate(column) for column in zip(*found, strict=True))
    alike = sorted({*one.tolist(), *other.tolist()}, key=lambda number: (len(names[number][1]), names[number][1]))
    place = np.zeros(len(names), dtype=np.intp)
    place[alike] = np.arange(len(alike))
    one, other = place[one], place[other]
    pairs = discovery.Pairs(np.minimum(one, other), np.maximum(one, other), similarity)
    original, share = discovery.originals(pairs, len(alike))
    ordered: list[tuple[str, str]] = [names[number] for number in alike]
    copies = [(copy, first) for copy, first in enumerate(original) if copy != first]
    return [CopyRow(*ordered[copy], *ordered[first], share[copy]) for copy, first in copies]


def write_copies(run: Run, rows: Sequence[CopyRow]) -> None:
    """Put these copies in the place of those that were known."""
    write_whole(run.folder / "copies.jsonl", msgspec.json.Encoder().encode_lines(rows))


def signed_documents(tables: Tables) -> tuple[list[tuple[str, str]], Signatures]:
    """(document, url) of every document, short addresses first, and their signatures in the same order."""
    import numpy as np

    names: list[tuple[str, str]] = []
    signed = [unpack([])]
    documents = tables.documents("signature")
    while rows := list(islice(documents, _AT_ONCE)):
        names.extend((document, url) for document, url, _ in rows)
        signed.append(unpack(signature for _, _, signature in rows))
    return names, np.concatenate(signed)


def _rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    decoder = msgspec.json.Decoder(decodable(kind))
    yield from map(decoder.decode, path.read_bytes().splitlines() if path.exists() else ())

"""Several files of tokens become one, streaming.

Memory: the lexicons of what is merged, about 250 bytes for each distinct word or lemma and 100 for each type, and a million
tokens at a time. Documents come in the order of their ids and strings in that of their counts, so the result does not depend on
the order or the number of the files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.errors import disk_errors
from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.lexicon import Lexicon
from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.store.tokens.streams import Columns, Piece, Stream, joined
from trasmallo.store.tokens.wordtypes import ATTRIBUTES, Rows, Types

_AT_ONCE = 1 << 20


def merge(paths: Sequence[Path], target: Path, without: Collection[str] = ()) -> None:
    """Write one file that holds the documents of all of these, except those with the ids `without`; whole or not at all.

    Raises StoreDamaged when one of them is not what was written.
    """
    left_out = np.array(sorted(int(document, 16) for document in without), dtype=np.uint64)
    sources = [_Source.open(path, left_out) for path in paths]
    chosen = sorted((entry for number, source in enumerate(sources) for entry in source.entries(number)), key=_by_id)
    types = _final_types(sources)
    draft = target.with_name(target.name + ".new")
    with disk_errors(target), Writer(draft) as writer:
        _write(writer, types, sources, chosen)
        draft.replace(target)


class _Entry(NamedTuple):
    """A document to take over: from which source, and where it stands there."""

    id: int
    source: int
    place: int
    first: int
    last: int


def _by_id(entry: _Entry) -> tuple[int, int]:
    return entry.id, entry.source


class _Source:
    """A file to merge; `kept` says which of its documents are taken over."""

    def __init__(self, sections: Sections, kept: NDArray[np.bool_], documents: DocumentTable) -> None:
        self._sections = sections
        self.kept = kept
        self.documents = documents
        self.columns = Columns(sections)
        self.counts = self._count()
        self.used = np.flatnonzero(self.counts)

    @classmethod
    def open(cls, path: Path, left_out: NDArray[np.uint64]) -> _Source:
        sections = Sections(path)
        sections.verify()
        documents = DocumentTable.read(sections)
        return cls(sections, ~np.isin(documents.ids, left_out), documents)

    def entries(self, number: int) -> Iterator[_Entry]:
        for index in np.flatnonzero(self.kept).tolist():
            first, last = int(self.documents.bounds[index]), int(self.documents.bounds[index + 1])
            yield _Entry(int(self.documents.ids[index]), number, index, first, last)

    def language(self, index: int) -> str:
        return self.documents.languages[int(self.documents.language[index])]

    def texts(self, attribute: str) -> tuple[list[bytes], Rows]:
        """The strings of an attribute that are used, and for each used type the place of its own among them."""
        numbers, places = np.unique(self._sections.array(f"type.{attribute}")[self.used], return_inverse=True)
        raws = Lexicon(self._sections, attribute).raws()
        return [raws[number] for number in numbers.tolist()], places.astype(np.uint32)

    def _count(self) -> NDArray[np.int64]:
        """The tokens of each type in the documents that are kept."""
        counts = self._sections.array("type.count").astype(np.int64)
        for index in np.flatnonzero(~self.kept).tolist():
            first, last = self.documents.bounds[index : index + 2].tolist()
            counts -= np.bincount(self.columns.types(slice(first, last)), minlength=len(counts))
        return counts


def _final_types(sources: Sequence[_Source]) -> Types:
    texts = {}
    rows: Rows = np.empty((len(ATTRIBUTES), sum(len(source.used) for source in sources)), dtype=np.uint32)
    for place, name in enumerate(ATTRIBUTES):
        known: dict[bytes, int] = {}
        mapped = [np.zeros(0, dtype=np.uint32)]
        for source in sources:
            found, places = source.texts(name)
            numbers = np.fromiter((known.setdefault(text, len(known)) for text in found), np.uint32, len(found))
            mapped.append(numbers[places])
        rows[place] = np.concatenate(mapped)
        texts[name] = list(known)
    counts = np.concatenate([np.zeros(0, dtype=np.int64), *(source.counts[source.used] for source in sources)])
    return Types(texts, rows, counts)


def _write(writer: Writer, types: Types, sources: Sequence[_Source], chosen: Sequence[_Entry]) -> None:
    types.write(writer)
    named = [(entry.id, sources[entry.source].language(entry.place)) for entry in chosen]
    documents = DocumentTable.of(named, [entry.last - entry.first for entry in chosen])
    documents.write(writer)
    odd = sum(len(sources[entry.source].columns.odd(entry.first, entry.last).token) for entry in chosen)
    stream = Stream(writer, types, int(documents.bounds[-1]), odd)
    for piece in _pieces(sources, chosen, _numbers(sources, types)):
        stream.append(piece)
    writer.finish(documents.languages)


def _numbers(sources: Sequence[_Source], types: Types) -> list[Rows]:
    """For each source what its types are called from now on."""
    numbers, done = [], 0
    for source in sources:
        of_source = np.zeros(len(source.counts), dtype=np.uint32)
        of_source[source.used] = types.number[done : done + len(source.used)]
        done += len(source.used)
        numbers.append(of_source)
    return numbers


def _pieces(sources: Sequence[_Source], chosen: Sequence[_Entry], numbers: Sequence[Rows]) -> Iterator[Piece]:
    """The documents' tokens in order, about `_AT_ONCE` at a time."""
    waiting: list[Piece] = []
    tokens = 0
    for entry in chosen:
        piece = sources[entry.source].columns.piece(entry.first, entry.last)
        waiting.append(piece._replace(types=numbers[entry.source][piece.types]))
        tokens += entry.last - entry.first
        if tokens >= _AT_ONCE:
            yield joined(waiting)
            waiting, tokens = [], 0
    if waiting:
        yield joined(waiting)

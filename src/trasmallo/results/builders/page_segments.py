"""Builder of the segments of each page: which of the segments of the corpus a document has, and how often (DAWeb, figure 8).

They are counted by their places, some whole documents at a time. Memory: about
100 bytes for each segment of the corpus, and 40 for each occurrence in the documents at work; 8 bytes of disk an occurrence
while it lasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from trasmallo.results.builders.counts import Batch, BuiltColumns, TokenSource, document_texts
from trasmallo.results.builders.found_segments import found_segments
from trasmallo.results.builders.key_columns import SequenceColumn, sequence_column
from trasmallo.store.parquet import Kind, listed
from trasmallo.study import segments
from trasmallo.study.grouping import ordered
from trasmallo.values.arrays import Array, Whole


def segments_by_page(source: TokenSource) -> BuiltColumns:
    """The segments of each document, by what they are sequences of, from frequent to rare, long ones first."""
    names = sorted(dict.fromkeys(source.study.segments_of))
    found = [_Sequences(place, sequence_column(name, source.corpus, source.study)) for place, name in enumerate(names)]
    placed = [one for name, sequences in zip(names, found, strict=True) for one in _placed(name, sequences, source)]
    texts, languages = (sorted({text for one in placed for text in some(one)}) for some in (_texts, _languages))
    numbered = [one.numbered(_numbers(texts), _numbers(languages)) for one in placed]
    columns: dict[str, Kind] = {"document": document_texts(source.corpus), "segment": listed(texts)}
    columns |= {"length": np.int64, "count": np.int64, "of": listed(names), "language": listed(languages)}
    return BuiltColumns(columns, _batches(source, numbered))


class _Sequences(NamedTuple):
    """A column in which segments are found, and the place of its name among those of all."""

    of: int
    source: SequenceColumn


class _Placed(NamedTuple):
    """The segments of one kind and length, how they are written, and their languages."""

    sequences: _Sequences
    found: segments.PlacedSegments
    texts: list[str]
    languages: list[str]

    def numbered(self, texts: dict[str, int], languages: dict[str, int]) -> _Numbered:
        """The same with numbers instead of texts."""
        numbers, spoken = (
            np.fromiter(map(number.__getitem__, column), np.int64, len(column))
            for number, column in ((texts, self.texts), (languages, self.languages))
        )
        return _Numbered(self.sequences, self.found, numbers, spoken)


class _Numbered(NamedTuple):
    """The segments of one kind and length, and the numbers of the text and the language of each."""

    sequences: _Sequences
    found: segments.PlacedSegments
    numbers: Whole
    spoken: Whole

    def rows(self, low: int, high: int) -> tuple[Array, ...]:
        """Document, kind, count, length, text and language of each segment of the documents from `low` to before `high`."""
        bounds, size = self.sequences.source.bounds.documents, max(len(self.numbers), 1)
        low, high = (min(document, len(bounds) - 1) for document in (low, high))
        places, ranks = self.found.between(int(bounds[low]), int(bounds[high]))
        documents = np.searchsorted(bounds, places, side="right") - 1
        both, counts = np.unique(documents * size + ranks, return_counts=True)
        documents, ranks = np.divmod(both, size)
        same = np.full(len(both), self.found.segments.length), np.full(len(both), self.sequences.of)
        return documents, same[1], counts, same[0], self.numbers[ranks], self.spoken[ranks]


def _placed(name: str, sequences: _Sequences, tokens: TokenSource) -> Iterator[_Placed]:
    source = sequences.source
    for found in found_segments(tokens, name, source):
        content = segments.content(source.column, found.segments).tolist()
        yield _Placed(sequences, found, list(map(source.spell, content)), [source.language(some[0]) for some in content])


def _texts(placed: _Placed) -> list[str]:
    return placed.texts


def _languages(placed: _Placed) -> list[str]:
    return placed.languages


def _numbers(texts: list[str]) -> dict[str, int]:
    return dict(zip(texts, range(len(texts)), strict=True))


def _batches(source: TokenSource, numbered: list[_Numbered]) -> Iterator[Batch]:
    bounds, low = source.corpus.documents.bounds, 0
    while low < len(source.corpus.documents):
        high = max(int(np.searchsorted(bounds, bounds[low] + source.at_once, side="right")) - 1, low + 1)
        found = [one.rows(low, high) for one in numbered]
        if found:
            document, of, count, length, text, language = (np.concatenate(column) for column in zip(*found, strict=True))
            rare, short = count.max(initial=0) - count, length.max(initial=0) - length
            order = ordered([document - low, of, rare, short, text, language])
            yield tuple(column[order] for column in (document, text, length, count, of, language))
        low = high

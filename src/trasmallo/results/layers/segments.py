"""Segments: sequences whose number differs by the documents that changed are counted again, all others stay.

1. Of the documents that were removed and added all sequences are found, and those that now occur more or less often.
2. These alone are counted in the whole corpus, in one pass (`study.sequence_counts`); by how much they changed is known, so it
   is known too which of them were frequent before.
3. Of a document that was added, its segments are those that are frequent by 2, and of the sequences that did not change those
   that the documents that were removed had.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.key_columns import KeyColumn, WordLists, sequence_column
from trasmallo.results.layers.changes import Changes, TableChange
from trasmallo.results.registry import Table
from trasmallo.store.tokens import Corpus
from trasmallo.study.sequence_counts import (
    GivenSequences,
    Hashes,
    PlacedSequences,
    SequenceCounts,
    count_sequences,
    hashed,
    sequences_of,
)
from trasmallo.study.word_lists import frequent
from trasmallo.values.arrays import Array, Integers, Mask, Whole

_ATTRIBUTES = {"words": "word", "lemmas": "lemma"}
"""What segments can be of whose sequences are told apart by their texts alone."""

_KEPT, _PLACED = "changed_segments", "changed_page_segments"
_REMOVED_ROWS = """
    SELECT segment, length, "of", language FROM base_segments_by_page SEMI JOIN removed_documents USING (document)
    WHERE "of" = ? GROUP BY ALL"""
_ROWS = 'SELECT segment, length, count, documents, "of", language FROM changed_segments WHERE count > 0'
_ROWS_OF_PAGES = "SELECT * FROM changed_page_segments WHERE count > 0"
_SUPERSEDED_OF_PAGES = """
    SELECT document, segment, "of", language FROM base_segments_by_page SEMI JOIN removed_documents USING (document)
    UNION SELECT document, segment, "of", language FROM changed_page_segments"""


def of_segments(changes: Changes, _table: Table) -> TableChange | None:
    """The segments of the corpus; None where they depend on more than the documents that changed."""
    if not _are_told(changes):
        return None
    _find(changes)
    return TableChange(f'SELECT segment, "of", language FROM {_KEPT}', _ROWS)  # noqa: S608 - all of it is ours


def of_pages(changes: Changes, _table: Table) -> TableChange | None:
    """The segments of each page, after those of the corpus."""
    return TableChange(_SUPERSEDED_OF_PAGES, _ROWS_OF_PAGES) if _are_told(changes) else None


def _are_told(changes: Changes) -> bool:
    """Whether sequences that did not change stay segments, or none, and are known by their texts."""
    study = changes.study
    if study.segments != "all" or not set(study.segments_of) <= _ATTRIBUTES.keys():
        return False
    lists = WordLists.of(changes.now.corpus, study, frequent(study))
    if lists and any(one.lemmas for one in (*lists.stop, *(lists.only or ()))):
        return False
    columns = (KeyColumn.of(changes.now.corpus, _ATTRIBUTES[of]) for of in study.segments_of)
    return not any(" " in text for column in columns for text in column.keys)


def _find(changes: Changes) -> None:
    """Have the tables of what changed."""
    kept: list[dict[str, Array]] = []
    placed: list[dict[str, Array]] = []
    for of in dict.fromkeys(changes.study.segments_of):
        found = _OneKind(changes, of)
        kept += found.segments()
        placed += found.of_pages()
    texts = ("document", "segment", "of", "language")
    for name, pieces, numbers in ((_KEPT, kept, ("length", "count", "documents")), (_PLACED, placed, ("length", "count"))):
        columns = [column for column in (*texts, *numbers) if name == _PLACED or column != "document"]
        empty = {column: np.zeros(0, object if column in texts else np.int64) for column in columns}
        whole = {column: np.concatenate([piece[column] for piece in (empty, *pieces)]) for column in columns}
        changes.tables.connection.keep(name, whole)


class _Difference(NamedTuple):
    """The distinct sequences of one length in what was removed and added, in the order of their hashes.

    `more` says how much more often each occurs now, `spread` in how many documents more; `rows` are (sequence, document,
    occurrences there) of those that were added. `counted` are the places of those that were counted in the whole corpus.
    """

    given: GivenSequences
    more: Whole
    spread: Whole
    rows: Whole
    counted: Whole


class _OneKind:
    """Segments of words, or of lemmas."""

    def __init__(self, changes: Changes, of: str) -> None:
        self._changes = changes
        self._of = of
        self._least = changes.study.segment_frequency
        self._now = KeyColumn.of(changes.now.corpus, _ATTRIBUTES[of])
        self._texts, self._languages = list(self._now.texts), list(map(self._now.language_of, range(len(self._now.texts))))
        self._numbers = {key: place for place, key in enumerate(zip(self._texts, self._languages, strict=True))}
        lengths = range(2, changes.study.segment_words + 1)
        both = [self._placed(source, lengths) for source in (changes.removed, changes.added)]
        self._found = [_difference(removed, added, self._least) for removed, added in zip(*both, strict=True)]
        column = sequence_column(of, changes.now.corpus, changes.study)
        wanted = [_chosen(found.given, found.counted) for found in self._found]
        self._counts = count_sequences(column.column, column.bounds, wanted, column.rules.allowed)

    def _placed(self, source: TokenSource, lengths: range) -> list[PlacedSequences]:
        """The sequences of some documents by the numbers of the whole corpus, without those that are never segments."""
        column = sequence_column(self._of, source.corpus, source.study)
        number = self._numbered(KeyColumn.of(source.corpus, _ATTRIBUTES[self._of]))
        found = (sequences_of(column.column, column.bounds, length, column.rules.allowed) for length in lengths)
        return [_renumbered(_with_edges(some, column.rules.edges), number) for some in found]

    def _numbered(self, column: KeyColumn) -> Integers:
        """For each number of a column that of the whole corpus; what is no longer there gets one above all others."""
        found = np.empty(len(column.texts), np.uint32)
        for number, text in enumerate(column.texts):
            language = column.language_of(number)
            place = self._numbers.setdefault((text, language), len(self._texts))
            if place == len(self._texts):
                self._texts.append(text)
                self._languages.append(language)
            found[number] = place
        return found

    def segments(self) -> Iterator[dict[str, Array]]:
        """The sequences that were frequent before or are now, with their figures, which are 0 for those that are no more."""
        for found, counts in zip(self._found, self._counts, strict=True):
            now = counts.counts >= self._least
            chosen = np.flatnonzero(now | self._were(found, counts))
            figures = {"count": counts.counts * now, "documents": counts.documents * now}
            yield self._told(found, found.counted[chosen]) | {name: values[chosen] for name, values in figures.items()}

    def of_pages(self) -> Iterator[dict[str, Array]]:
        """Rows of documents that were added; and, in others, of sequences that became frequent, or did not stay so, as 0."""
        known = self._known()
        added = self._changes.added.corpus
        for found, counts in zip(self._found, self._counts, strict=True):
            now = np.isin(found.given.hashes, known.get(found.given.content.shape[1], np.zeros(0, np.uint64)))
            now[found.counted] = counts.counts >= self._least
            rows = found.rows[now[found.rows[:, 0]]]
            yield self._told(found, rows[:, 0]) | {"document": _ids(added, rows[:, 1]), "count": rows[:, 2]}
            yield self._elsewhere(found, counts)

    def _elsewhere(self, found: _Difference, counts: SequenceCounts) -> dict[str, Array]:
        now, before = counts.counts >= self._least, self._were(found, counts)
        rows = counts.few[(now != before)[counts.few[:, 0]]]
        documents = _ids(self._changes.now.corpus, rows[:, 1])
        others = ~np.isin(documents, _ids(self._changes.added.corpus, np.arange(len(self._changes.added.corpus.documents))))
        rows = rows[others]
        told = self._told(found, found.counted[rows[:, 0]])
        return told | {"document": documents[others], "count": rows[:, 2] * now[rows[:, 0]]}

    def _were(self, found: _Difference, counts: SequenceCounts) -> Mask:
        """Which of the sequences that were counted were frequent before."""
        before: Mask = counts.counts - found.more[found.counted] >= self._least
        return before

    def _known(self) -> dict[int, Hashes]:
        """Hashes of the segments, by their length, that the documents had that were removed."""
        by_length: dict[int, list[list[int]]] = {}
        for segment, length, _, language in self._changes.tables.select(_REMOVED_ROWS, [self._of]):
            words = [self._numbers.get((text, language), -1) for text in segment.split(" ")]
            if -1 not in words:
                by_length.setdefault(length, []).append(words)
        return {length: hashed(np.array(rows, np.uint32)) for length, rows in by_length.items()}

    def _told(self, found: _Difference, sequences: Whole) -> dict[str, Array]:
        """What names some sequences, a row each."""
        distinct, places = np.unique(sequences, return_inverse=True)
        content = found.given.content[distinct].tolist()
        texts = np.array(["", *(" ".join(map(self._texts.__getitem__, row)) for row in content)], object)[1:]
        languages = np.array(["", *(self._languages[row[0]] for row in content)], object)[1:]
        length = np.full(len(sequences), found.given.content.shape[1], np.int64)
        return {
            "segment": texts[places],
            "language": languages[places],
            "length": length,
            "of": np.full(len(sequences), self._of, object),
        }


def _with_edges(placed: PlacedSequences, edges: Mask | None) -> PlacedSequences:
    """The sequences that begin and end with what they may."""
    if edges is None:
        return placed
    chosen = edges[placed.content[:, 0]] & edges[placed.content[:, -1]]
    return PlacedSequences(placed.hashes[chosen], placed.content[chosen], placed.documents[chosen])


def _renumbered(placed: PlacedSequences, number: Integers) -> PlacedSequences:
    content = number[placed.content]
    return PlacedSequences(hashed(content), content, placed.documents)


def _difference(removed: PlacedSequences, added: PlacedSequences, least: int) -> _Difference:
    hashes, first, which = np.unique(np.concatenate((added.hashes, removed.hashes)), return_index=True, return_inverse=True)
    content = np.concatenate((added.content, removed.content))[first]
    new, old = which[: len(added.hashes)], which[len(added.hashes) :]
    rows, before = _by_document(new, added.documents), _by_document(old, removed.documents)
    size = len(hashes)
    more = np.bincount(new, minlength=size) - np.bincount(old, minlength=size)
    spread = np.bincount(rows[:, 0], minlength=size) - np.bincount(before[:, 0], minlength=size)
    given = GivenSequences(hashes, content, least + np.abs(more))
    return _Difference(given, more, spread, rows, np.flatnonzero((more != 0) | (spread != 0)))


def _by_document(sequences: Whole, documents: Whole) -> Whole:
    """Rows of (sequence, document, occurrences there)."""
    size = int(documents.max(initial=0)) + 1
    pairs, counts = np.unique(sequences * size + documents, return_counts=True)
    return np.stack([*np.divmod(pairs, size), counts], axis=1)


def _chosen(given: GivenSequences, places: Whole) -> GivenSequences:
    return GivenSequences(given.hashes[places], given.content[places], given.few[places])


def _ids(corpus: Corpus, places: Whole) -> Array:
    distinct, which = np.unique(places, return_inverse=True)
    return np.array(["", *map(corpus.documents.id, distinct.tolist())], object)[1:][which]

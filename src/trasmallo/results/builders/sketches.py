"""Builder of the pairs of words in grammatical relations, each block by the relations of its own language."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from trasmallo.results.builders.categories import folders
from trasmallo.results.builders.counts import Batch, BuiltColumns, TokenSource
from trasmallo.results.builders.key_columns import KeyColumn, bounds_of
from trasmallo.store.parquet import Kind, listed
from trasmallo.study.association import log_dice, log_likelihood
from trasmallo.study.sketches import RelationPairs, SketchedTokens, find_pairs, relations_of
from trasmallo.values.arrays import Array

_AT_ONCE = 100_000
"""Rows that are handed on together. Judgement: some MB."""


def sketch_pairs(source: TokenSource) -> BuiltColumns:
    """The pairs of all relations, the strongest first; those of the project's language before the others.

    Memory beyond that of `study.sketches`: 60 bytes a pair.
    """
    column = KeyColumn.of(source.corpus, "lemma")
    found = list(_found(source, column))
    names = sorted({name for one in found for name in (one.relation.name, one.relation.head, one.relation.dependent)})
    kinds: dict[str, Kind] = {"relation": listed(names), "head": column.written, "head_category": listed(names)}
    texts = ["", *column.texts]
    kinds |= {"between": listed(texts), "dependent": column.written, "dependent_category": listed(names), "count": np.int64}
    kinds |= {"log_dice": np.float64, "log_likelihood": np.float64, "language": listed(column.languages)}
    return BuiltColumns(kinds, _batches(source, column, found, names))


def _found(source: TokenSource, column: KeyColumn) -> Iterator[RelationPairs]:
    """The pairs of each relation of each language; words have the column's numbers."""
    corpus, least = source.corpus, source.study.collocation_frequency
    names = corpus.categories.texts(range(len(corpus.categories)))
    frequent = _frequent(source, column, least)
    place = np.zeros(len(column.texts), dtype=np.uint32)
    place[frequent] = np.arange(1, len(frequent) + 1, dtype=np.uint32)
    words = corpus.of_types(place[column.of_type])
    back = np.concatenate((np.zeros(1, dtype=np.uint32), frequent.astype(np.uint32)))
    for language, among in folders(corpus).items():
        tokens = SketchedTokens(words, corpus.category, names, bounds_of(corpus), len(back), among)
        for relation in relations_of(language):
            pairs = find_pairs(tokens, relation, least, source.scratch)
            between = np.where(pairs.between > 0, back[pairs.between] + 1, 0).astype(np.uint32)
            yield pairs._replace(head=back[pairs.head], dependent=back[pairs.dependent], between=between)


def _frequent(source: TokenSource, column: KeyColumn, least: int) -> NDArray[np.intp]:
    """The words that can be in a pair: often enough, and not left out by the project's lists."""
    counts = np.bincount(column.of_type, source.corpus.counts, len(column.texts))
    kept, listed_ones = counts >= least, column.wanted(source.corpus, source.study)
    return np.flatnonzero(kept if listed_ones is None else kept & listed_ones)


def _batches(source: TokenSource, column: KeyColumn, found: list[RelationPairs], names: list[str]) -> Iterator[Batch]:
    if not found:
        return
    columns = [np.concatenate(some) for some in zip(*(_columns(pairs, column, names) for pairs in found), strict=True)]
    foreign = column.foreign(source.home)[columns[1]]
    # In the order of the table: language of the project, strength, count, then what tells rows apart.
    tied = columns[9], columns[3], columns[2], columns[0], columns[4], columns[1]
    order = np.lexsort((*tied, -columns[6], -columns[7], foreign))
    for begin in range(0, len(order), _AT_ONCE):
        yield tuple(some[order[begin : begin + _AT_ONCE]] for some in columns)


def _columns(pairs: RelationPairs, column: KeyColumn, names: list[str]) -> tuple[Array, ...]:
    """The columns of the table for some pairs, texts by their numbers."""
    relation, size = pairs.relation, len(pairs.head)
    name, head, dependent = (
        np.full(size, names.index(text), dtype=np.uint32) for text in (relation.name, relation.head, relation.dependent)
    )
    figures = pairs.table.joint, log_dice(pairs.table), log_likelihood(pairs.table)
    return name, pairs.head, head, pairs.between, pairs.dependent, dependent, *figures, column.language[pairs.head]

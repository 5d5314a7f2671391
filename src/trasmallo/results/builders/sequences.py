"""Builders of the tables that look at words in their order: segments, collocations, regimes.

Words count under their keys, as in the table of words. A segment neither begins nor ends with a word that the lists of the
project (`stop`, `only`) leave out, and a pair has none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trasmallo.results.builders.categories import examples, folders
from trasmallo.results.builders.counts import BuiltColumns, TokenSource
from trasmallo.results.builders.found_segments import found_segments
from trasmallo.results.builders.key_columns import KeyColumn, bounds_of, sequence_column
from trasmallo.results.tables.phrases import SegmentRow
from trasmallo.results.tables.relations import RegimeRow
from trasmallo.store.parquet import Kind, listed
from trasmallo.study import collocations, regimes, segments
from trasmallo.study.association import Measures
from trasmallo.study.phrases import patterns_of
from trasmallo.values.arrays import Array

_AT_ONCE = 1_000
"""Segments that are written as texts together. Judgement: some 100 kB."""


def segment_rows(tokens: TokenSource) -> Iterator[SegmentRow]:
    """The segments of a corpus, short ones first, each length from frequent to rare; of words, then of what else is wished."""
    for of in dict.fromkeys(tokens.study.segments_of):
        source = sequence_column(of, tokens.corpus, tokens.study)
        for placed in found_segments(tokens, of, source):
            found = placed.segments
            numbers = segments.content(source.column, found)
            for begin in range(0, len(numbers), _AT_ONCE):
                here = slice(begin, begin + _AT_ONCE)
                figures = found.counts[here].tolist(), found.documents[here].tolist()
                for some, count, number in zip(numbers[here].tolist(), *figures, strict=True):
                    yield SegmentRow(source.spell(some), found.length, count, number, of, source.language(some[0]))


def collocations_of(source: TokenSource) -> BuiltColumns:
    """The pairs of a corpus: the second word stands at most so many tokens after the first, in its sentence.

    A sentence is in one language, and so is a pair; those of the project's language come first. Figures and names of variables
    attract each other most, and are no words of any: they fill slots, and are in no pair.
    """
    corpus, study, column = source.corpus, source.study, KeyColumn.of(source.corpus)
    listed_ones = column.wanted(corpus, study)
    chosen = column.letters if listed_ones is None else column.letters & listed_ones
    options = collocations.CollocationOptions(
        window=collocations.CollocationWindow(0, study.collocation_words),
        least=study.collocation_frequency,
        allowed=column.words,
        nodes=chosen,
        collocates=chosen,
        last=column.foreign(source.home),
    )
    found = collocations.find_collocations(column, bounds_of(corpus), options, source.scratch)
    kinds: dict[str, Kind] = {"first": column.written, "second": column.written, "count": np.int64}
    kinds |= {**dict.fromkeys(Measures._fields, np.float64), "language": listed(column.languages)}
    return BuiltColumns(
        kinds,
        ((some.node, some.collocate, some.table.joint, *some.measures(), column.language[some.node]) for some in found),
    )


def regime_rows(source: TokenSource) -> Iterator[RegimeRow]:
    """The prepositions that words govern, by the patterns of each language in its own blocks."""
    corpus = source.corpus
    names, least = corpus.categories.texts(range(len(corpus.categories))), source.study.collocation_frequency
    for language, tokens in folders(corpus).items():
        tagged = regimes.Tagged(corpus.lemma, corpus.category, names, bounds_of(corpus), tokens)
        for found in regimes.find_regimes(tagged, patterns_of(language).regimes, least, 1, source.scratch):
            figures: list[Array] = [found.counts, found.share, found.measures.log_likelihood]
            words, prepositions = (corpus.lemmas.texts(some.tolist()) for some in (found.governor, found.preposition))
            shown = examples(corpus, found.examples[:, 0])
            columns = words, prepositions, *(some.tolist() for some in figures), shown
            for word, preposition, count, share, log_likelihood, example in zip(*columns, strict=True):
                yield RegimeRow(
                    word=word,
                    category=found.category,
                    preposition=preposition,
                    count=count,
                    share=share,
                    log_likelihood=log_likelihood,
                    example=example,
                    language=language,
                )

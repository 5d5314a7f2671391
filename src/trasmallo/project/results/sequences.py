"""Rows of the tables that are made of a whole corpus at once: segments, collocations, regimes, and those of `categorised`.

Words count under their keys, as in the table of words. A segment neither begins nor ends with a word that the lists of the
project (`stop`, `only`) leave out, and a pair has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
from numpy.typing import NDArray

from trasmallo.config import StudyConfig
from trasmallo.project.results import categorised
from trasmallo.project.results.categorised import EXAMPLE
from trasmallo.project.results.rows import CollocationRow, RegimeRow, SegmentRow
from trasmallo.project.results.sequenced import KeyColumn, bounds_of, sequenced
from trasmallo.store.tokens import Corpus
from trasmallo.study import collocations, regimes, segments
from trasmallo.study.phrases import patterns_of

_AT_ONCE = 10_000


def segment_rows(corpus: Corpus, study: StudyConfig) -> Iterator[SegmentRow]:
    """The segments of a corpus, short ones first, each length from frequent to rare; of words, then of what else is wished."""
    options = segments.Options(2, study.segment_words, study.segment_frequency, study.segments)
    for of in dict.fromkeys(study.segments_of):
        source = sequenced(of, corpus, study)
        for found in segments.find_segments(source.column, source.bounds, options, source.rules):
            for begin in range(0, len(found.first), _AT_ONCE):
                some = segments.Segments(found.length, *(values[begin : begin + _AT_ONCE] for values in found[1:]))
                texts = segments.content(source.column, some).tolist()
                for numbers, count, documents in zip(texts, some.counts.tolist(), some.documents.tolist(), strict=True):
                    yield SegmentRow(source.spell(numbers), found.length, count, documents, of)


def collocation_rows(corpus: Corpus, study: StudyConfig) -> Iterator[CollocationRow]:
    """The pairs of a corpus: the second word stands at most so many tokens after the first, in its sentence."""
    column = KeyColumn(corpus)
    chosen = column.wanted(corpus, study)
    options = collocations.Options(
        collocations.Window(0, study.collocation_words), study.collocation_frequency, column.words(), chosen, chosen
    )
    pairs = collocations.find_collocations(column, bounds_of(corpus), options)
    values: list[NDArray[Any]] = [pairs.node, pairs.collocate, pairs.table.joint, *pairs.measures()]
    for begin in range(0, len(pairs.node), _AT_ONCE):
        for first, second, count, *measures in zip(*(some[begin : begin + _AT_ONCE].tolist() for some in values), strict=True):
            yield CollocationRow(column.texts[first], column.texts[second], count, *measures)


def regime_rows(corpus: Corpus, study: StudyConfig) -> Iterator[RegimeRow]:
    """The prepositions that words govern, by the patterns of the language that most documents are in."""
    spoken = corpus.documents.languages()
    language = max(spoken, key=lambda code: len(spoken[code]), default="")
    names = corpus.categories.texts(range(len(corpus.categories)))
    tagged = regimes.Tagged(corpus.lemma, corpus.category, names, bounds_of(corpus))
    for found in regimes.find_regimes(tagged, patterns_of(language).regimes, study.collocation_frequency, examples=1):
        values: list[NDArray[Any]] = [
            found.governor, found.preposition, found.counts, found.share, found.measures.log_likelihood, found.examples[:, 0]
        ]  # fmt: skip
        for word, preposition, count, share, strength, place in zip(*(some.tolist() for some in values), strict=True):
            shown = " ".join(corpus.words.texts(corpus.word[place : place + EXAMPLE].tolist()))
            yield RegimeRow(corpus.lemmas[word], found.category, corpus.lemmas[preposition], count, share, strength, shown)


ROWS: dict[str, Callable[[Corpus, StudyConfig], Iterator[msgspec.Struct]]] = {
    "lemmas": categorised.lemma_rows,
    "lemmas_by_page": categorised.page_lemma_rows,
    "words_by_category": categorised.categorised_rows,
    "segments": segment_rows,
    "phrases": categorised.phrase_rows,
    "collocations": collocation_rows,
    "collocations_by_pattern": categorised.pattern_rows,
    "category_pairs": categorised.category_pair_rows,
    "regimes": regime_rows,
}
"""Who makes the rows of each of these tables."""


def write_rows(table: str, corpus: Corpus, study: StudyConfig) -> Iterator[bytes]:
    """The rows of a table as JSON lines, some thousand at a time."""
    encoder = msgspec.json.Encoder()
    rows = ROWS[table](corpus, study)
    while some := list(islice(rows, _AT_ONCE)):
        yield encoder.encode_lines(some)

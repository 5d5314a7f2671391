"""The tables that are made of a whole corpus at once: segments, collocations, regimes, those of `counted` and `categorised`.

Words count under their keys, as in the table of words. A segment neither begins nor ends with a word that the lists of the
project (`stop`, `only`) leave out, and a pair has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, repeat
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.results.builders import categories, counts
from trasmallo.results.builders.categories import examples
from trasmallo.results.builders.counts import Made, Source
from trasmallo.results.builders.key_columns import KeyColumn, bounds_of, sequenced
from trasmallo.results.rows import RegimeRow, SegmentRow
from trasmallo.store.parquet import Kind
from trasmallo.study import collocations, regimes, segments
from trasmallo.study.association import Measures
from trasmallo.study.phrases import patterns_of

_AT_ONCE = 1_000


def segment_rows(tokens: Source) -> Iterator[SegmentRow]:
    """The segments of a corpus, short ones first, each length from frequent to rare; of words, then of what else is wished."""
    corpus, study = tokens.corpus, tokens.study
    options = segments.SegmentOptions(2, study.segment_words, study.segment_frequency, study.segments)
    for of in dict.fromkeys(study.segments_of):
        source = sequenced(of, corpus, study)
        for found in segments.find_segments(source.column, source.bounds, options, source.rules, tokens.scratch):
            numbers = segments.content(source.column, found)
            for begin in range(0, len(numbers), _AT_ONCE):
                here = slice(begin, begin + _AT_ONCE)
                texts = map(source.spell, numbers[here].tolist())
                for text, count, documents in zip(
                    texts, found.counts[here].tolist(), found.documents[here].tolist(), strict=True
                ):
                    yield SegmentRow(text, found.length, count, documents, of)


def collocations_of(source: Source) -> Made:
    """The pairs of a corpus: the second word stands at most so many tokens after the first, in its sentence."""
    corpus, study, column = source.corpus, source.study, KeyColumn.of(source.corpus)
    chosen = column.wanted(corpus, study)
    options = collocations.CollocationOptions(
        collocations.CollocationWindow(0, study.collocation_words), study.collocation_frequency, column.words, chosen, chosen
    )
    found = collocations.find_collocations(column, bounds_of(corpus), options, source.scratch)
    kinds: dict[str, Kind] = {"first": column.written, "second": column.written, "count": np.int64}
    kinds |= dict.fromkeys(Measures._fields, np.float64)
    return Made(kinds, ((some.node, some.collocate, some.table.joint, *some.measures()) for some in found))


def regime_rows(source: Source) -> Iterator[RegimeRow]:
    """The prepositions that words govern, by the patterns of each language in its own documents."""
    corpus = source.corpus
    names, least = corpus.categories.texts(range(len(corpus.categories))), source.study.collocation_frequency
    for language, documents in categories.folders(corpus).items():
        tagged = regimes.Tagged(corpus.lemma, corpus.category, names, bounds_of(corpus), documents)
        for found in regimes.find_regimes(tagged, patterns_of(language).regimes, least, 1, source.scratch):
            figures: list[NDArray[Any]] = [found.counts, found.share, found.measures.log_likelihood]
            words, prepositions = (corpus.lemmas.texts(some.tolist()) for some in (found.governor, found.preposition))
            shown = examples(corpus, found.examples[:, 0])
            columns = words, repeat(found.category), prepositions, *(some.tolist() for some in figures), shown
            yield from map(RegimeRow, *columns, repeat(language))


COLUMNS: dict[str, Callable[[Source], Made]] = {
    "words_by_page": counts.words_by_page,
    "lemmas_by_page": counts.lemmas_by_page,
    "lemmas": counts.lemmas,
    "words_by_category": counts.words_by_category,
    "collocations": collocations_of,
}
"""Who makes the tables that have many rows: as columns of numbers."""

ROWS: dict[str, Callable[[Source], Iterator[msgspec.Struct]]] = {
    "segments": segment_rows,
    "phrases": categories.phrase_rows,
    "collocations_by_pattern": categories.pattern_rows,
    "category_pairs": categories.category_pair_rows,
    "regimes": regime_rows,
}
"""Who makes the rows of the others."""


def write_rows(table: str, source: Source) -> Iterator[bytes]:
    """The rows of a table as JSON lines, a thousand at a time."""
    encoder = msgspec.json.Encoder()
    rows = ROWS[table](source)
    while some := list(islice(rows, _AT_ONCE)):
        yield encoder.encode_lines(some)
        source.corpus.release()

"""Builders of the tables that look at the categories of a whole corpus: phrases, pairs by pattern, which follow which.

Blocks are looked at in the patterns of their own language. Without a tagger (`morphology = false`) no token has a category
that a pattern names, and these tables are empty or tell kinds of tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.key_columns import KeyColumn, bounds_of
from trasmallo.results.tables.phrases import PhraseRow
from trasmallo.results.tables.relations import CategoryPairRow, PatternRow
from trasmallo.store.tokens import Column, Corpus
from trasmallo.study import cooccurrence, languages
from trasmallo.study.association import Measures, measure
from trasmallo.study.category_patterns import Spans, compile_pattern
from trasmallo.study.collocations import pairs_of_spans
from trasmallo.study.phrases import count_phrases, patterns_of
from trasmallo.study.tokenise import key
from trasmallo.values.arrays import Array, Mask

EXAMPLE = 8
"""Tokens of an example. Judgement: a line in a table."""

_AT_ONCE = 10_000
"""Examples that are read together. Judgement: some MB."""


def phrase_rows(source: TokenSource) -> Iterator[PhraseRow]:
    """The noun phrases of two words or more, counted by their lemmas; the lists of the project hold for their ends."""
    corpus, study = source.corpus, source.study
    column, names = KeyColumn.of(corpus, "lemma"), _names(corpus)
    edges = column.wanted(corpus, study)
    for language in folders(corpus):
        found = _found(corpus, language, patterns_of(language).noun_phrase)
        spans = (_of_several_words(some, column, edges) for some in found)
        for some in count_phrases(column, spans, bounds_of(corpus), study.segment_frequency, source.scratch):
            for place, count, documents in zip(some.first.tolist(), some.counts.tolist(), some.documents.tolist(), strict=True):
                here = slice(place, place + some.length)
                yield PhraseRow(
                    phrase=" ".join(map(key, corpus.words.texts(corpus.word[here].tolist()))),
                    lemmas=" ".join(column.texts[number] for number in column[here].tolist()),
                    pattern=" ".join(names[number] for number in corpus.category[here].tolist()),
                    length=some.length,
                    count=count,
                    documents=documents,
                    language=column.language_of(int(column[here.start : here.start + 1][0])),
                    example=_shown(corpus, _around(corpus, here)),
                )


def _of_several_words(spans: Spans, column: KeyColumn, edges: Mask | None) -> Spans:
    """The spans that have words at both ends that are wanted."""
    chosen: Mask = spans.length > 1
    if edges is not None:
        chosen &= edges[column[spans.first]] & edges[column[spans.first + spans.length - 1]]
    return Spans(spans.first[chosen], spans.length[chosen])


def pattern_rows(source: TokenSource) -> Iterator[PatternRow]:
    """The pairs of lemmas at the ends of the patterns that each language brings for collocations."""
    corpus, least = source.corpus, source.study.collocation_frequency
    column = KeyColumn.of(corpus, "lemma")
    edges = column.wanted(corpus, source.study)
    for language in folders(corpus):
        for name, pattern in patterns_of(language).collocations.items():
            pairs, places = pairs_of_spans(column, _found(corpus, language, pattern), least, 1, source.scratch)
            values: list[Array] = [pairs.node, pairs.collocate, pairs.table.joint, *pairs.measures()]
            shown = examples(corpus, places[:, 0])
            for example, first, second, count, *figures in zip(shown, *(some.tolist() for some in values), strict=True):
                if edges is None or (edges[first] and edges[second]):
                    yield PatternRow(
                        pattern=name,
                        first=column.texts[first],
                        second=column.texts[second],
                        language=column.language_of(first),
                        example=example,
                        count=count,
                        **dict(zip(Measures._fields, figures, strict=True)),
                    )


def category_pair_rows(source: TokenSource) -> Iterator[CategoryPairRow]:
    """Which categories follow which at each distance up to `collocation_words`, in one sentence."""
    corpus, study = source.corpus, source.study
    names, bounds = _names(corpus), bounds_of(corpus)
    if not (len(corpus) and study.collocation_words):
        return
    together = cooccurrence.share_sentences(corpus.category, len(names), bounds)
    for distance, counts in enumerate(cooccurrence.follow(corpus.category, len(names), bounds, study.collocation_words), 1):
        table = cooccurrence.as_table(counts)
        values = [*np.nonzero(counts), table.joint, together[counts > 0], *measure(table)]
        for first, second, count, sentences, *figures in zip(*(some.tolist() for some in values), strict=True):
            yield CategoryPairRow(
                first=names[first],
                second=names[second],
                distance=distance,
                count=count,
                sentences=sentences,
                **dict(zip(Measures._fields, figures, strict=True)),
            )


def examples(corpus: Corpus, places: NDArray[np.int64]) -> list[str]:
    """The words of `EXAMPLE` tokens from each place on, or of as many as there are; neighbours are read together."""
    order, shown = np.argsort(places), [""] * len(places)
    for begin in range(0, len(order), _AT_ONCE):
        some = order[begin : begin + _AT_ONCE]
        for number, example in zip(some.tolist(), _examples(corpus, places[some]), strict=True):
            shown[number] = example
    return shown


def _examples(corpus: Corpus, places: NDArray[np.int64]) -> list[str]:
    lengths = np.minimum(len(corpus) - places, EXAMPLE)
    tokens = np.repeat(places - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    distinct, numbers = np.unique(corpus.word[tokens], return_inverse=True)
    texts = corpus.words.texts(distinct.tolist())
    line = iter([texts[number] for number in numbers.tolist()])
    return [" ".join(islice(line, length)) for length in lengths.tolist()]


def _names(corpus: Corpus) -> list[str]:
    return corpus.categories.texts(range(len(corpus.categories)))


def folders(corpus: Corpus) -> Mapping[str, Column | None]:
    """For each folder of languages that serves some tokens, which it serves, None for all."""
    named, spoken = corpus.languages
    served = np.array([languages.choose(language) for language in named])
    found = {folder: (served == folder)[spoken] for folder in dict.fromkeys(served.tolist())}
    return {folder: None if mask.all() else corpus.of_types(mask) for folder, mask in found.items()}


def _found(corpus: Corpus, language: str, pattern: str) -> Iterator[Spans]:
    """What a pattern matches in the blocks that a folder serves."""
    return compile_pattern(pattern, _names(corpus)).find(corpus.category, bounds_of(corpus), among=folders(corpus)[language])


def _shown(corpus: Corpus, here: slice) -> str:
    return " ".join(corpus.words.texts(corpus.word[here].tolist()))


def _around(corpus: Corpus, here: slice) -> slice:
    """A stretch of tokens with some on either side, in its document."""
    first, last = corpus.documents.range(int(corpus.documents.holding(np.array([here.start]))[0]))
    return slice(max(here.start - EXAMPLE // 2, first), min(here.stop + EXAMPLE // 2, last))

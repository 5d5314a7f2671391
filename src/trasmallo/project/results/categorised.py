"""Rows of the tables that look at the categories of a whole corpus: words and lemmas by category, phrases, pairs by pattern.

Documents are looked at in the patterns of their own language. Without a tagger (`morphology = false`) no token has a category
that a pattern names, and these tables are empty or tell kinds of tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.config import StudyConfig
from trasmallo.project.results.rows import CategorisedRow, CategoryPairRow, LemmaRow, PageLemmaRow, PatternRow, PhraseRow
from trasmallo.project.results.sequenced import NO_WORDS, KeyColumn, bounds_of
from trasmallo.store.tokens import Corpus
from trasmallo.study import cooccurrence, languages
from trasmallo.study.association import measure
from trasmallo.study.category_patterns import Spans, compile_pattern
from trasmallo.study.collocations import pairs_of_spans
from trasmallo.study.phrases import count_phrases, patterns_of
from trasmallo.study.tokenise import key

EXAMPLE = 8
"""Tokens of an example."""


def lemma_rows(corpus: Corpus, _study: StudyConfig) -> Iterator[LemmaRow]:
    """The lemmas of a corpus with their categories, from frequent to rare; punctuation is none."""
    kinds = _Kinds.of(corpus, corpus.type_of("lemma"))
    for lemma, category, count, documents in _totals(corpus, kinds):
        yield LemmaRow(corpus.lemmas[lemma], category, count, documents)


def categorised_rows(corpus: Corpus, _study: StudyConfig) -> Iterator[CategorisedRow]:
    """The words of a corpus with their categories, from frequent to rare; punctuation is none."""
    column = KeyColumn(corpus)
    for word, category, count, documents in _totals(corpus, _Kinds.of(corpus, column.of_type)):
        yield CategorisedRow(column.texts[word], category, count, documents)


def page_lemma_rows(corpus: Corpus, _study: StudyConfig) -> Iterator[PageLemmaRow]:
    """The lemmas of each document with their categories."""
    kinds = _Kinds.of(corpus, corpus.type_of("lemma"))
    names = [(corpus.lemmas[first], category) for first, category in kinds.named(corpus)]
    for number in range(len(corpus.documents)):
        document = corpus.documents.id(number)
        for kind, count in zip(*(values.tolist() for values in kinds.counted(corpus, number)), strict=True):
            lemma, category = names[kind]
            if category not in NO_WORDS:
                yield PageLemmaRow(document, lemma, category, count)


def phrase_rows(corpus: Corpus, study: StudyConfig) -> Iterator[PhraseRow]:
    """The noun phrases of two words or more, counted by their lemmas; the lists of the project hold for their ends."""
    column, names = KeyColumn(corpus, "lemma"), _names(corpus)
    edges = column.wanted(corpus, study)
    for language in _folders(corpus):
        spans = _found(corpus, language, patterns_of(language).noun_phrase)
        chosen = spans.length > 1
        if edges is not None:
            chosen &= edges[column[spans.first]] & edges[column[spans.first + spans.length - 1]]
        for some in count_phrases(
            column, Spans(*(values[chosen] for values in spans)), bounds_of(corpus), study.segment_frequency
        ):
            for place, count, documents in zip(some.first.tolist(), some.counts.tolist(), some.documents.tolist(), strict=True):
                here = slice(place, place + some.length)
                lemmas = " ".join(column.texts[number] for number in column[here].tolist())
                pattern = " ".join(names[number] for number in corpus.category[here].tolist())
                written = " ".join(map(key, corpus.words.texts(corpus.word[here].tolist())))
                example = _shown(corpus, _around(corpus, here))
                yield PhraseRow(written, lemmas, pattern, some.length, count, documents, language, example)


def pattern_rows(corpus: Corpus, study: StudyConfig) -> Iterator[PatternRow]:
    """The pairs of lemmas at the ends of the patterns that each language brings for collocations."""
    column = KeyColumn(corpus, "lemma")
    edges = column.wanted(corpus, study)
    for language in _folders(corpus):
        for name, pattern in patterns_of(language).collocations.items():
            pairs, examples = pairs_of_spans(column, _found(corpus, language, pattern), study.collocation_frequency, examples=1)
            values: list[NDArray[Any]] = [pairs.node, pairs.collocate, examples[:, 0], pairs.table.joint, *pairs.measures()]
            for first, second, place, *figures in zip(*(some.tolist() for some in values), strict=True):
                if edges is None or (edges[first] and edges[second]):
                    ends, example = (column.texts[first], column.texts[second]), _shown(corpus, slice(place, place + EXAMPLE))
                    yield PatternRow(name, *ends, language, example, *figures)


def category_pair_rows(corpus: Corpus, study: StudyConfig) -> Iterator[CategoryPairRow]:
    """Which categories follow which at each distance up to `collocation_words`, in one sentence."""
    names, bounds = _names(corpus), bounds_of(corpus)
    if not (len(corpus) and study.collocation_words):
        return
    together = cooccurrence.share_sentences(corpus.category, len(names), bounds)
    for distance, counts in enumerate(cooccurrence.follow(corpus.category, len(names), bounds, study.collocation_words), 1):
        table = cooccurrence.as_table(counts)
        values = [*np.nonzero(counts), table.joint, together[counts > 0], *measure(table)]
        for first, second, *figures in zip(*(some.tolist() for some in values), strict=True):
            yield CategoryPairRow(names[first], names[second], distance, *figures)


class _Kinds(NamedTuple):
    """Types with the same first attribute and category are of one kind: `names` are both in one number, sorted."""

    names: NDArray[np.uint64]
    of_type: NDArray[np.intp]

    @classmethod
    def of(cls, corpus: Corpus, first: NDArray[np.uint32]) -> _Kinds:
        both = first.astype(np.uint64) * np.uint64(len(corpus.categories)) + corpus.type_of("category")
        return cls(*np.unique(both, return_inverse=True))

    def named(self, corpus: Corpus) -> list[tuple[int, str]]:
        """The first attribute and the category of each kind."""
        pairs = (divmod(name, len(corpus.categories)) for name in self.names.tolist())
        categories = _names(corpus)
        return [(first, categories[category]) for first, category in pairs]

    def counted(self, corpus: Corpus, document: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The kinds in a document, and how often each is there."""
        found, counts = np.unique(self.of_type[corpus.types(slice(*corpus.documents.range(document)))], return_counts=True)
        return found, counts


def _totals(corpus: Corpus, kinds: _Kinds) -> Iterator[tuple[int, str, int, int]]:
    """First attribute, category, occurrences and documents of each kind, from frequent to rare, without punctuation."""
    counts, documents = np.zeros((2, len(kinds.names)), dtype=np.int64)
    for number in range(len(corpus.documents)):
        found, times = kinds.counted(corpus, number)
        counts[found] += times
        documents[found] += 1
    named = kinds.named(corpus)
    for place in np.argsort(-counts, kind="stable").tolist():
        first, category = named[place]
        if category not in NO_WORDS and counts[place]:
            yield first, category, int(counts[place]), int(documents[place])


def _names(corpus: Corpus) -> list[str]:
    return corpus.categories.texts(range(len(corpus.categories)))


def _folders(corpus: Corpus) -> Mapping[str, NDArray[np.bool_]]:
    """For each folder of languages that serves a document, which documents it serves."""
    found: dict[str, NDArray[np.bool_]] = {}
    for language, places in corpus.documents.languages().items():
        served = found.setdefault(languages.choose(language), np.zeros(len(corpus.documents), dtype=np.bool_))
        served[places] = True
    return found


def _found(corpus: Corpus, language: str, pattern: str) -> Spans:
    """What a pattern matches in the documents that a folder serves."""
    spans = compile_pattern(pattern, _names(corpus)).find(corpus.category, bounds_of(corpus))
    here = _folders(corpus)[language][corpus.documents.holding(spans.first)]
    return Spans(spans.first[here], spans.length[here])


def _shown(corpus: Corpus, here: slice) -> str:
    return " ".join(corpus.words.texts(corpus.word[here].tolist()))


def _around(corpus: Corpus, here: slice) -> slice:
    """A stretch of tokens with some on either side, in its document."""
    first, last = corpus.documents.range(int(corpus.documents.holding(np.array([here.start]))[0]))
    return slice(max(here.start - EXAMPLE // 2, first), min(here.stop + EXAMPLE // 2, last))

"""Rows of the tables that are made of a whole corpus at once: lemmas, segments, collocations, regimes.

Words count under their keys, as in the table of words. A segment neither begins nor ends with a word that the lists of the
project (`stop`, `only`) leave out, and a pair has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.config import StudyConfig
from trasmallo.project.lists import frequent, options_for
from trasmallo.project.results.rows import CollocationRow, LemmaRow, RegimeRow, SegmentRow
from trasmallo.store.tokens import Corpus
from trasmallo.study import collocations, regimes, segments
from trasmallo.study.bounds import Bounds
from trasmallo.study.phrases import patterns_of
from trasmallo.study.tokenise import key

_AT_ONCE = 10_000
_EXAMPLE = 8
_NO_WORDS = ("PUNCT", "punctuation")


class KeyColumn:
    """The words of a corpus, numbered by their keys: `texts[number]` is the key."""

    def __init__(self, corpus: Corpus) -> None:
        numbers: dict[str, int] = {}
        raws = corpus.words.raws()
        keys = (key(raw.decode("utf-8", "surrogatepass")) for raw in raws)
        self._number = np.fromiter((numbers.setdefault(one, len(numbers)) for one in keys), np.uint32, len(raws))
        self._words = corpus.word
        self.texts = list(numbers)

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, chosen: slice | NDArray[Any]) -> NDArray[np.uint32]:
        return self._number[self._words[chosen]]

    def most_frequent(self, corpus: Corpus, number: int) -> list[str]:
        """So many of the most frequent words; punctuation is none."""
        counts = np.bincount(self._number[corpus.type_of("word")], corpus.type_of("count"), len(self.texts))
        ordered = (self.texts[place] for place in np.argsort(-counts, kind="stable").tolist())
        return list(islice(filter(_is_word, ordered), number))

    def mask(self, holds: Iterable[bool]) -> NDArray[np.bool_]:
        """A truth value for each key."""
        return np.fromiter(holds, dtype=np.bool_, count=len(self.texts))


def segment_rows(corpus: Corpus, study: StudyConfig) -> Iterator[SegmentRow]:
    """The segments of a corpus, short ones first, each length from frequent to rare."""
    column = KeyColumn(corpus)
    rules = segments.Rules(allowed=_words(column), edges=_wanted(column, corpus, study))
    options = segments.Options(2, study.segment_words, study.segment_frequency, study.segments)
    for found in segments.find_segments(column, _bounds(corpus), options, rules):
        for begin in range(0, len(found.first), _AT_ONCE):
            some = segments.Segments(found.length, *(values[begin : begin + _AT_ONCE] for values in found[1:]))
            texts = segments.content(column, some).tolist()
            for numbers, count, documents in zip(texts, some.counts.tolist(), some.documents.tolist(), strict=True):
                yield SegmentRow(" ".join(column.texts[number] for number in numbers), found.length, count, documents)


def collocation_rows(corpus: Corpus, study: StudyConfig) -> Iterator[CollocationRow]:
    """The pairs of a corpus: the second word stands at most so many tokens after the first, in its sentence."""
    column = KeyColumn(corpus)
    chosen = _wanted(column, corpus, study)
    options = collocations.Options(
        collocations.Window(0, study.collocation_words), study.collocation_frequency, _words(column), chosen, chosen
    )
    pairs = collocations.find_collocations(column, _bounds(corpus), options)
    values: list[NDArray[Any]] = [pairs.node, pairs.collocate, pairs.table.joint, *pairs.measures()]
    for begin in range(0, len(pairs.node), _AT_ONCE):
        for first, second, count, *measures in zip(*(some[begin : begin + _AT_ONCE].tolist() for some in values), strict=True):
            yield CollocationRow(column.texts[first], column.texts[second], count, *measures)


def lemma_rows(corpus: Corpus, _study: StudyConfig) -> Iterator[LemmaRow]:
    """The lemmas of a corpus with their categories, from frequent to rare; punctuation is none."""
    width = len(corpus.categories)
    kinds = corpus.type_of("lemma").astype(np.uint64) * np.uint64(width) + corpus.type_of("category")
    names, of_type = np.unique(kinds, return_inverse=True)
    counts, documents = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    for number in range(len(corpus.documents)):
        found, times = np.unique(of_type[corpus.types(slice(*corpus.documents.range(number)))], return_counts=True)
        counts[found] += times
        documents[found] += 1
    for place in np.argsort(-counts, kind="stable").tolist():
        lemma, category = divmod(int(names[place]), width)
        if (name := corpus.categories[category]) not in _NO_WORDS and counts[place]:
            yield LemmaRow(corpus.lemmas[lemma], name, int(counts[place]), int(documents[place]))


def regime_rows(corpus: Corpus, study: StudyConfig) -> Iterator[RegimeRow]:
    """The prepositions that words govern, by the patterns of the language that most documents are in."""
    spoken = corpus.documents.languages()
    language = max(spoken, key=lambda code: len(spoken[code]), default="")
    names = corpus.categories.texts(range(len(corpus.categories)))
    tagged = regimes.Tagged(corpus.lemma, corpus.category, names, _bounds(corpus))
    for found in regimes.find_regimes(tagged, patterns_of(language).regimes, study.collocation_frequency, examples=1):
        values: list[NDArray[Any]] = [
            found.governor, found.preposition, found.counts, found.share, found.measures.log_likelihood, found.examples[:, 0]
        ]  # fmt: skip
        for word, preposition, count, share, strength, place in zip(*(some.tolist() for some in values), strict=True):
            shown = " ".join(corpus.words.texts(corpus.word[place : place + _EXAMPLE].tolist()))
            yield RegimeRow(corpus.lemmas[word], found.category, corpus.lemmas[preposition], count, share, strength, shown)


ROWS = {"lemmas": lemma_rows, "regimes": regime_rows, "segments": segment_rows, "collocations": collocation_rows}
"""Who makes the rows of each of these tables."""


def write_rows(table: str, corpus: Corpus, study: StudyConfig) -> Iterator[bytes]:
    """The rows of a table as JSON lines, some thousand at a time."""
    encoder = msgspec.json.Encoder()
    rows: Iterator[msgspec.Struct] = iter(ROWS[table](corpus, study))
    while some := list(islice(rows, _AT_ONCE)):
        yield encoder.encode_lines(some)


def _bounds(corpus: Corpus) -> Bounds:
    return Bounds(corpus.documents.bounds, corpus.sentences)


def _words(column: KeyColumn) -> NDArray[np.bool_]:
    """What is no punctuation."""
    return column.mask(map(_is_word, column.texts))


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _wanted(column: KeyColumn, corpus: Corpus, study: StudyConfig) -> NDArray[np.bool_] | None:
    """The words that the lists of the project leave, of all languages of the corpus together; None without lists."""
    options = [options_for(language, study) for language in corpus.documents.languages()]
    left_out = frozenset[str]().union(
        *(one.stop.words for one in options if one.stop), column.most_frequent(corpus, frequent(study))
    )
    only = frozenset[str]().union(*(one.only.words for one in options if one.only))
    if not (left_out or only):
        return None
    return column.mask(text not in left_out and (not only or text in only) for text in column.texts)

"""Builders of tables of counts: words and lemmas of each document, and of the whole corpus with their categories.

They are made of numbers: a text is looked at once for each distinct word, never for each row. Memory: whole documents with
some 260,000 tokens at a time, or one that has more, at about 100 bytes a token; and about 150 for each distinct word or lemma.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.config import StudyConfig
from trasmallo.results.builders.key_columns import NO_WORDS, KeyColumn, made_once, wanted_types
from trasmallo.store.parquet import Kind, Texts, listed, written
from trasmallo.store.tokens import CAPITAL, KIND_SHIFT, SENTENCE, Corpus
from trasmallo.study.grouping import ordered
from trasmallo.study.patterns import ALPHANUMERIC, PUNCTUATION
from trasmallo.study.word_lists import frequent
from trasmallo.values.arrays import Array, Mask, Whole

_AT_ONCE = 1 << 18
"""Tokens that are counted together, at about 100 bytes each."""

Batch = Sequence[Array]
"""Some rows: an array a column."""


class TokenSource(NamedTuple):
    """What tables are made of; `home` is the language of the project.

    `scratch` is the folder for what does not fit in memory, None for the system's; about `at_once` tokens are counted together.
    """

    corpus: Corpus
    study: StudyConfig
    scratch: Path | None = None
    at_once: int = _AT_ONCE
    home: str = ""


class BuiltColumns(NamedTuple):
    """A table in its usual order: what its columns hold, and its rows, some at a time."""

    columns: Mapping[str, Kind]
    batches: Iterable[Batch]


def words_by_page(source: TokenSource) -> BuiltColumns:
    """The words of each document that the project's lists leave, as `study.document_measures` counts them."""
    column = KeyColumn.of(source.corpus)
    columns: dict[str, Kind] = {"document": document_texts(source.corpus), "word": column.written}
    columns |= {"count": np.int64, "capitalised": np.int64, "language": listed(column.languages)}
    return BuiltColumns(columns, _words_of_pages(source, column))


def lemmas_by_page(source: TokenSource) -> BuiltColumns:
    """The lemmas of each document with their categories; punctuation is none."""
    corpus, kinds = source.corpus, _lemmas(source.corpus)
    columns: dict[str, Kind] = {"document": document_texts(corpus), "lemma": kinds.first, "category": kinds.second}
    columns |= {"count": np.int64, "language": listed(kinds.languages)}
    wanted = wanted_types(corpus, source.study)
    counted = (kinds.counted(corpus, some, wanted) for some in _stretches(source))
    rows = ((found, *kinds.told(found.numbers)) for found in counted)
    batches = ((found.documents, texts, categories, found.counts, languages) for found, texts, categories, languages in rows)
    return BuiltColumns(columns, batches)


def lemmas(source: TokenSource) -> BuiltColumns:
    """The lemmas of a corpus with their categories, from frequent to rare; punctuation is none."""
    return _totals(source, _lemmas(source.corpus), "lemma")


def words_by_category(source: TokenSource) -> BuiltColumns:
    """The words of a corpus with their categories, from frequent to rare; punctuation is none."""
    column = KeyColumn.of(source.corpus)
    return _totals(source, _Kinds.of(source.corpus, column.key[column.of_type], listed(column.keys)), "word")


class _Stretch(NamedTuple):
    """Whole documents: which tokens they have, and for each of these its document."""

    tokens: slice
    documents: Whole


def _stretches(source: TokenSource) -> Iterator[_Stretch]:
    """Documents that have about `at_once` tokens together."""
    corpus, bounds, low = source.corpus, source.corpus.documents.bounds, 0
    while low < len(corpus.documents):
        high = max(int(np.searchsorted(bounds, bounds[low] + source.at_once, side="right")) - 1, low + 1)
        numbers = np.repeat(np.arange(low, high), np.diff(bounds[low : high + 1]))
        if len(numbers):
            yield _Stretch(slice(int(bounds[low]), int(bounds[high])), numbers)
            corpus.release()
        low = high


class _Counts(NamedTuple):
    """Rows by document, from frequent to rare, then in the order of the numbers; `marked` of the occurrences have a mark."""

    documents: Whole
    numbers: Whole
    counts: Whole
    marked: Whole


def _count(documents: Whole, numbers: Array, marks: Mask) -> _Counts:
    width = np.uint64(int(numbers.max(initial=0)).bit_length())
    packed = (documents.astype(np.uint64) << width | numbers.astype(np.uint64)) << np.uint64(1) | marks
    packed.sort()
    rows = packed >> np.uint64(1)
    begins = np.flatnonzero(np.concatenate(([True], rows[1:] != rows[:-1])) if len(rows) else rows)
    counts = np.diff(begins, append=len(rows))
    marked = np.add.reduceat((packed & np.uint64(1)).astype(np.int64), begins) if len(begins) else counts
    rows = rows[begins]
    document, number = (rows >> width).astype(np.int64), (rows & ((np.uint64(1) << width) - np.uint64(1))).astype(np.int64)
    order = ordered([document - document.min(initial=0), counts.max(initial=0) - counts, number])
    return _Counts(document[order], number[order], counts[order], marked[order])


def _words_of_pages(source: TokenSource, column: KeyColumn) -> Iterator[Batch]:
    corpus, wanted = source.corpus, wanted_types(source.corpus, source.study)
    for tokens, documents in _stretches(source):
        flags, types = corpus.flags[tokens], corpus.types(tokens)
        numbers, chosen = column.of_type[types], flags >> KIND_SHIFT != PUNCTUATION
        if wanted is not None:
            chosen &= wanted[types]
        begins = (flags & SENTENCE).astype(np.bool_)
        begins[np.flatnonzero(np.diff(documents, prepend=-1))] = True
        found = _count(documents[chosen], numbers[chosen], _names(flags, begins)[chosen])
        yield *found, column.language[found.numbers]


def _names(flags: NDArray[np.uint8], begins: Mask) -> Mask:
    """Capitalised words inside sentences; a sentence with most words in capitals is a headline and tells nothing."""
    words = flags >> KIND_SHIFT <= ALPHANUMERIC
    starts, sentence = np.flatnonzero(begins), np.cumsum(begins) - 1
    until: Whole = np.cumsum(words)
    is_first = until == (until[starts] - words[starts] + 1)[sentence]
    names: Mask = words & (flags & CAPITAL).astype(np.bool_) & ~is_first
    number_of_names, number_of_words = (np.add.reduceat(some.astype(np.int32), starts) for some in (names, words))
    names &= (2 * number_of_names <= number_of_words)[sentence]
    return names


class _Kinds(NamedTuple):
    """Types with the same word (or lemma), category and language are of one kind; kinds are in the order of these texts.

    `names` are all three in one number, `is_word` says which are no punctuation.
    """

    names: NDArray[np.uint64]
    of_type: NDArray[np.intp]
    is_word: Mask
    first: Texts
    second: Texts
    categories: int
    languages: list[str]

    @classmethod
    def of(cls, corpus: Corpus, first: Array, texts: Texts) -> _Kinds:
        place, named = _in_order(corpus, "category")
        size = max(len(named), 1)
        both = first.astype(np.uint64) * np.uint64(size) + place[corpus.type_of("category")].astype(np.uint64)
        languages, spoken = corpus.languages
        names, of_type = np.unique(both * np.uint64(len(languages)) + spoken, return_inverse=True)
        words = np.array([name not in NO_WORDS for name in named], dtype=np.bool_)
        category = names // np.uint64(len(languages)) % np.uint64(size)
        return cls(names, of_type, words[category.astype(np.intp)], texts, listed(named), size, languages)

    def told(self, numbers: Array) -> tuple[Array, Array, Array]:
        """The texts, the categories and the languages of kinds, by number."""
        both, languages = np.divmod(self.names[numbers], np.uint64(len(self.languages)))
        texts, categories = np.divmod(both, np.uint64(self.categories))
        return texts.astype(np.uint32), categories.astype(np.uint32), languages.astype(np.uint32)

    def counted(self, corpus: Corpus, some: _Stretch, wanted: Mask | None = None) -> _Counts:
        """The kinds in some documents, of the types that are `wanted`."""
        types = corpus.types(some.tokens)
        kinds = self.of_type[types]
        chosen = self.is_word[kinds]
        if wanted is not None:
            chosen = chosen & wanted[types]
        return _count(some.documents[chosen], kinds[chosen], np.zeros(np.count_nonzero(chosen), dtype=np.bool_))


def _lemmas(corpus: Corpus) -> _Kinds:
    def make() -> _Kinds:
        place, texts = _in_order(corpus, "lemma")
        return _Kinds.of(corpus, place[corpus.type_of("lemma")], listed(texts))

    return made_once(corpus, "lemmas by category", make)


def _in_order(corpus: Corpus, attribute: str) -> tuple[NDArray[np.intp], list[str]]:
    """For each number of a lexicon its place in alphabetical order, and the texts in that order."""
    lexicon = corpus.strings(attribute)
    place = np.empty(len(lexicon), dtype=np.intp)
    place[lexicon.in_order] = np.arange(len(lexicon))
    return place, list(map(lexicon.all_texts().__getitem__, lexicon.in_order.tolist()))


def _totals(source: TokenSource, kinds: _Kinds, name: str) -> BuiltColumns:
    columns: dict[str, Kind] = {name: kinds.first, "category": kinds.second, "count": np.int64, "documents": np.int64}
    return BuiltColumns(columns | {"language": listed(kinds.languages)}, _rows_of_totals(source, kinds))


def _rows_of_totals(source: TokenSource, kinds: _Kinds) -> Iterator[Batch]:
    counts, documents = np.zeros((2, len(kinds.names)), dtype=np.int64)
    wanted = wanted_types(source.corpus, source.study, frequent(source.study))
    for some in _stretches(source):
        found = kinds.counted(source.corpus, some, wanted)
        documents += np.bincount(found.numbers, minlength=len(documents))
        np.add.at(counts, found.numbers, found.counts)
    chosen = np.flatnonzero(counts)
    foreign = np.array([language != source.home for language in kinds.languages])[kinds.told(chosen)[2]]
    chosen = chosen[np.lexsort((-counts[chosen], foreign))]
    texts, categories, languages = kinds.told(chosen)
    yield texts, categories, counts[chosen], documents[chosen], languages


def document_texts(corpus: Corpus) -> Texts:
    """The ids of documents as columns of files take them."""
    return lambda numbers: [written(corpus.documents.id(number).encode()) for number in numbers.tolist()]

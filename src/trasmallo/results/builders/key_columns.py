"""What segments can be sequences of: the words of a corpus, its lemmas, their categories, or the characters of its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from trasmallo.config import StudyConfig
from trasmallo.store.parquet import Texts, listed
from trasmallo.store.tokens import Corpus
from trasmallo.study.segments import SegmentRules
from trasmallo.study.sequence_bounds import Bounds
from trasmallo.study.stop_lists import StopList, make
from trasmallo.study.tokenise import keys
from trasmallo.study.word_lists import frequent, options_for
from trasmallo.values.arrays import Array, Integers, Mask, Numbers

NO_WORDS = ("PUNCT", "punctuation")
"""Categories of signs, with a tagger and without."""

BLANK = "␣"
"""How a blank is shown in a sequence of characters."""

_MOST_CHARACTERS = 50_000_000
"""Characters whose sequences are counted, at some 4 bytes each. Documents are in the order of their ids, so the first of them
are a fair sample of a larger corpus."""


_LETTERS = re.compile("[^\\W\\d_]+(?:[-'\u2019\u00b7][^\\W\\d_]+)*")

Thing = TypeVar("Thing")


class KeyColumn:
    """The words (or the lemmas) of a corpus, numbered by their keys in alphabetical order, and then by their languages.

    `texts[number]` is the key, `languages[language[number]]` its language: a key in two languages is two. `keys` has each key
    once, `key[number]` is its place there. Memory: some 100 bytes for each key, and 4 for each type of the corpus.
    """

    def __init__(self, corpus: Corpus, attribute: str = "word") -> None:
        found = keys(corpus.strings(attribute).all_texts())
        self.keys = sorted(set(found))
        numbers = dict(zip(self.keys, range(len(found)), strict=False))
        self._number = np.fromiter(map(numbers.__getitem__, found), np.uint32, len(found))
        self.languages, spoken = corpus.languages
        both = self._number[corpus.type_of(attribute)].astype(np.uint64) * np.uint64(len(self.languages)) + spoken
        distinct, of_type = np.unique(both, return_inverse=True)
        self.key, self.language = (half.astype(np.uint32) for half in np.divmod(distinct, np.uint64(len(self.languages))))
        self.texts = list(map(self.keys.__getitem__, self.key.tolist()))
        self.of_type = of_type.astype(np.uint32)
        self._column = corpus.of_types(self.of_type)

    @classmethod
    def of(cls, corpus: Corpus, attribute: str = "word") -> KeyColumn:
        """The column of a corpus, made once for all that is asked of it; it goes with the corpus."""
        return made_once(corpus, f"{attribute} keys", lambda: cls(corpus, attribute))

    @cached_property
    def written(self) -> Texts:
        """The keys as columns of files take them."""
        return listed(self.texts)

    def __len__(self) -> int:
        return len(self._column)

    def __getitem__(self, chosen: slice | Array) -> Integers:
        return self._column[chosen]

    def language_of(self, number: int) -> str:
        """The language of a number."""
        return self.languages[int(self.language[number])]

    def foreign(self, home: str) -> Mask:
        """What is in another language than this."""
        found: Mask = np.array([language != home for language in self.languages], dtype=np.bool_)[self.language]
        return found

    def most_frequent(self, corpus: Corpus, number: int) -> list[str]:
        """So many of the most frequent words of all languages, of equals the one with the most frequent form; no signs."""
        counts = np.bincount(self.key[self.of_type], corpus.type_of("count"), len(self.keys))
        first = np.zeros(len(self.keys), dtype=np.intp)
        first[self._number[::-1]] = np.arange(len(self._number))[::-1]
        ordered = (self.keys[place] for place in np.lexsort((first, -counts)).tolist())
        return list(islice(filter(_is_word, ordered), number))

    def mask(self, holds: Iterable[bool]) -> NDArray[np.bool_]:
        """A truth value for each key."""
        return np.fromiter(holds, dtype=np.bool_, count=len(self.texts))

    @cached_property
    def words(self) -> NDArray[np.bool_]:
        """What is no punctuation."""
        return self.mask(map(_is_word, self.texts))

    @cached_property
    def letters(self) -> Mask:
        """What is written with letters, hyphens and apostrophes alone: no figures, and no names of variables."""
        return self.mask(text.isalpha() or _LETTERS.fullmatch(text) is not None for text in self.texts)

    def in_lists(self, lists: Sequence[Container[str]]) -> NDArray[np.bool_]:
        """The keys that are in the list of their language; `lists` has one for each of `languages`."""
        return self.mask(text in lists[place] for text, place in zip(self.texts, self.language.tolist(), strict=True))

    def wanted(self, corpus: Corpus, study: StudyConfig) -> NDArray[np.bool_] | None:
        """The words that the project's lists for their languages leave; None without lists.

        A word is of the lemma that it mostly has.
        """
        lists = WordLists.of(corpus, study, frequent(study))
        return lists and lists.leave(lambda some: self._listed(corpus, some))

    def _listed(self, corpus: Corpus, lists: Sequence[StopList]) -> NDArray[np.bool_]:
        known = self.in_lists([some.words for some in lists])
        if not any(some.lemmas for some in lists):
            return known
        lemmas = KeyColumn.of(corpus, "lemma")
        usual = np.zeros(len(self.texts), dtype=np.intp)
        order = np.argsort(corpus.type_of("count"), kind="stable")
        usual[self.of_type[order]] = lemmas.of_type[order]
        return known | lemmas.in_lists([some.lemmas for some in lists])[usual]


class WordLists(NamedTuple):
    """The project's lists for each language of a corpus: what they leave out, and the only words, None for any."""

    stop: list[StopList]
    only: list[StopList] | None

    @classmethod
    def of(cls, corpus: Corpus, study: StudyConfig, number: int) -> WordLists | None:
        """None where there are no lists, whatever the language; `number` of the most frequent words are left out, too."""
        options = [options_for(language, study) for language in _spoken(corpus)]
        usual = make(KeyColumn.of(corpus).most_frequent(corpus, number)) if number else StopList()
        stop = [(one.stop or StopList()) | usual for one in options]
        only = [one.only for one in options if one.only is not None] or None
        return cls(stop, only) if any(stop) or only else None

    def leave(self, listed: Callable[[Sequence[StopList]], Mask]) -> Mask:
        """What is left of something, when `listed` tells which of it some lists have."""
        left = ~listed(self.stop)
        return left if self.only is None else left & listed(self.only)


def _spoken(corpus: Corpus) -> list[str]:
    """The languages of a corpus; where a file of an earlier version does not tell them, that of most documents."""
    named = corpus.languages[0]
    if named != [""]:
        return named
    places = corpus.documents.languages()
    return [max(places, key=lambda code: len(places[code]), default="")]


def wanted_types(corpus: Corpus, study: StudyConfig, number: int = 0) -> NDArray[np.bool_] | None:
    """For each type whether the lists for its language leave it, by its word or lemma; None without lists.

    So many of the most frequent words are left out, too.
    """
    lists = WordLists.of(corpus, study, number)
    return lists and lists.leave(lambda some: _listed_types(corpus, some))


def _listed_types(corpus: Corpus, lists: Sequence[StopList]) -> NDArray[np.bool_]:
    words = KeyColumn.of(corpus)
    found: NDArray[np.bool_] = words.in_lists([some.words for some in lists])[words.of_type]
    if any(some.lemmas for some in lists):
        lemmas = KeyColumn.of(corpus, "lemma")
        found |= lemmas.in_lists([some.lemmas for some in lists])[lemmas.of_type]
    return found


class SequenceColumn(NamedTuple):
    """A column to find segments in, the bounds and rules for it, how a segment is written, and the language of a number."""

    column: Numbers
    bounds: Bounds
    rules: SegmentRules
    spell: Callable[[Sequence[int]], str]
    language: Callable[[int], str]


def bounds_of(corpus: Corpus) -> Bounds:
    """The documents and sentences of a corpus."""
    return Bounds(corpus.documents.bounds, corpus.sentences)


def sequence_column(of: str, corpus: Corpus, study: StudyConfig) -> SequenceColumn:
    """The column for a name in `study.segments_of`."""
    return _SOURCES[of](corpus, study)


def _words(corpus: Corpus, study: StudyConfig) -> SequenceColumn:
    return _keys(KeyColumn.of(corpus), corpus, study)


def _lemmas(corpus: Corpus, study: StudyConfig) -> SequenceColumn:
    return _keys(KeyColumn.of(corpus, "lemma"), corpus, study)


def _keys(column: KeyColumn, corpus: Corpus, study: StudyConfig) -> SequenceColumn:
    rules = SegmentRules(allowed=column.words, edges=column.wanted(corpus, study))

    def spell(numbers: Sequence[int]) -> str:
        return " ".join(map(column.texts.__getitem__, numbers))

    return SequenceColumn(column, bounds_of(corpus), rules, spell, column.language_of)


def _categories(corpus: Corpus, _study: StudyConfig) -> SequenceColumn:
    """The categories of each language."""
    (languages, spoken), names = corpus.languages, corpus.categories.texts(range(len(corpus.categories)))
    column = corpus.of_types(spoken * np.uint32(len(names)) + corpus.type_of("category"))
    rules = SegmentRules(allowed=np.array([name not in NO_WORDS for name in names] * len(languages), dtype=np.bool_))

    def spell(numbers: Sequence[int]) -> str:
        return " ".join(names[number % len(names)] for number in numbers)

    return SequenceColumn(column, bounds_of(corpus), rules, spell, lambda number: languages[number // len(names)])


def _characters(corpus: Corpus, _study: StudyConfig) -> SequenceColumn:
    """The keys of the words with a blank between those that are written apart, those of each language by themselves."""
    numbers = KeyColumn.of(corpus)
    spelt = _SpeltWords(numbers.texts, numbers.language)
    pieces, begins, sentences, done = [np.zeros(0, dtype=np.uint8)], [0], [np.zeros(0, dtype=np.int64)], 0
    for document in range(len(corpus.documents)):
        if done >= _MOST_CHARACTERS:
            break
        first, last = corpus.documents.range(document)
        starts, ends = corpus.places(document)
        apart = np.concatenate(([False], starts[1:] > ends[:-1]))[: last - first]
        characters, places = spelt.line(numbers[first:last], apart)
        low, high = np.searchsorted(corpus.sentences, [first, last])
        sentences.append(places[corpus.sentences[low:high] - first] + done)
        pieces.append(characters)
        done += len(characters)
        begins.append(done)
    bounds = Bounds(np.array(begins, dtype=np.int64), np.concatenate(sentences))

    def spell(found: Sequence[int]) -> str:
        return "".join(spelt.letters[one][1] for one in found)

    column = np.concatenate(pieces)
    return SequenceColumn(column, bounds, SegmentRules(), spell, lambda one: numbers.languages[spelt.letters[one][0]])


class _SpeltWords:
    """Words as stretches of numbered characters, each with the place of its language; the first are their blanks."""

    def __init__(self, texts: Sequence[str], languages: NDArray[np.uint32]) -> None:
        numbers = {(language, BLANK): language for language in range(int(languages.max(initial=0)) + 1)}
        self._blanks = languages
        self._lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self._begins = np.cumsum(self._lengths) - self._lengths
        spoken = zip(texts, languages.tolist(), strict=True)
        found = (numbers.setdefault((language, letter), len(numbers)) for text, language in spoken for letter in text)
        codes = np.fromiter(found, dtype=np.uint32, count=int(self._lengths.sum()))
        self._codes = codes.astype(np.min_scalar_type(len(numbers)))
        self.letters = list(numbers)

    def line(self, words: Array, apart: NDArray[np.bool_]) -> tuple[Array, NDArray[np.int64]]:
        """The characters of words, with a blank before those that stand apart; and the place of each word's first letter."""
        lengths = self._lengths[words]
        ends = np.cumsum(lengths + apart)
        places = ends - lengths
        line = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=self._codes.dtype)
        line[places[apart] - 1] = self._blanks[words[apart]]
        inside = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        line[np.repeat(places, lengths) + inside] = self._codes[np.repeat(self._begins[words], lengths) + inside]
        return line, places


def _is_word(text: str) -> bool:
    return text.isalnum() or any(map(str.isalnum, text))


def made_once(corpus: Corpus, name: str, make: Callable[[], Thing]) -> Thing:
    """What several tables of a corpus are made of; it is kept as long as the corpus, which it must not hold."""
    made = _MADE.setdefault(corpus, {})
    if name not in made:
        made[name] = make()
    found: Thing = made[name]
    return found


_MADE: WeakKeyDictionary[Corpus, dict[str, Any]] = WeakKeyDictionary()

_SOURCES = {"words": _words, "lemmas": _lemmas, "categories": _categories, "characters": _characters}

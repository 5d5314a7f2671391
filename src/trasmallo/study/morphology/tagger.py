"""Gives each word of a sentence one lemma, category and set of features: a log-linear model over what the analyses allow.

A word is described once (`lexical`); its own score and what it says to its neighbours are kept, so that a known word costs a
few array operations shared by the whole sentence. No decision looks at an earlier one: that made nothing better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from threading import RLock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.factorising import Factorised
from trasmallo.study.interned_forms import Facts, Forms
from trasmallo.study.morphology import tagger_features
from trasmallo.study.morphology.interned_readings import TABLES, InternedReadings
from trasmallo.study.morphology.lexical import Analyses, DescribedWord, Lexical, SeenInTraining, category_of
from trasmallo.study.morphology.reading_choice import ReadingChoice
from trasmallo.study.morphology.registers import everyday_sentences, is_everyday
from trasmallo.study.morphology.tagger_model import Model, Weights, packed, unpacked
from trasmallo.study.morphology.tags import Tags
from trasmallo.study.morphology.warm_cache import WarmCache
from trasmallo.values.arrays import Integers, Whole
from trasmallo.values.model import Tagged

_MOST_WORDS = 200_000
"""Words before all is forgotten. Judgement: with the analyses some 150 MB a language (docs/design.md)."""
_GROWTH = 4096
"""Rows by which the tables begin and grow at least. Judgement."""
# Places scored at once: enough to spread the cost of a call, few enough to stay in the processor's cache.
_AT_ONCE = 4096
# How far from the beginning of a sentence a word may stand behind signs and still be its first.
_SIGNS_BEFORE = 2
# A word and its neighbours, by their offsets; and which row of scores each of them gives to the word.
_OFFSETS = np.array([[0], *([offset] for offset in tagger_features.NEAR)])
_PLACES = np.arange(len(_OFFSETS)).reshape(-1, 1)
_ALL_BITS = np.uint16(0xFFFF)


class Tagger:
    """A model ready to use in one convention; remembers at most 200,000 words. Scores are in units of the model's scale."""

    def __init__(
        self,
        model: Model,
        convention: str,
        analyses: Analyses,
        tags: Tags,
        warm: WarmCache | None = None,
        *,
        most: int = _MOST_WORDS,
    ) -> None:
        self._most = most
        self._categories = model.categories
        verbs = model.verb_frequencies()
        self._lexical = Lexical(analyses, SeenInTraining(model.candidates, model.further, model.auxiliaries))
        self._weights = Weights.of(model, model.conventions[convention])
        self._choice = ReadingChoice(model.conventions[convention], analyses, tags, verbs)
        self._warm = warm
        self._kinds: dict[tuple[str, ...], int] = {}
        self._masks = np.zeros((0, len(self._categories)), np.bool_)
        self._lock = RLock()
        self._facts = tuple(Facts(partial(self._known, place=place)) for place in range(_PLACES_IN_SENTENCES))
        self._forget()

    def _forget(self) -> None:
        self._numbers: tuple[dict[str, int], ...] = tuple({} for _ in range(_PLACES_IN_SENTENCES))
        self._tagged = _Chosen(self._choose)
        self._words: list[str] = []
        self._alone = packed(np.zeros((_GROWTH, 1 + len(tagger_features.NEAR), len(self._categories)), np.uint16))
        self._shared = np.zeros((_GROWTH, len(tagger_features.SHARED) + 1), np.uint32)
        self._allowed = packed(np.zeros((_GROWTH, len(self._categories)), np.uint16))
        self._only = np.zeros(_GROWTH, np.int64)
        self._further = self._weights.further([False] * _GROWTH)
        self._readings, self._reading_numbers = TABLES.current(), np.zeros((_GROWTH, len(self._categories)), np.int32)
        for facts in self._facts:
            facts.forget()
        if self._warm is None:
            self._add([("", 0), ("", EVERYDAY)])
        else:
            self._restore(self._warm)

    def meet(self, words: Sequence[str], openers: Sequence[str]) -> WarmCache:
        """Learn what can be said of words without a context; `openers` begin sentences. Gives it back to be kept."""
        for place in range(_PLACES_IN_SENTENCES):
            self._known(openers if place & FIRST else words, place=place)
        size, width = len(self._words), len(self._categories)
        numbers, categories = np.nonzero(unpacked(self._allowed[:size]))
        for key in (numbers * width + categories).tolist():
            self._tagged[key]
        places = {number: place for place, numbers in enumerate(self._numbers) for number in numbers.values()}
        return WarmCache(
            words=[(word, places[number]) for number, word in enumerate(self._words)],
            alone=self._alone[:size].tobytes(),
            shared=self._shared[:size].tobytes(),
            allowed=self._allowed[:size].tobytes(),
            tagged={key: (one.lemma, one.features, one.clitics) for key, one in self._tagged.items()},
        )

    def _restore(self, warm: WarmCache) -> None:
        size = len(warm.words)
        self._grow(size)
        self._alone[:size] = np.frombuffer(warm.alone, np.uint64).reshape(size, *self._alone.shape[1:])
        self._shared[:size] = np.frombuffer(warm.shared, np.uint32).reshape(size, -1)
        allowed = np.frombuffer(warm.allowed, np.uint64).reshape(size, -1)
        self._allow(slice(size), unpacked(allowed)[:, : len(self._categories)] > 0)
        for number, (word, place) in enumerate(warm.words):
            self._words.append(word)
            self._numbers[place][word] = number
        self._further[:size] = self._weights.further([bool(place & EVERYDAY) for _, place in warm.words])
        width, categories = len(self._categories), [category_of(label) for label in self._categories]
        for key, (lemma, features, clitics) in warm.tagged.items():
            self._tagged[key] = Tagged(self._words[key // width], lemma, categories[key % width], features, clitics)

    def tag(self, words: Sequence[str]) -> list[Tagged]:
        """The words of one sentence in their context."""
        if not words:
            return []
        begin, register = _opening(words), EVERYDAY if is_everyday(words) else 0
        with self._lock:
            self._make_room()
            numbers = [*self._known(words[:begin], place=register | FIRST), *self._known(words[begin:], place=register)]
            edge = _EDGES[register]
            line = np.array([*edge, *numbers, *edge], np.int64)
            keys = self._keys(line)[tagger_features.REACH : -tagger_features.REACH]
            return list(map(self._tagged.__getitem__, keys.tolist()))

    def tag_sentences(self, forms: Forms, ranges: Sequence[tuple[int, int]]) -> Factorised[Tagged]:
        """The words of a text whose sentences are the given ranges, each tagged by itself but scored together."""
        bounds = np.array(ranges, np.int64).reshape(-1, 2)
        everyday = everyday_sentences(forms, bounds)
        begins = np.zeros(len(forms.rows), np.int64)
        begins[bounds[:, 0]] = 2 * tagger_features.REACH
        places = np.arange(len(begins)) + np.cumsum(begins)
        line = np.zeros(len(places) + 2 * tagger_features.REACH * (len(ranges) + 1), np.int64)
        line[_around(places[bounds[everyday] - (0, 1)])] = _EDGES[EVERYDAY][0]
        with self._lock:
            self._make_room()
            line[places] = self._number(forms, bounds, everyday)
            return self._collect(self._keys(line)[places])

    def _make_room(self) -> None:
        if len(self._words) > self._most:
            self._forget()

    def _keys(self, line: Whole) -> Whole:
        """For each place of a line of words their number and the category that is chosen there, in one."""
        chosen = self._only[line]
        unsure = (chosen < 0).nonzero()[0]
        for at in [unsure] if len(line) <= _AT_ONCE else _split(unsure, len(line)):
            if len(at):
                chosen[at] = self._best(line, at)
        keys: Whole = line * len(self._categories) + chosen
        return keys

    def _best(self, line: Whole, at: Whole) -> Whole:
        """The category that scores highest among those that the word at each place may have; of equals the first."""
        low, high = int(at[0]) - tagger_features.REACH, int(at[-1]) + tagger_features.REACH + 1
        around = line.take(_OFFSETS + at)
        combined = tagger_features.combined(self._shared.take(line[low:high], axis=0), at - low)
        scores = self._weights.sums(combined, self._further.take(around[0]))
        rows = around * self._alone.shape[1] + _PLACES
        scores += self._alone.reshape(-1, scores.shape[1]).take(rows, axis=0).sum(axis=0)
        scores &= self._allowed.take(around[0], axis=0)
        found: Whole = unpacked(scores).argmax(axis=1)
        return found

    def _collect(self, keys: Whole) -> Factorised[Tagged]:
        """The readings of keys, which are a word's number and a category in one."""
        if self._readings is not (now := TABLES.current()):
            self._readings, self._reading_numbers = now, np.zeros_like(self._reading_numbers)
        places = self._reading_numbers.reshape(-1)
        for key in set(keys[places[keys] == 0].tolist()):
            places[key] = 1 + now.intern(self._tagged[key])
        return Factorised(now, places[keys].astype(np.int64) - 1)

    def _choose(self, key: int) -> Tagged:
        number, category = divmod(key, len(self._categories))
        return self._choice.choose(self._words[number], self._categories[category])

    def _number(self, forms: Forms, bounds: Whole, everyday: NDArray[np.bool_]) -> Whole:
        """The numbers under which the words of a text are remembered: one for each place in sentences."""
        numbers = np.empty(len(forms.rows), np.int64)
        places = beginnings(forms, bounds) * FIRST
        places[np.repeat(everyday, bounds[:, 1] - bounds[:, 0])] |= EVERYDAY
        for place, facts in enumerate(self._facts):
            there = places == place
            if there.any():
                numbers[there] = facts.each(forms, there)
        return numbers

    def _known(self, words: Sequence[str], *, place: int) -> list[int]:
        """The numbers of words; new ones are described together, to spread the cost of calls."""
        numbers = self._numbers[place]
        try:
            return list(map(numbers.__getitem__, words))
        except KeyError:
            self._add([(word, place) for word in dict.fromkeys(words) if word not in numbers])
            return list(map(numbers.__getitem__, words))

    def _add(self, words: list[tuple[str, int]]) -> None:
        """Describe new words and score what does not depend on their places."""
        begin = len(self._words)
        described = [self._lexical.describe(word, bool(place & FIRST)) if word else _NOTHING for word, place in words]
        for number, (word, place) in enumerate(words, begin):
            self._words.append(word)
            self._numbers[place][word] = number
        self._grow(len(self._words))
        hashes = tagger_features.hashed([word.clues for word in described])
        rows = slice(begin, len(self._words))
        self._further[rows] = self._weights.further([bool(place & EVERYDAY) for _, place in words])
        self._alone[rows] = self._weights.partial_sums(
            tagger_features.alone(hashes), tagger_features.BOUNDS[:-1], self._further[rows]
        )
        self._shared[rows] = tagger_features.shared(hashes)
        self._allow(rows, self._masks_of([word.candidates for word in described]))

    def _allow(self, rows: slice, allowed: NDArray[np.bool_]) -> None:
        """The categories that words may have; where there is only one, nothing is to be scored."""
        self._allowed[rows] = packed(np.where(allowed, _ALL_BITS, np.uint16(0)))
        self._only[rows] = np.where(allowed.sum(axis=1) == 1, allowed.argmax(axis=1), -1)

    def _masks_of(self, several: list[tuple[str, ...]]) -> NDArray[np.bool_]:
        """The categories that words may have, a row a word; the rows, some hundred different ones, are made once."""
        new = [candidates for candidates in dict.fromkeys(several) if candidates not in self._kinds]
        if new:
            self._kinds.update(zip(new, count(len(self._kinds)), strict=False))
            self._masks = np.concatenate([self._masks, [self._mask(candidates) for candidates in new]])
        return self._masks[list(map(self._kinds.__getitem__, several))]

    def _mask(self, candidates: tuple[str, ...]) -> list[bool]:
        known = [category in candidates for category in self._categories]
        return known if any(known) else [True] * len(known)

    def _grow(self, size: int) -> None:
        missing = size - len(self._alone)
        if missing > 0:
            more = max(missing, len(self._alone))
            self._alone, self._shared = _longer(self._alone, more), _longer(self._shared, more)
            self._allowed, self._only = _longer(self._allowed, more), _longer(self._only, more)
            self._reading_numbers, self._further = _longer(self._reading_numbers, more), _longer(self._further, more)


class _Chosen(dict[int, Tagged]):
    """The reading for each key, a word's number and a category in one; chosen when it is first asked for."""

    def __init__(self, choose: Callable[[int], Tagged]) -> None:
        self._choose = choose

    def __missing__(self, key: int) -> Tagged:
        found = self[key] = self._choose(key)
        return found


FIRST, EVERYDAY = 1, 2
"""Bits of a word's place in sentences: it begins one, it is in one of everyday language."""
_PLACES_IN_SENTENCES = 4
"""Every combination of these bits."""
# What stands before and after a sentence, and for a word without letters; its number is 0, in everyday language 1.
_NOTHING = DescribedWord(("X",), ())
_EDGES = {0: (0,) * tagger_features.REACH, EVERYDAY: (1,) * tagger_features.REACH}

_Array = TypeVar("_Array", bound=Integers)


def _longer(array: _Array, more: int) -> _Array:
    """The array with more rows of zeros."""
    return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])  # type: ignore[return-value]


def _split(places: Whole, length: int) -> list[Whole]:
    """The places of a line, so many together as are scored at once."""
    return np.split(places, np.searchsorted(places, np.arange(_AT_ONCE, length, _AT_ONCE)))


def _around(bounds: Whole) -> Whole:
    """The places before and after sentences whose first and last places are given, as far as words look."""
    steps = np.arange(1, tagger_features.REACH + 1)
    return np.concatenate([(bounds[:, :1] - steps).reshape(-1), (bounds[:, 1:] + steps).reshape(-1)])


def _opening(words: Sequence[str]) -> int:
    """How many words of a sentence count as its first: `beginnings` of one sentence."""
    place = 1
    while place <= _SIGNS_BEFORE and place < len(words) and not words[place - 1][:1].isalnum():
        place += 1
    return place


def beginnings(forms: Forms, ranges: Iterable[tuple[int, int]] | Whole) -> NDArray[np.bool_]:
    """Which words of a text, signs included, begin sentences: signs do not hide the first word."""
    found = np.zeros(len(forms.rows), np.bool_)
    signs = _signs.each(forms).astype(np.bool_)
    firsts, lasts = np.array(ranges if isinstance(ranges, np.ndarray) else list(ranges), np.int64).reshape(-1, 2).T
    for _ in range(_SIGNS_BEFORE + 1):
        found[firsts] = True
        hidden = signs[firsts] & (firsts + 1 < lasts)
        firsts, lasts = firsts[hidden] + 1, lasts[hidden]
    return found


_signs = Facts(lambda words: [not word[:1].isalnum() for word in words])


class Plain:
    """Tags for a language without a model: of each word the first reading."""

    def __init__(self, analyses: Analyses) -> None:
        self._analyse = analyses.analyse
        self._readings = InternedReadings()
        self._lock = RLock()
        self._numbers = Facts(lambda words: [self._readings.intern(self._first(word)) for word in words])

    def tag(self, words: Sequence[str]) -> list[Tagged]:
        """The words of one sentence."""
        return [self._first(word) for word in words]

    def tag_sentences(self, forms: Forms, _ranges: Sequence[tuple[int, int]]) -> Factorised[Tagged]:
        """The words of a text."""
        with self._lock:
            if self._readings is not (now := TABLES.current()):
                self._readings = now
                self._numbers.forget()
            return Factorised(now, self._numbers.each(forms))

    def _first(self, word: str) -> Tagged:
        found = self._analyse(word)
        if not found:
            return Tagged(word, word, "X")
        return Tagged(word, found[0].lemma, found[0].category, found[0].features, found[0].clitics)

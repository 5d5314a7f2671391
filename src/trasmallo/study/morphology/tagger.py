"""Gives each word of a sentence one lemma, category and set of features: a log-linear model over what the analyses allow.

A word is described once (`lexical`); its own score and what it says to its neighbours are kept, so that a known word costs a
few array operations shared by the whole sentence. No decision looks at an earlier one: that made nothing better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trasmallo.model import Tagged
from trasmallo.study.morphology import clues
from trasmallo.study.morphology.choice import Choice
from trasmallo.study.morphology.lexical import Analyses, Lexical, Seen, Word
from trasmallo.study.morphology.primed import Primed
from trasmallo.study.morphology.tags import Tags
from trasmallo.study.morphology.trained import Model, Weights

_MOST_WORDS = 200_000
_GROWTH = 4096
_NEVER = np.float32(-1e9)
# Words scored at once: enough to spread the cost of a call, few enough to stay in the processor's cache.
_AT_ONCE = 512
# How far from the beginning of a sentence a word may stand behind signs and still be its first.
_SIGNS_BEFORE = 2


class Tagger:
    """A model ready to use in one convention; remembers at most 200,000 words."""

    def __init__(self, model: Model, convention: str, analyses: Analyses, tags: Tags, primed: Primed | None = None) -> None:
        self._categories = model.categories
        self._lexical = Lexical(analyses, Seen(model.candidates, model.further, model.auxiliaries))
        self._allowed: dict[tuple[str, ...], NDArray[np.float32]] = {}
        self._weights = Weights.of(model, model.conventions[convention])
        self._choice = Choice(model.conventions[convention], analyses, tags)
        self._primed = primed
        self._forget()

    def _forget(self) -> None:
        self._numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._tagged: dict[int, Tagged] = {}
        self._words: list[str] = []
        size, width = _GROWTH, len(self._categories)
        self._alone = np.zeros((size, 1 + len(clues.NEAR), width), np.float32)
        self._shared = np.zeros((size, len(clues.SHARED) + 1), np.uint32)
        self._only = np.zeros(size, np.int64)
        if self._primed is None:
            self._add([("", False)])
        else:
            self._restore(self._primed)

    def meet(self, words: Sequence[str], openers: Sequence[str]) -> Primed:
        """Learn what can be said of words without a context; `openers` begin sentences. Gives it back to be kept."""
        others, starts = self._numbers
        new = [(word, False) for word in words if word not in others] + [(word, True) for word in openers if word not in starts]
        self._add(new)
        size, width = len(self._words), len(self._categories)
        numbers, categories = np.nonzero(self._alone[:size, 0] > _NEVER / 2)
        self._choose((numbers * width + categories).tolist())
        first = set(starts.values())
        return Primed(
            words=[(word, number in first) for number, word in enumerate(self._words)],
            alone=self._alone[:size].tobytes(),
            shared=self._shared[:size].tobytes(),
            only=self._only[:size].tobytes(),
            tagged={key: (one.lemma, one.features, one.clitics) for key, one in self._tagged.items()},
        )

    def _restore(self, primed: Primed) -> None:
        size = len(primed.words)
        self._grow(size)
        self._alone[:size] = np.frombuffer(primed.alone, np.float32).reshape(size, *self._alone.shape[1:])
        self._shared[:size] = np.frombuffer(primed.shared, np.uint32).reshape(size, -1)
        self._only[:size] = np.frombuffer(primed.only, np.int64)
        for number, (word, first) in enumerate(primed.words):
            self._words.append(word)
            self._numbers[first][word] = number
        width, categories = len(self._categories), self._categories
        for key, (lemma, features, clitics) in primed.tagged.items():
            self._tagged[key] = Tagged(self._words[key // width], lemma, categories[key % width], features, clitics)

    def tag(self, words: Sequence[str]) -> list[Tagged]:
        """The words of one sentence in their context."""
        return self.tag_sentences([words])[0] if words else []

    def tag_sentences(self, sentences: Sequence[Sequence[str]]) -> list[list[Tagged]]:
        """Several sentences, each by itself but scored together."""
        if len(self._words) > _MOST_WORDS:
            self._forget()
        numbered = self._number(sentences)
        edge = [0] * clues.REACH
        line = np.array([number for sentence in numbered for number in (*edge, *sentence)] + edge, np.int64)
        chosen = self._only[line]
        unsure = np.flatnonzero(chosen < 0)
        for begin in range(0, len(unsure), _AT_ONCE):
            at = unsure[begin : begin + _AT_ONCE]
            chosen[at] = self._scores(line, at).argmax(axis=1)
        keys = (line * len(self._categories) + chosen).tolist()
        return self._collect(keys, numbered)

    def _scores(self, line: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.float32]:
        scores: NDArray[np.float32] = self._alone[line[at], 0]
        for place, offset in enumerate(clues.NEAR, 1):
            scores += self._alone[line[at + offset], place]
        low, high = int(at[0]) - clues.REACH, int(at[-1]) + clues.REACH + 1
        scores += self._weights.sums(clues.combined(self._shared[line[low:high]], at - low))
        return scores

    def _collect(self, keys: list[int], numbered: list[list[int]]) -> list[list[Tagged]]:
        tagged = self._tagged
        self._choose(set(keys).difference(tagged))
        found, done = [], 0
        for sentence in numbered:
            done += clues.REACH
            found.append([tagged[key] for key in keys[done : done + len(sentence)]])
            done += len(sentence)
        return found

    def _choose(self, keys: Iterable[int]) -> None:
        for key in keys:
            number, category = divmod(key, len(self._categories))
            self._tagged[key] = self._choice.choose(self._words[number], self._categories[category])

    def _number(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        """The numbers under which the words are remembered; new ones are described together, to spread the cost of calls."""
        begins = [self.beginning(words) for words in sentences]
        firsts = [words[:begin] for words, begin in zip(sentences, begins, strict=True)]
        rests = [words[begin:] for words, begin in zip(sentences, begins, strict=True)]
        others, starts = self._numbers
        new = [(word, True) for word in dict.fromkeys(chain.from_iterable(firsts)) if word not in starts]
        new += [(word, False) for word in dict.fromkeys(chain.from_iterable(rests)) if word not in others]
        if new:
            self._add(new)
        return [
            [*map(starts.__getitem__, first), *map(others.__getitem__, rest)] for first, rest in zip(firsts, rests, strict=True)
        ]

    @staticmethod
    def beginning(words: Sequence[str]) -> int:
        """How many words, signs included, begin the sentence: signs do not hide the first word."""
        begins = 1
        while begins <= min(_SIGNS_BEFORE, len(words) - 1) and not words[begins - 1][:1].isalnum():
            begins += 1
        return begins

    def _add(self, words: list[tuple[str, bool]]) -> None:
        """Describe new words and score what does not depend on their places."""
        begin = len(self._words)
        described = [self._lexical.describe(word, first) if word else _NOTHING for word, first in words]
        for number, (word, first) in enumerate(words, begin):
            self._words.append(word)
            self._numbers[first][word] = number
        self._grow(len(self._words))
        hashes = np.array([word.clues for word in described], np.uint32)
        rows = slice(begin, len(self._words))
        self._alone[rows] = self._weights.partial_sums(clues.alone(hashes), clues.BOUNDS[:-1])
        self._alone[rows, 0] += [self._mask(word.candidates) for word in described]
        self._shared[rows] = clues.shared(hashes)
        self._only[rows] = [
            self._categories.index(word.candidates[0]) if len(word.candidates) == 1 else -1 for word in described
        ]

    def _mask(self, candidates: tuple[str, ...]) -> NDArray[np.float32]:
        known = self._allowed.get(candidates)
        if known is None:
            allowed = [0.0 if category in candidates else _NEVER for category in self._categories]
            known = self._allowed[candidates] = np.array(allowed, np.float32)
        return known

    def _grow(self, size: int) -> None:
        missing = size - len(self._alone)
        if missing > 0:
            more = max(missing, len(self._alone))
            self._alone, self._shared = _longer(self._alone, more), _longer(self._shared, more)
            self._only = _longer(self._only, more)


# What stands before and after a sentence, and for a word without letters.
_NOTHING = Word(("X",), [0] * len(clues.CLUES))

_Array = TypeVar("_Array", bound=NDArray[Any])


def _longer(array: _Array, more: int) -> _Array:
    """The array with more rows of zeros."""
    return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])  # type: ignore[return-value]


class Plain:
    """Tags for a language without a model: of each word the first reading."""

    def __init__(self, analyses: Analyses) -> None:
        self._analyse = analyses.analyse

    def tag(self, words: Sequence[str]) -> list[Tagged]:
        """The words of one sentence."""
        return [self._first(word) for word in words]

    def tag_sentences(self, sentences: Sequence[Sequence[str]]) -> list[list[Tagged]]:
        """Several sentences."""
        return [self.tag(words) for words in sentences]

    def _first(self, word: str) -> Tagged:
        found = self._analyse(word)
        if not found:
            return Tagged(word, word, "X")
        return Tagged(word, found[0].lemma, found[0].category, found[0].features, found[0].clitics)

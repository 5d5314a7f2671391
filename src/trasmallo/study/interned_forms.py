"""Interned forms: numbered when a process meets them, so that what is known of one is worked out once.

A text of a thousand words asks a dozen things of each: its key, its syllables, whether the lexicon lists it. Looking up strings
costs more than most answers, so each different form of a text is looked up once, here; `Facts` keep the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Whole

_MOST_FORMS = 300_000  # some 50 MB with `_MOST_CHARACTERS`; see docs/design.md
_MOST_CHARACTERS = 20_000_000
"""What a vocabulary holds before another one is begun: some 50 MB with the facts, of words of usual length."""

_UNKNOWN = -1
"""Where a fact has not been asked for yet."""


class Vocabulary(dict[str, int]):
    """Gives every form that is asked for a number, in order; `words[number]` is the form."""

    def __init__(self, most_forms: int = _MOST_FORMS, most_characters: int = _MOST_CHARACTERS) -> None:
        self.words: list[str] = []
        self.characters = 0
        self._most_forms, self._most_characters = most_forms, most_characters

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self.words)
        self.words.append(word)
        self.characters += len(word)
        return number

    def is_full(self) -> bool:
        """Whether it is time for another one."""
        return len(self) > self._most_forms or self.characters > self._most_characters


class Forms(NamedTuple):
    """The different forms of a text, as ascending numbers of a vocabulary; and for each token the place of its form in them."""

    vocabulary: Vocabulary
    numbers: Whole
    rows: Whole

    def words(self) -> list[str]:
        """The forms as they are written."""
        return list(map(self.vocabulary.words.__getitem__, self.numbers.tolist()))

    def spread(self) -> list[str]:
        """The words of the text in order."""
        return list(map(self.words().__getitem__, self.rows.tolist()))


class Vocabularies:
    """The vocabulary that texts share; another one is begun when it is full."""

    def __init__(self, begin: Callable[[], Vocabulary] = Vocabulary) -> None:
        self.lock = RLock()
        """Held by whoever numbers forms."""
        self.begin = begin
        self._current = begin()

    def current(self) -> Vocabulary:
        """The vocabulary to number forms in."""
        with self.lock:
            if self._current.is_full():
                self._current = self.begin()
            return self._current


VOCABULARIES = Vocabularies()
"""Those of this process."""


def forms_of(words: Sequence[str], vocabularies: Vocabularies = VOCABULARIES) -> Forms:
    """The forms of a text, given its words in order."""
    with vocabularies.lock:
        vocabulary = vocabularies.current()
        return distinct(vocabulary, np.fromiter(map(vocabulary.__getitem__, words), np.int64, len(words)))


def distinct(vocabulary: Vocabulary, numbers: Whole) -> Forms:
    """The forms of a text, given the numbers of its words in order."""
    return Forms(vocabulary, *np.unique(numbers, return_inverse=True))


def joined_forms(several: Sequence[Forms]) -> Forms:
    """The forms of texts one after the other."""
    if len({id(forms.vocabulary) for forms in several}) == 1:
        return distinct(several[0].vocabulary, np.concatenate([forms.numbers[forms.rows] for forms in several]))
    return forms_of([word for forms in several for word in forms.spread()])


class Facts:
    """What `work` says of forms: a whole number from 0 on for each. It is asked once a form, about several at a time."""

    def __init__(self, work: Callable[[list[str]], Sequence[int]]) -> None:
        self._work = work
        self.vocabulary = Vocabulary()
        self._values: NDArray[np.int64] = np.zeros(0, np.int64)

    def __call__(self, forms: Forms) -> Whole:
        """The facts of the forms of a text."""
        with VOCABULARIES.lock:
            self._make_room(forms)
            new = forms.numbers[self._values[forms.numbers] == _UNKNOWN]
            if len(new):
                self._values[new] = self._work(list(map(forms.vocabulary.words.__getitem__, new.tolist())))
            found: Whole = self._values[forms.numbers]
            return found

    def each(self, forms: Forms, where: Whole | NDArray[np.bool_] | None = None) -> Whole:
        """The facts of the tokens of a text, or of those at some places: of no others is anything asked."""
        if where is None:
            return self(forms)[forms.rows]
        rows, there = forms.rows[where], np.zeros(len(forms.numbers), np.bool_)
        there[rows] = True
        values = np.zeros(len(there), np.int64)
        values[there] = self(forms._replace(numbers=forms.numbers[there]))
        found: Whole = values[rows]
        return found

    def forget(self) -> None:
        """Ask again from now on."""
        self.vocabulary = Vocabulary()

    def _make_room(self, forms: Forms) -> None:
        if forms.vocabulary is not self.vocabulary:
            self.vocabulary, self._values = forms.vocabulary, np.zeros(0, np.int64)
        missing = len(forms.vocabulary) - len(self._values)
        if missing > 0:
            more = np.full(max(missing, len(self._values)), _UNKNOWN)
            self._values = np.concatenate([self._values, more])

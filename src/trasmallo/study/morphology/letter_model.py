"""Which letters can stand between which, in the words that training saw: what a wrong letter can have been meant for.

Of the 33 letters that could be put into a place of a Spanish word, five make something that looks like one; of 1,500 random
mistakes in words of a treebank all but four find the same known word as with every letter, and the four a likelier one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.morphology import tagger_model
from trasmallo.values.arrays import Whole

ALPHABET = "aeiousrnldctmpbvgfjhzyqxñkwáéíóúü"
"""Frequent letters first."""
_BEGIN, _END = "\x02\x02", "\x03\x03"


class Letters:
    """The letters of some words by their neighbours: two before, two after, one on each side.

    Letters that the words have are numbered from 1 on. The tables take a byte for each pair of numbers and letter of the
    alphabet, less than a megabyte in all for Spanish.
    """

    def __init__(self, words: Iterable[str]) -> None:
        written = _letters("".join(_BEGIN + word + _END for word in words))
        self._seen = np.unique(np.concatenate([_letters(_BEGIN + _END), written]))
        numbers, fitting = self._number(written), np.full(len(self._seen) + 1, -1)
        fitting[self._number(_letters(ALPHABET))] = np.arange(len(ALPHABET))
        fitting[0] = -1
        places = np.flatnonzero(fitting[numbers] >= 0)
        middle, size = fitting[numbers[places]], len(fitting)
        self._after, self._before, self._inside = np.zeros((3, size, size, len(ALPHABET)), np.bool_)
        self._after[numbers[places - 2], numbers[places - 1], middle] = True
        self._before[numbers[places + 1], numbers[places + 2], middle] = True
        self._inside[numbers[places - 1], numbers[places + 1], middle] = True

    def numbered(self, letters: NDArray[np.unsignedinteger], filled: NDArray[np.bool_]) -> Whole:
        """The numbers of words' letters, a row a word, with two for the beginning before them and those for the end behind."""
        (begin, end), (words, width) = self._number(_letters(_BEGIN[0] + _END[0])), letters.shape
        found = np.full((words, width + 4), end)
        found[:, :2] = begin
        found[:, 2:-2][filled] = self._number(letters[filled])
        return found

    def between(self, first: Whole, second: Whole, third: Whole, fourth: Whole) -> NDArray[np.bool_]:
        """For letters given by their numbers, a last axis that says which of the alphabet may stand between two and two."""
        found: NDArray[np.bool_] = self._after[first, second] & self._before[third, fourth]
        found &= self._inside[second, third]
        return found

    def _number(self, letters: NDArray[np.unsignedinteger]) -> Whole:
        """0 for those never seen."""
        places = np.minimum(np.searchsorted(self._seen, letters), len(self._seen) - 1)
        return np.where(self._seen[places] == letters, places + 1, 0)


class AnyLetter(Letters):
    """For a language without a model: every letter anywhere."""

    def __init__(self) -> None:
        super().__init__(())

    def between(self, first: Whole, *_others: Whole) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones((*first.shape, len(ALPHABET)), np.bool_)


@cache
def letters_of(code: str) -> Letters:
    """The letters of a language folder, made once a process in a tenth of a second."""
    model = tagger_model.load(code)
    return Letters(_words(model)) if model else AnyLetter()


def _words(model: tagger_model.Model) -> set[str]:
    """Every word that a model names."""
    found = {*model.frequent, *model.openers, *model.candidates, *model.further}
    for convention in model.conventions.values():
        found.update(convention.lemmas.values())
        for named in (convention.lemmas, convention.features, convention.frequencies):
            found.update(name.rpartition(" ")[0] for name in named)
    return {word.lower() for word in found if word.isalpha()}


def _letters(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)

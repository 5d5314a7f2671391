"""Words one edit away from others: fingerprints of all of them, and the text of those asked for.

A word has some hundred neighbours and hardly any of them is a word; so they are worked out together and not spelt.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.characters import codes
from trasmallo.study.morphology.fingerprints import BACK, BASE, Prints, powers
from trasmallo.study.morphology.letter_model import ALPHABET, Letters
from trasmallo.study.morphology.stress import ACCENTED, PLAIN
from trasmallo.values.arrays import Whole

_Made = Callable[[str, int, str], str]


_VOWELS, _WITH_ACCENT, _ALPHABET = (
    codes(letters).astype(np.uint64) for letters in ("aeiou", "aeiou".translate(ACCENTED), ALPHABET)
)


class Edits(NamedTuple):
    """Neighbours that one kind of edit makes, in order: whose (an index), at which place, with which letter, fingerprints."""

    owners: Whole
    places: Whole
    letters: Prints
    prints: Prints
    made: _Made

    def spell(self, words: Sequence[str], chosen: Whole, settled: Container[str]) -> Iterator[tuple[str, str]]:
        """Some of them, each with the word that it was made from; none of a word that is settled by then."""
        columns = (column[chosen].tolist() for column in (self.owners, self.places, self.letters))
        for owner, place, letter in zip(*columns, strict=True):
            if (word := words[owner]) not in settled:
                yield word, self.made(word, place, chr(letter))


class LetterSheet:
    """Words written below one another, a column a letter, with what the letters before and behind each place count."""

    def __init__(self, words: Sequence[str]) -> None:
        written = np.array(words).view(np.uint32).reshape(len(words), -1)
        self.letters: Prints = written.astype(np.uint64)
        self.sizes = np.fromiter(map(len, words), np.int64, len(words))[:, None]
        self.powers = powers(self.letters.shape[1] + 1)
        self.before = np.zeros((len(words), len(self.powers)), np.uint64)
        np.cumsum(self.letters * self.powers[:-1], axis=1, out=self.before[:, 1:])
        self.whole = self.before[:, -1:]
        self.behind = self.whole - self.before

    def places(self, beyond: int = 0) -> NDArray[np.bool_]:
        """Where each word has a letter, and so many places beyond its last."""
        found: NDArray[np.bool_] = np.arange(self.letters.shape[1] + max(beyond, 0)) < self.sizes + beyond
        return found


def accent_edits(words: Sequence[str]) -> Edits:
    """Words with an accent on one of their vowels and on no other."""
    sheet = LetterSheet([word.translate(PLAIN) for word in words])
    vowels = np.minimum(np.searchsorted(_VOWELS, sheet.letters), len(_VOWELS) - 1)
    owners, places = np.nonzero(_VOWELS[vowels] == sheet.letters)
    letters = _WITH_ACCENT[vowels[owners, places]]
    return Edits(owners, places, letters, _changed(sheet, owners, places, letters), _accent)


def letter_edits(words: Sequence[str], letters: Letters) -> Iterator[Edits]:
    """The commonest edits first: two letters changed about, one too many, another one, one too few."""
    sheet = LetterSheet(words)
    yield _swaps(sheet)
    yield _drops(sheet)
    around = letters.numbered(sheet.letters, sheet.places())
    owners, places, fitting = _fitting(around, sheet.places(), letters, (0, 1, 3, 4))
    yield Edits(owners, places, fitting, _changed(sheet, owners, places, fitting), _change)
    owners, places, fitting = _fitting(around, sheet.places(1), letters, (0, 1, 2, 3))
    yield Edits(owners, places, fitting, _added(sheet, owners, places, fitting), _add)


def _fitting(
    around: Whole, where: NDArray[np.bool_], letters: Letters, neighbours: tuple[int, ...]
) -> tuple[Whole, Whole, Prints]:
    """The letters that may stand at each place of words, by its neighbours: how far behind two before it they are."""
    owners, places = np.nonzero(where)
    which, found = np.nonzero(letters.between(*(around[owners, places + away] for away in neighbours)))
    return owners[which], places[which], _ALPHABET[found]


def _swaps(sheet: LetterSheet) -> Edits:
    owners, places = np.nonzero(sheet.places(-1))
    first, second = sheet.letters[owners, places], sheet.letters[owners, places + 1]
    prints = sheet.whole[owners, 0] + (second - first) * (sheet.powers[places] - sheet.powers[places + 1])
    return Edits(owners, places, first, prints, _swap)


def _drops(sheet: LetterSheet) -> Edits:
    owners, places = np.nonzero(sheet.places())
    prints = sheet.before[owners, places] + sheet.behind[owners, places + 1] * BACK
    return Edits(owners, places, sheet.letters[owners, places], prints, _drop)


def _changed(sheet: LetterSheet, owners: Whole, places: Whole, letters: Prints) -> Prints:
    prints: Prints = sheet.whole[owners, 0] + (letters - sheet.letters[owners, places]) * sheet.powers[places]
    return prints


def _added(sheet: LetterSheet, owners: Whole, places: Whole, letters: Prints) -> Prints:
    prints: Prints = sheet.before[owners, places] + letters * sheet.powers[places] + sheet.behind[owners, places] * BASE
    return prints


def _accent(word: str, place: int, letter: str) -> str:
    return _change(word.translate(PLAIN), place, letter)


def _swap(word: str, place: int, _letter: str) -> str:
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _drop(word: str, place: int, _letter: str) -> str:
    return word[:place] + word[place + 1 :]


def _change(word: str, place: int, letter: str) -> str:
    return word[:place] + letter + word[place + 1 :]


def _add(word: str, place: int, letter: str) -> str:
    return word[:place] + letter + word[place:]

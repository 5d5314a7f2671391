"""Readings as numbers of texts. Documents share most of their readings: those of a list that they share are looked at once."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.lexicon import encoded
from trasmallo.store.tokens.wordtypes import OF_READINGS, Rows
from trasmallo.values.model import Tagged

LONGEST = 1_000
"""Characters of a word, lemma or tag that are kept; its place tells the rest. Nobody's lexicon can be filled with one page."""

_FIELDS = dict(zip(OF_READINGS, map(attrgetter, ("word", "lemma", "category", "features")), strict=True))


class ChosenReadings(NamedTuple):
    """Some readings: the texts of each attribute, their places there for each reading, and the lengths of the words."""

    texts: dict[str, list[bytes]]
    rows: Rows
    lengths: NDArray[np.int32]


class Listing:
    """The readings of a list that may grow. Memory: some 20 bytes a reading and 150 a different text."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {name: {} for name in OF_READINGS}
        self._texts: dict[str, list[bytes]] = {name: [] for name in OF_READINGS}
        self._rows = np.zeros((len(OF_READINGS), 0), np.uint32)
        self._lengths = np.zeros(0, np.int32)
        self._size = 0

    @classmethod
    def of(cls, readings: Sequence[Tagged]) -> Listing:
        """What is known of a list: of one that can be referred to weakly it stays for the next time."""
        try:
            found = _known.setdefault(readings, cls())
        except TypeError:
            found = cls()
        found._follow(readings)
        return found

    def __len__(self) -> int:
        return self._size

    def choose(self, chosen: NDArray[np.intp]) -> ChosenReadings:
        """The readings with these numbers."""
        texts, rows = {}, np.empty((len(OF_READINGS), len(chosen)), np.uint32)
        for place, (name, known) in enumerate(self._texts.items()):
            used, rows[place] = compact(self._rows[place, chosen], len(known))
            texts[name] = list(map(known.__getitem__, used.tolist()))
        return ChosenReadings(texts, rows, self._lengths[chosen])

    def _follow(self, readings: Sequence[Tagged]) -> None:
        new = readings[self._size :]
        self._make_room(len(new))
        here = slice(self._size, self._size + len(new))
        for place, (name, field) in enumerate(_FIELDS.items()):
            self._rows[place, here] = self._number(name, list(map(field, new)))
        self._lengths[here] = [min(len(one.word), LONGEST) for one in new]
        self._size += len(new)

    def _number(self, name: str, column: list[str]) -> list[int]:
        numbers, texts = self._numbers[name], self._texts[name]
        if max(map(len, column), default=0) > LONGEST:
            column = [text[:LONGEST] for text in column]
        for text in column:
            if text not in numbers:
                numbers[text] = len(texts)
                texts.append(encoded(text))
        return list(map(numbers.__getitem__, column))

    def _make_room(self, more: int) -> None:
        missing = self._size + more - len(self._lengths)
        if missing > 0:
            missing = max(missing, self._size)
            self._rows = np.pad(self._rows, ((0, 0), (0, missing)))
            self._lengths = np.pad(self._lengths, (0, missing))


_known: WeakKeyDictionary[Sequence[Tagged], Listing] = WeakKeyDictionary()


def compact(numbers: NDArray[np.unsignedinteger], size: int) -> tuple[NDArray[np.intp], NDArray[np.uint32]]:
    """The different ones of numbers below `size`, in order, and the place of each number among them."""
    used = np.zeros(size, np.bool_)
    used[numbers] = True
    places = np.cumsum(used, dtype=np.uint32) - np.uint32(1)
    return np.flatnonzero(used), places[numbers]

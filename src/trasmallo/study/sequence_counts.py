"""Counts of given sequences in a long column: exact, in one pass over it, for sequences of several lengths together.

It is for sequences that may have become frequent, or rare, because a few documents changed: all others need not be counted
again. The first tokens of every place are hashed, as many as the shortest sequence has; only where a table of bits says that
one of those given may begin so, longer ones are looked at, and the sequences themselves compared. Memory: some 60 bytes for
each token of a stretch, and 100 for each given sequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.sequence_bounds import AT_ONCE, Bounds
from trasmallo.values.arrays import Integers, Mask, Numbers, Whole

Hashes = NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, as in Fibonacci hashing (Knuth, 6.4)."""
_FEWEST_BITS, _MOST_BITS, _SPARE_BITS = 16, 26, 4
"""Sizes of tables of bits as powers of two: 16 times as many as sequences, so that 6 % of the others are looked up in vain."""


class PlacedSequences(NamedTuple):
    """All sequences of one length in a column, in order: their hashes, what they consist of, and their documents."""

    hashes: Hashes
    content: Integers
    documents: Whole


class GivenSequences(NamedTuple):
    """Distinct sequences of one length in the order of their hashes; occurrences up to the `few` first are told apart."""

    hashes: Hashes
    content: Integers
    few: Whole


class SequenceCounts(NamedTuple):
    """How often each of the given sequences occurs, and in how many documents.

    `few` are rows of (sequence, document, occurrences there): all of them for a sequence that does not occur more often than
    was said, and not all for others.
    """

    counts: Whole
    documents: Whole
    few: Whole


def sequences_of(column: Numbers, bounds: Bounds, length: int, allowed: Mask | None = None) -> PlacedSequences:
    """The sequences of a short column that cross no bounds and have only allowed tokens."""
    for stretch in _stretches(column, bounds, allowed, AT_ONCE * AT_ONCE):
        for found in stretch.levels(length):
            if found.length == length:
                places = np.flatnonzero(found.valid)
                content = stretch.numbers[places[:, None] + np.arange(length)]
                return PlacedSequences(found.hashes[places], content, stretch.documents_at(places))
    return PlacedSequences(np.zeros(0, np.uint64), np.zeros((0, length), np.uint32), np.zeros(0, np.int64))


def hashed(content: Integers) -> Hashes:
    """The hashes of sequences of one length, a row each."""
    found = content[:, 0].astype(np.uint64) * _FACTOR
    for place in range(1, content.shape[1]):
        found = (found + content[:, place].astype(np.uint64)) * _FACTOR
    return found


def count_sequences(
    column: Numbers, bounds: Bounds, given: Sequence[GivenSequences], allowed: Mask | None = None, at_once: int = AT_ONCE
) -> list[SequenceCounts]:
    """Count sequences, each of `given` of another length; about so many tokens, as whole documents, are looked at together."""
    counters = {one.content.shape[1]: _Counter(one) for one in given}
    wanted = [one for one in given if len(one.hashes)]
    if wanted:
        beginnings, longest = _Beginnings(wanted), max(one.content.shape[1] for one in wanted)
        for stretch in _stretches(column, bounds, allowed, at_once):
            for found in beginnings.grown(stretch, longest):
                if found.length in counters:
                    counters[found.length].add(stretch, found)
    return [counters[one.content.shape[1]].result() for one in given]


class _Level(NamedTuple):
    """For each place of a stretch the hash of the sequence of a length that begins there, and whether it is one."""

    length: int
    hashes: Hashes
    valid: Mask


class _Candidates(NamedTuple):
    """Places of a stretch where a given sequence of a length may begin, with the hashes of those that do."""

    length: int
    places: Whole
    hashes: Hashes


class _Stretch(NamedTuple):
    """Whole documents: their tokens, which of these are allowed, and which follow another in their sentence."""

    numbers: Integers
    allowed: Mask
    joined: Mask
    first: int
    bounds: Bounds

    def levels(self, longest: int) -> Iterator[_Level]:
        """The sequences of one token, of two, and so on."""
        wide = self.numbers.astype(np.uint64)
        hashes, valid, link = wide * _FACTOR, self.allowed, self.allowed & self.joined
        for length in range(1, min(longest, len(wide)) + 1):
            if length > 1:
                hashes = (hashes[:-1] + wide[length - 1 :]) * _FACTOR
                valid = valid[:-1] & link[length - 1 :]
            yield _Level(length, hashes, valid)

    def documents_at(self, places: Whole) -> Whole:
        """The documents of places in it."""
        return np.searchsorted(self.bounds.documents, places + self.first, side="right") - 1


def _stretches(column: Numbers, bounds: Bounds, allowed: Mask | None, at_once: int) -> Iterator[_Stretch]:
    documents, low = bounds.documents, 0
    while low < len(documents) - 1:
        high = max(int(np.searchsorted(documents, documents[low] + at_once, side="right")) - 1, low + 1)
        begin, end = int(documents[low]), int(documents[high])
        if end > begin:
            numbers = column[begin:end]
            passed = np.ones(len(numbers), dtype=np.bool_) if allowed is None else allowed[numbers]
            yield _Stretch(numbers, passed, bounds.joined(begin, end), begin, bounds)
        low = high


class _Beginnings:
    """The first tokens of given sequences, as many as the shortest has: few places of a long column begin so."""

    def __init__(self, given: Sequence[GivenSequences]) -> None:
        self._length = min(one.content.shape[1] for one in given)
        hashes = np.concatenate([hashed(one.content[:, : self._length]) for one in given])
        bits = min(max(len(hashes).bit_length() + _SPARE_BITS, _FEWEST_BITS), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        self._may = np.zeros(1 << bits, dtype=np.bool_)
        self._may[hashes >> self._shift] = True

    def grown(self, stretch: _Stretch, longest: int) -> Iterator[_Candidates]:
        """The places where sequences may begin, of each length up to the longest."""
        places, hashes = np.zeros(0, np.intp), np.zeros(0, np.uint64)
        for found in stretch.levels(self._length):
            if found.length == self._length:
                places = np.flatnonzero(self._may[found.hashes >> self._shift] & found.valid)
                hashes = found.hashes[places]
        yield _Candidates(self._length, places, hashes)
        for length in range(self._length + 1, longest + 1):
            inside = places + (length - 1) < len(stretch.numbers)
            places, hashes = places[inside], hashes[inside]
            last = places + (length - 1)
            goes_on = stretch.joined[last] & stretch.allowed[last]
            places = places[goes_on]
            hashes = (hashes[goes_on] + stretch.numbers[last[goes_on]].astype(np.uint64)) * _FACTOR
            yield _Candidates(length, places, hashes)


class _Counter:
    """Counts the given sequences of one length."""

    def __init__(self, given: GivenSequences) -> None:
        self._given = given
        self._counts, self._documents = np.zeros((2, len(given.hashes)), dtype=np.int64)
        self._few: list[Whole] = [np.zeros((0, 3), dtype=np.int64)]

    def add(self, stretch: _Stretch, found: _Candidates) -> None:
        """Count those of a stretch."""
        if not len(self._given.hashes):
            return
        which = np.minimum(np.searchsorted(self._given.hashes, found.hashes), len(self._counts) - 1)
        same = self._given.hashes[which] == found.hashes
        which, places = which[same], found.places[same]
        alike = np.ones(len(places), dtype=np.bool_)
        for place in range(found.length):
            alike &= stretch.numbers[places + place] == self._given.content[which, place]
        self._take(which[alike], stretch.documents_at(places[alike]))

    def _take(self, which: Whole, documents: Whole) -> None:
        if not len(which):
            return
        low, size = int(documents[0]), int(documents[-1] - documents[0]) + 1
        pairs, counts = np.unique(which * size + (documents - low), return_counts=True)
        sequences, places = np.divmod(pairs, size)
        few = self._counts[sequences] <= self._given.few[sequences]
        self._few.append(np.stack([sequences[few], places[few] + low, counts[few]], axis=1))
        self._counts += np.bincount(which, minlength=len(self._counts))
        self._documents += np.bincount(sequences, minlength=len(self._documents))

    def result(self) -> SequenceCounts:
        return SequenceCounts(self._counts, self._documents, np.concatenate(self._few))

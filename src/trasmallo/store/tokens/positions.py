"""Where each type occurs: the places of its tokens one after the other, type by type; 4 bytes a token.

Types are in the order of their words, so the list of a word is one piece, and that of a lemma as many as it has forms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.sections import Sections, Writer
from trasmallo.store.tokens.streams import TypeColumn, Whole
from trasmallo.values.arrays import Array

SECTION = "position.token"

_TOGETHER = 1 << 23
"""Places that are in memory while lists are made; the column of types is read once for each so many tokens."""
_AT_ONCE_BITS = 20  # judgement: a million tokens are sorted together
_LONG = 128  # judgement: places from which copying a slice beats gathering them


def write_positions(
    writer: Writer, counts: Whole, types: TypeColumn, *, together: int = _TOGETHER, bits: int = _AT_ONCE_BITS
) -> None:
    """Make the lists of a file whose column of types is written; `counts` says how many tokens each type has."""
    dtype = np.uint32 if len(types) <= 1 << 32 else np.uint64
    writer.reserve(SECTION, dtype, len(types))
    begins = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
    for low, high in _ranges(begins, together):
        places = np.empty(int(begins[high] - begins[low]), dtype=dtype)
        following = begins[low:high] - begins[low]
        for first, some in _pieces(types, low, high, bits):
            _scatter(some, bits, first, following, places)
        writer.append(SECTION, places)


def _ranges(begins: Whole, together: int) -> Iterator[tuple[int, int]]:
    """Ranges of types that have about so many tokens."""
    low, number = 0, len(begins) - 1
    while low < number:
        high = max(int(np.searchsorted(begins, begins[low] + together, side="right")) - 1, low + 1)
        yield low, high
        low = high


def _pieces(types: TypeColumn, low: int, high: int, bits: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """The tokens of a range of types as sorted numbers, the type (from `low` on) above the place from a first one on."""
    step = 1 << bits
    for first in range(0, len(types), step):
        found = types[first : first + step]
        places = np.flatnonzero((found >= low) & (found < high))
        keys = (found[places] - np.uint32(low)).astype(np.uint64) << np.uint64(bits) | places.astype(np.uint64)
        keys.sort()
        types.release()
        yield first, keys


def _scatter(keys: NDArray[np.uint64], bits: int, first: int, following: Whole, places: Array) -> None:
    """Put tokens where their lists go on; `following` says where that is, and is moved."""
    if not len(keys):
        return
    types = (keys >> np.uint64(bits)).astype(np.int64)
    begins = np.flatnonzero(np.concatenate(([True], types[1:] != types[:-1])))
    lengths = np.diff(begins, append=len(types))
    distinct = types[begins]
    target = np.repeat(following[distinct] - begins, lengths) + np.arange(len(types))
    places[target] = (keys & np.uint64((1 << bits) - 1)) + np.uint64(first)
    following[distinct] += lengths


class Positions:
    """The lists of a file, mapped."""

    def __init__(self, sections: Sections, counts: Array, long: int = _LONG) -> None:
        self._long = long
        self._places = sections.array(SECTION)
        self._begins = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))

    def of(self, types: Array) -> NDArray[np.unsignedinteger]:
        """The tokens of these types, which are given in order: in an array of their own, list by list."""
        if not len(types):
            return self._places[:0].copy()
        cuts = np.flatnonzero(np.diff(types) != 1) + 1
        begins = self._begins[types[np.concatenate(([0], cuts))]]
        ends = self._begins[types[np.concatenate((cuts - 1, [len(types) - 1]))] + 1]
        long = ends - begins >= self._long
        slices = [self._places[low:high] for low, high in zip(begins[long].tolist(), ends[long].tolist(), strict=True)]
        return np.concatenate((*slices, self._gathered(begins[~long], ends[~long])))

    def _gathered(self, begins: Whole, ends: Whole) -> NDArray[np.unsignedinteger]:
        """Short lists one after the other: read token by token, for there can be very many of them."""
        lengths = ends - begins
        shift = np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
        return self._places[shift + np.arange(len(shift))]

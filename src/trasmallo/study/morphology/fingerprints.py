"""Fingerprints of words, and a filter that most words outside a lexicon do not pass (a Bloom filter with one hash).

The fingerprint of a word is the sum of its letters, each times a power of an odd number, so that numpy works out those of all
its neighbours, which differ by a letter, from its own. A filter has a bit for each of some fingerprints: what does not pass is
in no lexicon, what passes has to be looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.characters import codes

Prints = NDArray[np.uint64]

_BASE = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio, an odd number, as in Fibonacci hashing (Knuth, 6.4)."""
BASE, BACK = np.uint64(_BASE), np.uint64(pow(_BASE, -1, 1 << 64))
"""What a letter counts times more than the one before it, and what undoes that."""
_SPREAD = np.uint64(0xC2B2AE3D27D4EB4F)
_BITS_A_WORD = 16
"""Bits of a filter for each word: one word in twenty outside the lexicon passes at the most."""


def powers(count: int) -> Prints:
    """What the first letters of a word count."""
    return np.cumprod(np.full(count, BASE), dtype=np.uint64)


def fingerprints(words: Sequence[str]) -> Prints:
    """Those of words that have letters."""
    if not words:
        return np.zeros(0, np.uint64)
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    begins = np.cumsum(sizes) - sizes
    letters = codes("".join(words))
    places = np.arange(len(letters)) - np.repeat(begins, sizes)
    return np.add.reduceat(letters * powers(int(sizes.max()))[places], begins)


def filter_of(prints: Prints) -> NDArray[np.uint8]:
    """The filter that words with these fingerprints pass: two to four bytes a word."""
    bits = np.zeros(1 << max(_BITS_A_WORD * len(prints), 8).bit_length(), np.bool_)
    bits[_places(prints, len(bits))] = True
    return np.packbits(bits, bitorder="little")


def passing(bits: NDArray[np.uint8], prints: Prints) -> NDArray[np.int64]:
    """Which of some fingerprints pass."""
    places = _places(prints, 8 * len(bits))
    return np.flatnonzero(bits[places >> np.uint64(3)] >> (places & np.uint64(7)).astype(np.uint8) & 1)


def _places(prints: Prints, size: int) -> Prints:
    """The upper bits, spread, since the lower ones depend on those of the letters alone."""
    places: Prints = prints * _SPREAD >> np.uint64(65 - size.bit_length())
    return places

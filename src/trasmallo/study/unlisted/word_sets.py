"""Sets of words in little room (Bloom 1970): eight bits a word, and one word in fifty outside a set seems to be in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xxhash import xxh3_64_intdigest

_BITS_A_WORD = 8
"""Bits of a set for each word. Judgement: one wrong word in fifty is little beside what else tells."""
_TIMES = 5
"""Bits of each word that are set: with eight bits a word about the number with the fewest mistakes."""


class WordSet:
    """A set of words as its bits."""

    def __init__(self, bits: bytes) -> None:
        self._bits, self._size = bits, 8 * len(bits)

    def __contains__(self, word: object) -> bool:
        bits = self._bits
        return (
            bool(self._size)
            and isinstance(word, str)
            and all(bits[place >> 3] >> (place & 7) & 1 for place in _places(word, self._size))
        )


class WordLevels:
    """Sets of words, each within the one before it: how far in a word is."""

    def __init__(self, sets: Sequence[WordSet] = ()) -> None:
        self._sets = sets

    def of(self, word: str) -> int:
        """In how many of the sets a word is, 0 for none."""
        return next((level for level, one in enumerate(self._sets) if word not in one), len(self._sets))


def pack(words: Iterable[str]) -> bytes:
    """The bits of a set."""
    listed = set(words)
    bits = bytearray(-(-_BITS_A_WORD * len(listed) // 8))
    for word in listed:
        for place in _places(word, 8 * len(bits)):
            bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def _places(word: str, size: int) -> list[int]:
    """Several places of one digest (Kirsch and Mitzenmacher 2006)."""
    digest = xxh3_64_intdigest(word.encode("utf-8", "surrogatepass"))
    first, step = digest & 0xFFFFFFFF, (digest >> 32) | 1
    return [(first + number * step) % size for number in range(_TIMES)]

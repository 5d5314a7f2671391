"""Counting different things in a fixed number of bytes."""

from __future__ import annotations

import math

import msgspec


class Tally(msgspec.Struct):
    """About how many different hashes were added: linear counting (Whang, Vander-Zanden and Taylor 1990).

    The same hash may come again and again. With as many hashes as bits the error is about 0.85 / sqrt(bits).
    """

    bits: bytearray
    ones: int = 0

    def add(self, mark: int) -> None:
        """Take one hash into account."""
        place = mark % (len(self.bits) * 8)
        bit = 1 << (place & 7)
        if not self.bits[place >> 3] & bit:
            self.bits[place >> 3] |= bit
            self.ones += 1

    @property
    def size(self) -> float:
        """The estimate; a full table answers the most it can tell."""
        bits = len(self.bits) * 8
        return -bits * math.log(max(1, bits - self.ones) / bits)


def tally_for(most: int) -> Tally:
    """A tally that can tell up to twice `most` things apart from fewer."""
    return Tally(bytearray(1 << max(3, (most - 1).bit_length() - 3)))

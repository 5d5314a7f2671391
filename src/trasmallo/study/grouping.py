"""Rows that are the same, brought together by sorting: exact, and in the order they came in within each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trasmallo.values.arrays import Integers, Whole

_BITS = 64
"""Bits of the numbers into which columns are packed."""


class Groups(NamedTuple):
    """Groups of rows: `order` lists the rows group by group, `begins` says where in it each group begins, `counts` its size."""

    order: Whole
    begins: Whole
    counts: Whole

    @property
    def first(self) -> Whole:
        """The first row of each group."""
        return self.order[self.begins]

    def at_least(self, least: int) -> Groups:
        """Only groups of so many rows."""
        kept = self.counts >= least
        counts = self.counts[kept]
        return Groups(self.order[np.repeat(kept, self.counts)], np.cumsum(counts) - counts, counts)

    def examples(self, most: int) -> Whole:
        """The first rows of each group, `most` columns of them; -1 where there are fewer."""
        ranks = np.arange(most)
        rows = self.order[np.minimum(self.begins[:, None] + ranks, max(len(self.order) - 1, 0))]
        found: Whole = np.where(ranks < self.counts[:, None], rows, -1)
        return found

    def distinct(self, values: Integers) -> Whole:
        """How many different values each group has; `values` belong to rows and grow with them."""
        if not len(self.begins):
            return np.zeros(0, dtype=np.int64)
        found = values[self.order]
        fresh = np.ones(len(found), dtype=np.int64)
        fresh[1:] = found[1:] != found[:-1]
        fresh[self.begins] = 1
        return np.add.reduceat(fresh, self.begins)


def group(columns: Sequence[Integers]) -> Groups:
    """The groups of equal rows, given column by column, in the order of their values."""
    order = ordered(columns)
    fresh = np.zeros(len(order), dtype=np.bool_)
    fresh[:1] = True
    for column in columns:
        found = column[order]
        fresh[1:] |= found[1:] != found[:-1]
    begins = np.flatnonzero(fresh)
    return Groups(order, begins, np.diff(begins, append=len(order)))


def ordered(columns: Sequence[Integers]) -> Whole:
    """The order of rows of whole numbers from 0 on, given column by column; equal rows stay in the order they came in.

    Rows that fit into a word of the machine together with their places are sorted as such, several times as fast.
    """
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    place = len(columns[0]).bit_length()
    if sum(widths) + place > _BITS:
        return np.lexsort(tuple(reversed(columns)))
    packed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column, width in zip(columns, widths, strict=True):
        packed <<= np.uint64(width)
        packed |= column.astype(np.uint64)
    packed <<= np.uint64(place)
    packed |= np.arange(len(packed), dtype=np.uint64)
    packed.sort()
    packed &= np.uint64((1 << place) - 1)
    return packed.astype(np.int64)

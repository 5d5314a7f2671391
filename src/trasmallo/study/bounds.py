"""Columns of numbers as the studies of sequences take them, and the bounds that a sequence may not cross."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Whole = NDArray[np.int64]

AT_ONCE = 1 << 20
"""Tokens that are looked at together where a column is too long to be copied."""


class Numbers(Protocol):
    """A column: it has a length, and gives the numbers of a slice or of an array of places."""

    def __len__(self) -> int:
        """How many tokens it has."""

    def __getitem__(self, key: slice | NDArray[Any]) -> NDArray[Any]:
        """The numbers of these tokens."""


class Bounds(msgspec.Struct, frozen=True):
    """Where documents begin, with the end of the last; and where sentences do, None when these may be crossed."""

    documents: Whole
    sentences: Whole | None = None

    def joined(self, begin: int = 0, end: int | None = None) -> Mask:
        """For each token of a range whether the one before it is in the same sentence and document.

        There is one past the last, too; without `end` the range goes up to it.
        """
        end = int(self.documents[-1]) + 1 if end is None else end
        joined = np.ones(end - begin, dtype=np.bool_)
        for starts in (self.documents, self.sentences):
            if starts is not None:
                low, high = np.searchsorted(starts, [begin, end])
                joined[starts[low:high] - begin] = False
        return joined

    def documents_of(self, places: Whole) -> Whole:
        """For each of some places, given in order, the number of its document."""
        return np.repeat(np.arange(len(self.documents) - 1), np.diff(np.searchsorted(places, self.documents)))


def count_numbers(column: Numbers) -> Whole:
    """How often each number occurs in a column."""
    counts = np.zeros(0, dtype=np.int64)
    for begin in range(0, len(column), AT_ONCE):
        found = np.bincount(column[begin : begin + AT_ONCE], minlength=len(counts))
        found[: len(counts)] += counts
        counts = found
    return counts

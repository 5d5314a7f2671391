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

    def joined(self) -> Mask:
        """For each token whether the one before it is in the same sentence and document; there is one past the last, too."""
        joined = np.ones(int(self.documents[-1]) + 1, dtype=np.bool_)
        joined[self.documents] = False
        if self.sentences is not None:
            joined[self.sentences] = False
        return joined

    def documents_of_tokens(self) -> NDArray[np.unsignedinteger[Any]]:
        """For each token the number of its document, in as few bytes as that takes."""
        small: np.dtype[Any] = np.min_scalar_type(len(self.documents))
        return np.repeat(np.arange(len(self.documents) - 1, dtype=small), np.diff(self.documents))


def count_numbers(column: Numbers) -> Whole:
    """How often each number occurs in a column."""
    counts = np.zeros(0, dtype=np.int64)
    for begin in range(0, len(column), AT_ONCE):
        found = np.bincount(column[begin : begin + AT_ONCE], minlength=len(counts))
        found[: len(counts)] += counts
        counts = found
    return counts

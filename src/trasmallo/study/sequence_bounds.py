"""Bounds of documents and sentences, which a sequence of tokens may not cross."""

from __future__ import annotations

import msgspec
import numpy as np

from trasmallo.values.arrays import Mask, Numbers, Whole

AT_ONCE = 1 << 20
"""Tokens that are looked at together where a column is too long to be copied."""


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

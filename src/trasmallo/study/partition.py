"""Whole numbers put away in a file: written block by block, each divided into parts, and read again part by part.

So what does not fit in memory is sorted, or turned from one order into another: everything is put with its part, then each part
is taken alone. Memory: a block or a part, and 8 bytes for each part of each block; the file has 8 bytes a number.
"""

from __future__ import annotations

import tempfile
import weakref
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Integers, Whole

Words = NDArray[np.uint64]


class PartNumbers(NamedTuple):
    """The numbers of a part in the order in which they were put, and how many of them are from each block."""

    numbers: Words
    lengths: Whole


class Partition:
    """A file of so many parts in the folder `scratch`, or the system's for such files; it is gone when it is let go."""

    def __init__(self, parts: int, scratch: Path | None = None, width: int = 1) -> None:
        """Each number is a row of `width` of them, if that is more than one."""
        self.parts = parts
        self._row = () if width == 1 else (width,)
        self._bytes = 8 * width
        self._small: np.dtype[np.unsignedinteger] = np.min_scalar_type(max(parts - 1, 0))
        self._file = tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 - closed by `finalize`
        weakref.finalize(self, self._file.close)
        self._cuts: list[Whole] = []
        self._end = 0

    def put(self, numbers: Words, parts: Integers) -> None:
        """A block of numbers, and the part of each."""
        # Numbers of two bytes at most are sorted by radix.
        order = np.argsort(parts.astype(self._small), kind="stable")
        self.put_in_order(numbers[order], np.bincount(parts.astype(np.intp), minlength=self.parts))

    def put_in_order(self, numbers: Words, lengths: Whole) -> None:
        """A block of numbers that are in the order of their parts; these have so many each."""
        self._file.seek(self._end * self._bytes)
        self._file.write(np.ascontiguousarray(numbers).reshape(-1).data)
        self._cuts.append(self._end + np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths))))
        self._end += len(numbers)

    def take(self, part: int) -> PartNumbers:
        """What was put into a part."""
        pieces = np.array([cuts[part : part + 2] for cuts in self._cuts], dtype=np.int64).reshape(-1, 2)
        lengths = pieces[:, 1] - pieces[:, 0]
        numbers, done = np.empty((int(lengths.sum()), *self._row), dtype=np.uint64), 0
        for begin, length in zip(pieces[:, 0].tolist(), lengths.tolist(), strict=True):
            self._file.seek(begin * self._bytes)
            self._file.readinto(numbers[done : done + length].reshape(-1).data)
            done += length
        return PartNumbers(numbers, lengths)

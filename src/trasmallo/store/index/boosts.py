"""Boosts of an index: what the score of each document is multiplied by, and a digest of what others say of it.

They lie beside the index, in the order of the documents' numbers, because they change while a document stays as it is: a link
somewhere in the collection changes the PageRank of all. 20 bytes of disk a document, mapped when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Mask

NAME = "boosts.npy"
_ROW = np.dtype([("document", "<u8"), ("boost", "<f4"), ("said", "<u8")])


class Boost(NamedTuple):
    """A document by its number, what its score is multiplied by (1 is neutral), and a digest of what others say of it."""

    document: int
    boost: float
    said: int


class Boosts:
    """The boosts of an index; those of documents that it does not know are neutral."""

    def __init__(self, rows: NDArray[np.void]) -> None:
        self._rows = rows

    @classmethod
    def of(cls, boosts: Iterable[Boost]) -> Self:
        """Boosts in any order."""
        return cls(np.sort(np.fromiter(boosts, dtype=_ROW), order="document"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Those of an index, none where it has no such file."""
        path = folder / NAME
        return cls(np.load(path, mmap_mode="r") if path.exists() else np.zeros(0, dtype=_ROW))

    def write(self, folder: Path) -> None:
        """Write them beside an index; the file may be linked from another, which keeps its own."""
        (folder / NAME).unlink(missing_ok=True)
        if len(self):  # nothing cannot be mapped
            np.save(folder / NAME, self._rows, allow_pickle=False)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def documents(self) -> NDArray[np.uint64]:
        """The numbers of all documents, in order."""
        return np.ascontiguousarray(self._rows["document"])

    def values(self, documents: Sequence[int]) -> list[float]:
        """The boosts of some documents."""
        numbers = np.array(documents, dtype=np.uint64)
        if not len(self):
            return [1.0] * len(numbers)
        places = np.minimum(np.searchsorted(self._rows["document"], numbers), len(self) - 1)
        known: Mask = self._rows["document"][places] == numbers
        found: list[float] = np.where(known, self._rows["boost"][places], 1.0).tolist()
        return found

    def told_anew(self, before: Boosts) -> NDArray[np.uint64]:
        """The documents of which others say something else than before, or which were not there."""
        same = np.isin(_both(self), _both(before))
        return self.documents[~same]


def _both(boosts: Boosts) -> NDArray[np.void]:
    """Documents with what is said of them, as values that can be compared."""
    rows = np.empty(len(boosts), dtype=[("document", "<u8"), ("said", "<u8")])
    rows["document"], rows["said"] = boosts._rows["document"], boosts._rows["said"]
    return rows

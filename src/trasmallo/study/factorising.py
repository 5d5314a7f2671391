"""Columns whose values repeat, as numbers: work on a text is done once for each different word, the rest is arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from trasmallo.study.bounds import Whole

Value = TypeVar("Value")
Name = TypeVar("Name", bound=Hashable)


class Numbered(NamedTuple, Generic[Value]):
    """Values that columns may have, and for each row of one the number of its value."""

    values: list[Value]
    rows: Whole

    def spread(self) -> list[Value]:
        """The column itself."""
        return list(map(self.values.__getitem__, self.rows.tolist()))


def numbered(column: Sequence[Name]) -> Numbered[Name]:
    """A column with its values numbered in the order of their appearance."""
    values = list(dict.fromkeys(column))
    numbers = dict(zip(values, range(len(values)), strict=True))
    return Numbered(values, np.fromiter(map(numbers.__getitem__, column), np.int64, len(column)))


def joined(pieces: Iterable[Numbered[Value]]) -> Numbered[Value]:
    """Columns one after the other. Where they do not share their values, one of several is listed several times."""
    pieces = list(pieces)
    if pieces and all(piece.values is pieces[0].values for piece in pieces):
        return Numbered(pieces[0].values, np.concatenate([piece.rows for piece in pieces]))
    values: list[Value] = []
    rows = [np.zeros(0, np.int64)]
    for piece in pieces:
        rows.append(piece.rows + len(values))
        values += piece.values
    return Numbered(values, np.concatenate(rows))

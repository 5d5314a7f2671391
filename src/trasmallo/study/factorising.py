"""Columns whose values repeat, as numbers: work on a text is done once for each different word, the rest is arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from trasmallo.values.arrays import Whole

Value = TypeVar("Value")
Name = TypeVar("Name", bound=Hashable)


class Factorised(NamedTuple, Generic[Value]):
    """Values that columns may have, and for each row of one the number of its value."""

    values: list[Value]
    rows: Whole

    def spread(self) -> list[Value]:
        """The column itself."""
        return list(map(self.values.__getitem__, self.rows.tolist()))


def factorise(column: Sequence[Name]) -> Factorised[Name]:
    """A column with its values numbered in the order of their appearance."""
    values = list(dict.fromkeys(column))
    numbers = dict(zip(values, range(len(values)), strict=True))
    return Factorised(values, np.fromiter(map(numbers.__getitem__, column), np.int64, len(column)))


def concatenated(columns: Iterable[Factorised[Value]]) -> Factorised[Value]:
    """Columns one after the other. Where they do not share their values, one of several is listed several times."""
    columns = list(columns)
    if columns and all(column.values is columns[0].values for column in columns):
        return Factorised(columns[0].values, np.concatenate([column.rows for column in columns]))
    values: list[Value] = []
    rows = [np.zeros(0, np.int64)]
    for column in columns:
        rows.append(column.rows + len(values))
        values += column.values
    return Factorised(values, np.concatenate(rows))

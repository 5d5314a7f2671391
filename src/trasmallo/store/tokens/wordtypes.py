"""The types of a corpus: distinct combinations of word, lemma, category, tag and language, in the order of their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.tokens.lexicon import OrderedStrings
from trasmallo.store.tokens.sections import Writer

OF_READINGS = ("word", "lemma", "category", "tag")
"""What a type has of its reading."""

ATTRIBUTES = (*OF_READINGS, "language")
"""What a type is made of; each has its own lexicon. In files of earlier versions types have no language."""

_BITS = 64  # of the number that the columns are packed into

Rows = NDArray[np.uint32]
"""A row an attribute, a column a type: numbers of strings."""


class Types:
    """The final order of types, made from provisional ones.

    `texts` has the strings of each attribute, `rows` their places there for each provisional type, `counts` the tokens of it.
    Provisional types that are the same become one. `number[i]` is what the i-th provisional type is called from now on.
    """

    def __init__(self, texts: Mapping[str, Sequence[bytes]], rows: Rows, counts: NDArray[np.int64]) -> None:
        self.lexicons = {
            name: OrderedStrings(texts[name], _weighed(rows[place], counts, len(texts[name])))
            for place, name in enumerate(ATTRIBUTES)
        }
        named = np.stack([self.lexicons[name].number[rows[place]] for place, name in enumerate(ATTRIBUTES)])
        same, distinct = _unified(named)
        totals = _weighed(same, counts, distinct.shape[1])
        order = np.lexsort((-totals, distinct[0]))  # of equals the one that came first, so the other attributes count too
        place = np.empty(len(order), dtype=np.uint32)
        place[order] = np.arange(len(order), dtype=np.uint32)
        self.number = place[same]
        self.rows = distinct[:, order]
        self.counts = totals[order]

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def categories(self) -> NDArray[np.unsignedinteger]:
        """The category of each type, in as few bytes as its column needs."""
        last = max(len(self.lexicons["category"].number) - 1, 0)
        found: NDArray[np.unsignedinteger] = self.rows[ATTRIBUTES.index("category")].astype(np.min_scalar_type(last))
        return found

    def write(self, writer: Writer) -> None:
        """Write the lexicons and the table of types; can be done once, the strings are let go."""
        for place, name in enumerate(ATTRIBUTES):
            self.lexicons[name].write(writer, name)
            writer.add(f"type.{name}", self.rows[place])
        writer.add("type.count", self.counts.astype(np.uint64))


def _weighed(numbers: Rows, counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The sum of the counts of each number; exact, which a sum of floats would not be beyond 2**53."""
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, numbers, counts)
    return totals


def _unified(rows: Rows) -> tuple[Rows, Rows]:
    """For each column the place of its like among the distinct ones, and those."""
    order = _in_order(rows)
    ordered = rows[:, order]
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    same = np.empty(len(order), dtype=np.uint32)
    same[order] = np.cumsum(fresh, dtype=np.uint32) - 1
    return same, ordered[:, fresh]


def _in_order(rows: Rows) -> NDArray[np.intp]:
    """The columns from the smallest to the largest; as one number each where that is wide enough."""
    widths = [int(row.max(initial=0)).bit_length() for row in rows]
    if sum(widths) > _BITS:
        return np.lexsort(rows[::-1])
    packed = np.zeros(rows.shape[1], np.uint64)
    for row, width in zip(rows, widths, strict=True):
        packed = packed << np.uint64(width) | row
    return np.argsort(packed)

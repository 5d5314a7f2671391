"""A corpus whose tokens also know the entity they belong to: `ent` is its kind, `entity` its fullest name.

Types of the corpus beneath keep their numbers; a token inside an entity has a type of its own behind them, which is that of
the token with kind and name. So only tokens of entities cost memory (16 bytes each), and all else is asked beneath.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.factorising import factorise
from trasmallo.study.query.columns import Bounded, CorpusColumns, Strings
from trasmallo.study.query.text_columns import ListedStrings
from trasmallo.values.arrays import Integers, Numbers, Whole

_NONE = ""
"""The kind and name of a token outside of all entities."""


class TokenSpan(NamedTuple):
    """The tokens of an entity in a corpus, its kind and its name; spans do not overlap."""

    first: int
    last: int
    kind: str
    name: str = ""


class EntityColumns:
    """`columns.CorpusColumns` with the attributes `ent` and `entity`."""

    def __init__(self, beneath: CorpusColumns, spans: Sequence[TokenSpan]) -> None:
        self._beneath = beneath
        spans = sorted(spans)
        sizes = np.array([one.last - one.first for one in spans], np.int64)
        self._places = _spread(np.array([one.first for one in spans], np.int64), sizes)
        named = factorise([(one.kind, one.name) for one in spans])
        owners = np.repeat(named.rows, sizes)
        below = beneath.types(self._places).astype(np.int64) if len(self._places) else np.zeros(0, np.int64)
        pairs, own = np.unique(below * max(len(named.values), 1) + owners, return_inverse=True)
        self._size = len(beneath.counts)
        self._own_types = (own + self._size).astype(np.uint32)
        self._below, self._owner = np.divmod(pairs, max(len(named.values), 1))
        self._names = {"ent": [kind for kind, _ in named.values], "entity": [name for _, name in named.values]}

    @property
    def documents(self) -> Bounded:
        """Which tokens belong to which document."""
        return self._beneath.documents

    def __len__(self) -> int:
        return len(self._beneath)

    @property
    def category(self) -> Numbers:
        """The category of each token."""
        return self._beneath.category

    @property
    def flags(self) -> NDArray[np.uint8]:
        """The flags of each token."""
        return self._beneath.flags

    @property
    def sentences(self) -> Whole:
        """The tokens at which sentences begin."""
        return self._beneath.sentences

    @cached_property
    def counts(self) -> NDArray[np.uint64]:
        """How many tokens each type has."""
        own = np.bincount(self._own_types - self._size, minlength=len(self._below)).astype(np.uint64)
        beneath = np.asarray(self._beneath.counts).astype(np.uint64)
        np.subtract.at(beneath, self._below, own)
        return np.concatenate([beneath, own])

    def release(self) -> None:
        """Let go of the memory of what was read."""
        self._beneath.release()

    def strings(self, attribute: str) -> Strings:
        """The strings of an attribute."""
        if attribute not in self._names:
            return self._beneath.strings(attribute)
        texts, of_type = self._numbered[attribute]
        return ListedStrings(texts, np.bincount(of_type, weights=self.counts, minlength=len(texts)))

    def type_of(self, attribute: str) -> NDArray[np.uint32]:
        """For each type the number of its string."""
        if attribute in self._names:
            return self._numbered[attribute][1]
        beneath = self._beneath.type_of(attribute)
        return np.concatenate([beneath, beneath[self._below]])

    @cached_property
    def _numbered(self) -> dict[str, tuple[list[str], NDArray[np.uint32]]]:
        """Strings of both attributes, and those of each type; the first is that of tokens outside."""
        found = {}
        for attribute, names in self._names.items():
            column = factorise([_NONE, *names])
            own = column.rows[1:][self._owner] if len(self._owner) else np.zeros(0, np.int64)
            found[attribute] = (column.values, np.concatenate([np.zeros(self._size, np.int64), own]).astype(np.uint32))
        return found

    def types(self, key: slice | Integers) -> NDArray[np.uint32]:
        """The types of the tokens in a range or at these places."""
        found = np.array(self._beneath.types(key), np.uint32)
        if isinstance(key, slice):
            low, high, _ = key.indices(len(self))
            first, last = np.searchsorted(self._places, [low, high])
            found[self._places[first:last] - low] = self._own_types[first:last]
            return found
        held, at = self._held(np.asarray(key))
        found[held] = self._own_types[at[held]]
        return found

    def positions(self, types: Integers) -> NDArray[np.unsignedinteger] | None:
        """The tokens of these types; None when the corpus beneath has no lists of them."""
        types = np.asarray(types)
        own = self._places[np.isin(self._own_types, types[types >= self._size])].astype(np.uint64)
        below = types[types < self._size]
        if not len(below):
            return own
        found = self._beneath.positions(below)
        if found is None:
            return None
        held, _ = self._held(found)
        return np.concatenate([found[~held].astype(np.uint64), own])

    def _held(self, tokens: Integers) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Which tokens belong to an entity, and where they stand in its list."""
        at = np.searchsorted(self._places, tokens.astype(np.int64))
        inside = np.minimum(at, max(len(self._places) - 1, 0))
        held = self._places[inside] == tokens if len(self._places) else np.zeros(len(tokens), np.bool_)
        return np.asarray(held), inside


def _spread(first: Whole, sizes: Whole) -> Whole:
    """All places of ranges that do not overlap, in order."""
    ends = np.cumsum(sizes)
    return np.repeat(first - (ends - sizes), sizes) + np.arange(int(ends[-1]) if len(ends) else 0)

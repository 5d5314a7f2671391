"""What a query needs of a corpus; the results hand it in."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.arrays import Integers, Numbers, Whole


class Strings(Protocol):
    """The distinct strings of an attribute, numbered."""

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, number: int) -> str:
        """One of them."""

    def find(self, text: str) -> int | None:
        """The number of a string, None when it is not there."""

    @property
    def counts(self) -> NDArray[np.uint64]:
        """How many tokens each has."""

    def joined(self) -> tuple[str, Whole]:
        """All strings one after the other, and their bounds in that, one more than there are strings."""


class Bounded(Protocol):
    """The documents of a corpus."""

    @property
    def bounds(self) -> Whole:
        """Where each begins, with the end of the last."""


class CorpusColumns(Protocol):
    """Tokens as columns. A *type* is a combination of word, lemma, category and tag that occurs."""

    @property
    def documents(self) -> Bounded:
        """Which tokens belong to which document."""

    def __len__(self) -> int:
        """How many tokens there are."""

    @property
    def category(self) -> Numbers:
        """The category of each token."""

    @property
    def flags(self) -> NDArray[np.uint8]:
        """The flags of each token; the lowest says that a sentence begins."""

    @property
    def sentences(self) -> Whole:
        """The tokens at which sentences begin."""

    @property
    def counts(self) -> NDArray[np.uint64]:
        """How many tokens each type has."""

    def release(self) -> None:
        """Let go of the memory of what was read."""

    def strings(self, attribute: str) -> Strings:
        """The strings of word, lemma, category or tag."""

    def type_of(self, attribute: str) -> NDArray[np.uint32]:
        """For each type the number of its string."""

    def types(self, key: slice | Integers) -> NDArray[np.uint32]:
        """The types of the tokens in a range or at these places."""

    def positions(self, types: Integers) -> NDArray[np.unsignedinteger] | None:
        """The tokens of these types in no order, in an array of their own; None when no list of them was made."""

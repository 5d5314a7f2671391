"""A text that is cut and tagged, as a corpus of one document that queries can be asked of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.factorising import factorise
from trasmallo.study.sentences import Cut
from trasmallo.values.arrays import Integers, Whole
from trasmallo.values.model import Tagged

_ATTRIBUTES = ("word", "lemma", "category", "tag")


class ListedStrings:
    """Distinct strings, numbered in the order of their list."""

    def __init__(self, texts: Sequence[str], counts: Integers) -> None:
        self._texts = list(texts)
        self._numbers = dict(zip(self._texts, range(len(self._texts)), strict=True))
        self.counts: NDArray[np.uint64] = np.asarray(counts).astype(np.uint64)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> str:
        return self._texts[number]

    def find(self, text: str) -> int | None:
        """The number of a string, None when it is not there."""
        return self._numbers.get(text)

    def joined(self) -> tuple[str, Whole]:
        """All strings one after the other, and their bounds in that."""
        return "".join(self._texts), np.cumsum([0, *map(len, self._texts)], dtype=np.int64)


class OneDocument:
    """The bounds of a corpus that is one document of so many tokens."""

    def __init__(self, size: int) -> None:
        self.bounds: Whole = np.array([0, size], np.int64)


class TextColumns:
    """The tokens of a text as columns (`columns.CorpusColumns`); it costs some µs a token, and keeps no lists of places."""

    def __init__(self, cut: Cut, tagged: Sequence[Tagged]) -> None:
        words = cut.tokens.words
        rows = [(word, one.lemma, one.category, one.features) for word, one in zip(words, tagged, strict=True)]
        types = factorise(rows)
        self.documents = OneDocument(len(words))
        self._types = types.rows.astype(np.uint32)
        self.counts: NDArray[np.uint64] = np.bincount(self._types, minlength=len(types.values)).astype(np.uint64)
        self._columns = {name: factorise([row[place] for row in types.values]) for place, name in enumerate(_ATTRIBUTES)}
        self.sentences: Whole = np.array([low for low, _ in cut.sentences], np.int64)

    def __len__(self) -> int:
        return len(self._types)

    @cached_property
    def category(self) -> NDArray[np.uint32]:
        """The category of each token."""
        return self.type_of("category")[self._types]

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """The flags of each token; the lowest says that a sentence begins."""
        found = np.zeros(len(self), np.uint8)
        found[self.sentences] = 1
        return found

    def release(self) -> None:
        """There is nothing to let go of."""

    def strings(self, attribute: str) -> ListedStrings:
        """The strings of word, lemma, category or tag."""
        column = self._columns[attribute]
        return ListedStrings(column.values, np.bincount(column.rows, weights=self.counts, minlength=len(column.values)))

    def type_of(self, attribute: str) -> NDArray[np.uint32]:
        """For each type the number of its string."""
        return self._columns[attribute].rows.astype(np.uint32)

    def types(self, key: slice | Integers) -> NDArray[np.uint32]:
        """The types of the tokens in a range or at these places."""
        return self._types[key]

    def positions(self, types: Integers) -> NDArray[np.unsignedinteger] | None:  # noqa: ARG002 - as others have it
        """No list of places is made."""
        return None

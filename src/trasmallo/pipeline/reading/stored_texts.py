"""Texts that are stored and studied again: the readers take them from the tables of their run, a batch at a time.

Memory: what the readers hold, which is at most 64 documents or 4 million characters and one document for each of them, and
about 100 bytes for each document that is done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Self

from trasmallo.pipeline.analysis.items import StoredText

_MOST_CHARACTERS = 4_000_000  # judgement: characters of a batch, some seconds of work
_LOOKED_AT = 4_096
"""Rows that one taking looks at, so that the loop is never kept for long."""


class StoredTexts:
    """What the readers take their batches from (`pending.Source`); every document is handed out once."""

    def __init__(self, texts: Iterator[StoredText]) -> None:
        self._texts = texts
        self._done: Collection[str] = ()
        self.behind = True
        self.at_hand = 0

    def without(self, done: Collection[str]) -> Self:
        """Pass over the documents with these ids."""
        self._done = done
        return self

    def take(self, most: int) -> tuple[StoredText, ...]:
        """Up to `most` texts to study now; none while `behind` means to ask again."""
        taken: list[StoredText] = []
        characters = 0
        for _ in range(_LOOKED_AT):
            if len(taken) == most or characters >= _MOST_CHARACTERS:
                break
            stored = next(self._texts, None)
            if stored is None:
                self.behind = False
                break
            if stored.page.document not in self._done:
                taken.append(stored)
                characters += len(stored.text.text)
        return tuple(taken)

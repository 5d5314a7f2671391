"""What the store takes in: the tokens of one document as sequences of the same length."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

SENTENCE = 1
"""Flag: a sentence begins at this token."""
CAPITAL = 2
"""Flag: the word is written with a capital first letter."""
KIND_SHIFT = 2
"""The bits of the flags from this one on hold the kind of token, a number below 64 that the writer chooses."""


class DocumentTokens(msgspec.Struct, frozen=True):
    """The tokens of a document, in order. `document` is its id: 64 bits in hex.

    `starts` and `ends` count characters of the document's text. `tags` are original tags or features, None without any.
    """

    document: str
    language: str
    words: Sequence[str]
    lemmas: Sequence[str]
    categories: Sequence[str]
    flags: bytes | bytearray
    starts: Sequence[int]
    ends: Sequence[int]
    tags: Sequence[str] | None = None

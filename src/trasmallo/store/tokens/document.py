"""What the store takes in: the tokens of one document."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.values.model import Tagged

SENTENCE = 1
"""Flag: a sentence begins at this token."""
CAPITAL = 2
"""Flag: the word is written with a capital first letter."""
KIND_SHIFT = 2
"""The bits of the flags from this one on hold the kind of token, a number below 64 that the writer chooses."""


class DocumentTokens(msgspec.Struct, frozen=True):
    """The tokens of a document, in order. `document` is its id: 64 bits in hex.

    `numbers` are those of the tokens' readings in `readings`, which may hold others too, and one twice; but to use the same
    readings again, also in other documents, and even the same list of them, costs least. Of a reading the word, lemma, category
    and features are kept. `starts` and `ends` count characters of the document's text.
    `language` is that of the whole; `stretches` are those of its parts one after the other, each with its number of tokens,
    () when all of it is in one language.
    """

    document: str
    language: str
    readings: Sequence[Tagged]
    numbers: NDArray[np.integer]
    flags: bytes | bytearray
    starts: Sequence[int]
    ends: Sequence[int]
    stretches: Sequence[tuple[str, int]] = ()

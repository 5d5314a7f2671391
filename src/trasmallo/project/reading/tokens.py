"""The tokens of a document on their way from study to store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from trasmallo.model import Tagged
from trasmallo.store.tokens import CAPITAL, KIND_SHIFT, SENTENCE, DocumentTokens
from trasmallo.study.patterns import KINDS
from trasmallo.study.tokenise import Columns, key


def document_tokens(
    document: str, cut: Columns, sentences: Iterable[tuple[int, int]], tagged: Sequence[Tagged] = ()
) -> DocumentTokens:
    """The columns of a document, by its id, that was cut into tokens and sentences and, if `tagged` is given, analysed.

    Its features are the tags. Without an analysis the lemma of a word is its key, and its category the kind of token it is.
    """
    keys = {word: key(word) for word in set(cut.words)}
    capital = {word: word[:1].isupper() for word in keys}
    flags = np.frombuffer(bytes(cut.kinds), dtype=np.uint8) << KIND_SHIFT
    flags += np.fromiter(map(capital.__getitem__, cut.words), dtype=np.uint8, count=len(flags)) * np.uint8(CAPITAL)
    flags[[first for first, _ in sentences]] |= SENTENCE
    return DocumentTokens(
        document,
        cut.language,
        cut.words,
        [one.lemma for one in tagged] or list(map(keys.__getitem__, cut.words)),
        [one.category for one in tagged] or list(map(KINDS.__getitem__, cut.kinds)),
        flags.tobytes(),
        cut.starts,
        cut.ends,
        [one.features for one in tagged] or None,
    )

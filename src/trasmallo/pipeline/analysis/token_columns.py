"""The tokens of a document on their way from study to store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from trasmallo.store.tokens import CAPITAL, KIND_SHIFT, SENTENCE, DocumentTokens
from trasmallo.study.factorising import Factorised, factorise
from trasmallo.study.patterns import KINDS
from trasmallo.study.tokenise import TokenColumns, are_capitalised, key
from trasmallo.values.model import Tagged


def document_tokens(
    document: str,
    cut: TokenColumns,
    sentences: Iterable[tuple[int, int]],
    tagged: Factorised[Tagged] | None = None,
    stretches: Sequence[tuple[str, int]] = (),
) -> DocumentTokens:
    """The columns of a document, by its id, that was cut into tokens and sentences and, if `tagged` is given, analysed.

    `stretches` are languages of its parts and their numbers of tokens, () when all are in that of the whole.

    Its features are the tags. Without an analysis the lemma of a word is its key, and its category the kind of token it is.
    """
    flags = np.frombuffer(cut.kinds, np.uint8) << KIND_SHIFT
    flags += (are_capitalised.each(cut.forms) * CAPITAL).astype(np.uint8)
    flags[[first for first, _ in sentences]] |= SENTENCE
    found = tagged if tagged is not None else _plain(cut)
    return DocumentTokens(
        document=document,
        language=cut.language,
        readings=found.values,
        numbers=found.rows,
        flags=flags.tobytes(),
        starts=cut.starts,
        ends=cut.ends,
        stretches=stretches,
    )


def _plain(cut: TokenColumns) -> Factorised[Tagged]:
    found = factorise(list(zip(cut.words, cut.kinds, strict=True)))
    return Factorised([Tagged(word, key(word), KINDS[kind]) for word, kind in found.values], found.rows)

"""Where a lemma stands, as somebody who knows the tokens of the documents tells it to the index.

The index has words, not lemmas: which documents have a word *as* a form of a lemma is in the tokens, which are there anyway.
So a search for a lemma costs the index nothing, and finds what a corpus query for the lemma finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

MOST_FORMS = 50  # judgement: forms of one lemma that hits are ranked by; a Spanish verb has as many that are met


class LemmaUse(msgspec.Struct, frozen=True):
    """The documents that have a lemma, by their ids, and its forms.

    `forms` are terms of the index, each with the share of its tokens that are of this lemma; `places` gives where it stands
    in the text of a document, in characters.
    """

    documents: tuple[str, ...]
    forms: Mapping[str, float]
    places: Callable[[str], Sequence[tuple[int, int]]]


Lemmas = Callable[[str, bool], LemmaUse]
"""Tells the use of a lemma, which may be written `poder/VERB`; capitals and accents count where the second argument says so."""


def form_weights(use: LemmaUse, count: Callable[[str], int], rarity: Callable[[int], float]) -> dict[str, float]:
    """What each form of a lemma counts: no more than all of them would as one word, and as often as it is of this lemma."""
    together = rarity(len(use.documents))
    best = sorted(use.forms, key=lambda term: (-use.forms[term] * count(term), term))[:MOST_FORMS]
    return {term: use.forms[term] * together / rarity(count(term)) for term in best if count(term)}

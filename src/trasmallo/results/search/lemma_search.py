"""Where lemmas stand in a run, for the search: told by its tokens, each of which has the lemma that it has in its context.

*Vino* as a form of *venir* and *vino* the noun are one word of the index and two types of token. The tokens of a finished run
list where each type stands, so a lemma takes some milliseconds; those of a run that goes on are looked through. Copies have
no tokens, nor has what hubs pushed until a run takes it in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from trasmallo.store.index.lemma_use import LemmaUse
from trasmallo.store.index.words import prepare, terms_of
from trasmallo.store.tokens import Corpus

_AT_ONCE = 1 << 20  # judgement: tokens looked at together
_KEPT = 64  # judgement: lemmas whose documents are remembered, for the next page of hits

Types = NDArray[np.intp]


class LemmaSearch:
    """Tells the use of lemmas in the tokens of a run; documents that are told anew since are left out."""

    def __init__(self, corpus: Corpus, told_anew: Collection[str] = ()) -> None:
        self._corpus = corpus
        self._told_anew = frozenset(told_anew)
        self._known = lru_cache(maxsize=_KEPT)(self._find)

    def use(self, asked: str, exact: bool = False) -> LemmaUse:
        """The documents that have a lemma such as `venir` or `poder/VERB`; as it is written where it is `exact`."""
        return self._known(asked, exact)

    def lemma_of(self, word: str) -> str:
        """The lemma that a word most often is a form of, "" for one that is in no document."""
        corpus, asked = self._corpus, _fold(word)
        words = np.flatnonzero(corpus.words.mask(lambda text: _fold(text) == asked))
        types = np.flatnonzero(np.isin(corpus.type_of("word"), words))
        if not len(types):
            return ""
        counts = np.bincount(corpus.type_of("lemma")[types], weights=corpus.counts[types])
        return corpus.lemmas[int(np.argmax(counts))]

    def _find(self, asked: str, exact: bool) -> LemmaUse:
        lemma, _, category = asked.partition("/")
        types, documents = self._types(lemma.strip(), category.strip(), exact=exact), self._corpus.documents
        held = np.unique(documents.holding(self._tokens(types))).tolist()
        ids = (documents.id(index) for index in held)
        return LemmaUse(
            documents=tuple(document for document in ids if document not in self._told_anew),
            forms=self._forms(types),
            places=lambda document: self._places(document, types),
        )

    @cached_property
    def _folded(self) -> dict[str, list[int]]:
        """The lemmas by how they are compared."""
        found: dict[str, list[int]] = {}
        for number, lemma in enumerate(self._corpus.lemmas.all_texts()):
            found.setdefault(_fold(lemma), []).append(number)
        return found

    def _types(self, lemma: str, category: str, *, exact: bool) -> Types:
        """The types of a lemma, of one category if that is told."""
        corpus = self._corpus
        number = corpus.lemmas.find(lemma) if exact else None
        numbers = self._folded.get(_fold(lemma), []) if not exact else [] if number is None else [number]
        wanted = np.isin(corpus.type_of("lemma"), np.array(numbers, dtype=np.int64))
        if category:
            known = corpus.categories.find(category.upper())
            wanted &= corpus.type_of("category") == (-1 if known is None else known)
        return np.flatnonzero(wanted)

    def _tokens(self, types: Types) -> NDArray[np.int64]:
        """The tokens of some types."""
        listed = self._corpus.positions(types)
        if listed is not None:
            return listed.astype(np.int64)
        mask = np.zeros(len(self._corpus.counts), dtype=np.uint8)
        mask[types] = 1
        wanted, size = self._corpus.of_types(mask), len(self._corpus)
        found = [np.flatnonzero(wanted[begin : begin + _AT_ONCE]) + begin for begin in range(0, size, _AT_ONCE)]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    def _forms(self, types: Types) -> dict[str, float]:
        """The terms of a lemma's forms, each with the share of its tokens that are of the lemma."""
        counts: dict[str, tuple[int, int]] = {}
        for word, of_lemma, in_all in self._words(types):
            terms = terms_of(word)
            if len(terms) == 1:
                before = counts.get(terms[0], (0, 0))
                counts[terms[0]] = before[0] + of_lemma, before[1] + in_all
        return {term: of_lemma / in_all for term, (of_lemma, in_all) in counts.items()}

    def _words(self, types: Types) -> Iterable[tuple[str, int, int]]:
        """The words of some types, with how many tokens of these types and of all they have."""
        word_of, counts = self._corpus.type_of("word"), self._corpus.counts.astype(np.int64)
        words = np.unique(word_of[types])
        every = np.flatnonzero(np.isin(word_of, words))
        size = int(words[-1]) + 1 if len(words) else 0
        in_all = np.bincount(word_of[every], weights=counts[every], minlength=size)[words]
        of_lemma = np.bincount(word_of[types], weights=counts[types], minlength=size)[words]
        texts = self._corpus.words.texts(words.tolist())
        return zip(texts, of_lemma.astype(int).tolist(), in_all.astype(int).tolist(), strict=True)

    def _places(self, document: str, types: Types) -> list[tuple[int, int]]:
        """Where the tokens of these types stand in the text of a document."""
        index = self._corpus.documents.find(document)
        if index is None:
            return []
        first, last = self._corpus.documents.range(index)
        wanted = np.isin(self._corpus.types(slice(first, last)), types)
        starts, ends = self._corpus.places(index)
        return list(zip(starts[wanted].tolist(), ends[wanted].tolist(), strict=True))


def _fold(text: str) -> str:
    """A lemma or word as it is compared: in lower case and without accents, but with its ñ."""
    return prepare(text).lower()

"""Tokenised chunks: what stands between two blanks of a text, with its tokens; one that was met before is not cut again.

No token holds a plain blank but abbreviations of several words: a text that has one is cut as a whole.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from functools import cache

import numpy as np

from trasmallo.study import languages
from trasmallo.study.characters import GAP
from trasmallo.study.interned_forms import VOCABULARIES, Facts, Forms, Vocabularies, Vocabulary, distinct, forms_of
from trasmallo.study.patterns import compiled, written
from trasmallo.values.arrays import Whole

_GAPS = re.compile(f"[{GAP}]")

filled_lengths = Facts(lambda words: list(map(_filled, words)))
"""The characters of forms that may not lie between tokens."""


@cache
def chunks_of(code: str) -> Chunks:
    """The chunks met in a language."""
    return Chunks(code)


class Chunks:
    """Chunks of texts with their tokens, as many as a vocabulary holds."""

    def __init__(self, code: str, vocabularies: Vocabularies = VOCABULARIES) -> None:
        self._vocabularies = vocabularies
        self._find = compiled(code).tokens.findall
        self._each = compiled(code).tokens.finditer
        several = [form for form in written(languages.load(code)) if " " in form]
        self._heads = tuple({form.partition(" ")[0] for form in several})
        self._most = 1 + max((form.count(" ") for form in several), default=0)
        self._forget(vocabularies.begin())

    def _forget(self, forms: Vocabulary) -> None:
        self._forms, self._known = forms, self._vocabularies.begin()
        self._token_bounds, self._tokens, self._joining = array("q", [0]), array("q"), bytearray()

    def forms(self, text: str) -> Forms:
        """The forms of a text in NFC without soft hyphens."""
        *whole, last = text.replace("\n", " ").split(" ")
        with self._vocabularies.lock:
            if self._forms is not (now := self._vocabularies.current()) or self._known.is_full():
                self._forget(now)
            numbers = np.fromiter(map(self._known.__getitem__, whole), np.int64, len(whole))
            if len(self._known) > len(self._joining):
                self._learn(self._known.words[len(self._joining) :])
            if self._are_joined([*whole, last], np.flatnonzero(np.frombuffer(self._joining, np.bool_)[numbers])):
                return forms_of(self._find(text), self._vocabularies)
            # Nothing follows the last one, and what follows a point may tell what it is.
            end = [self._forms[word] for word in self._find(last)]
            return distinct(self._forms, np.concatenate([self._gathered(numbers), np.array(end, np.int64)]))

    def _are_joined(self, chunks: Sequence[str], places: Whole) -> bool:
        """Whether an abbreviation of several words begins at one of these places."""
        several = (" ".join(chunks[place : place + self._most]) for place in places.tolist())
        return any(" " in word for some in several for word in self._find(some + "\n"))

    def _gathered(self, numbers: Whole) -> Whole:
        """The tokens of chunks."""
        bounds = np.frombuffer(self._token_bounds, np.int64)
        begins = bounds[numbers]
        counts = bounds[numbers + 1] - begins
        places = np.repeat(begins - np.cumsum(counts) + counts, counts)
        places += np.arange(len(places))
        found: Whole = np.frombuffer(self._tokens, np.int64)[places]
        return found

    def _learn(self, new: Sequence[str]) -> None:
        """Cut new chunks, all at once; a break of lines keeps them apart."""
        words = self._find("\n".join(new) + "\n")
        numbers = np.fromiter(map(self._forms.__getitem__, words), np.int64, len(words))
        forms = distinct(self._forms, numbers)
        ends, last = np.cumsum(filled_lengths.each(forms)), np.cumsum(list(map(_filled, new)), dtype=np.int64)
        self._token_bounds.frombytes((np.searchsorted(ends, last, side="right") + len(self._tokens)).tobytes())
        self._tokens.frombytes(numbers.tobytes())
        self._joining += bytes(map(self.may_join, new))

    def may_join(self, chunk: str) -> bool:
        """Whether a chunk ends as the first word of an abbreviation that has several."""
        if not chunk.endswith(self._heads):
            return False
        begins = {len(chunk) - len(head) for head in self._heads if chunk.endswith(head)}
        return any(found.start() in begins for found in self._each(chunk))


def _filled(text: str) -> int:
    return len(_GAPS.sub("", text))

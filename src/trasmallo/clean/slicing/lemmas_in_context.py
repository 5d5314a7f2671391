"""Words by what they are in their sentences: with `in_context`, `venir~` finds *vino* where that is the verb, not the wine.

Who reads the sentences is handed in, since that is study's: of each stretch of text between breaks he tells the lemmas. A
value of an attribute is a stretch of its own. The browser has no such reader; its `venir~` goes by the tables of forms alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from trasmallo.clean.slicing.characters import BREAK, Folding, folding
from trasmallo.clean.slicing.criterion import Word
from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.values.model import Tagged


class LemmaAt(NamedTuple):
    """A word of a text: where it begins and ends, in characters, and its lemma there."""

    start: int
    end: int
    lemma: str


ReadLemmas = Callable[[Sequence[str], str], Iterable[Sequence[Tagged]]]
"""Reads texts of a language: for each its words in order, with their places."""


def no_lemmas(texts: Sequence[str], language: str) -> Iterable[Sequence[Tagged]]:  # noqa: ARG001 - the signature of ReadLemmas
    """A reader who knows no words."""
    return [() for _ in texts]


class ContextReader:
    """Finds the words of a criterion by their lemmas; `tables` say which lemma a word of the criterion stands for."""

    def __init__(self, read: ReadLemmas, language: str, tables: Sequence[FormTable]) -> None:
        self._read, self._language, self._tables = read, language, tables
        self._fold = folding(case=True, accents=True).fold

    def words(self, pieces: Sequence[str], folded: Folding, *, moved: bool) -> list[LemmaAt]:
        """The words of a text in pieces, as places in the folded text; `moved` says that folding changes places.

        Lemmas are folded.
        """
        text = "".join(pieces)
        found = list(self._placed(text))
        lemmas = [self._fold(word.lemma) for word in found]
        if not moved:
            return [LemmaAt(word.start, word.end, lemma) for word, lemma in zip(found, lemmas, strict=True)]
        place = _FoldedPlaces(pieces, folded)
        return [LemmaAt(place(word.start), place(word.end), lemma) for word, lemma in zip(found, lemmas, strict=True)]

    def _placed(self, text: str) -> Iterator[LemmaAt]:
        stretches = text.split(BREAK)
        begins = accumulate((len(stretch) + 1 for stretch in stretches), initial=0)
        for begin, words in zip(begins, self._read(stretches, self._language), strict=False):
            yield from (LemmaAt(begin + word.start, begin + word.end, word.lemma) for word in words)

    def lemmas(self, word: Word) -> frozenset[str]:
        """The folded lemmas that a word of a criterion stands for: itself where it is one, or those that it is a form of."""
        known = {lemma for table in self._tables for lemma in table.headwords(word.text)}
        return frozenset(map(self._fold, known or {word.text}))


class _FoldedPlaces:
    """From places in a text to places in the folded one, piece by piece."""

    def __init__(self, pieces: Sequence[str], folded: Folding) -> None:
        self._pieces, self._folding = pieces, folded
        self._begins = list(accumulate(map(len, pieces), initial=0))
        lengths = (len(piece) if piece == BREAK else len(folded.fold(piece)) for piece in pieces)
        self._folded_begins = list(accumulate(lengths, initial=0))
        self._known: tuple[int, list[int]] = (-1, [])

    def __call__(self, place: int) -> int:
        number = min(bisect_right(self._begins, place), len(self._pieces)) - 1
        if self._known[0] != number:
            piece = self._pieces[number]
            origins = [0, 1] if piece == BREAK else self._folding.places(piece)
            self._known = number, origins
        origins = self._known[1]
        inside = place - self._begins[number]
        return self._folded_begins[number] + next(at for at, origin in enumerate(origins) if origin >= inside)

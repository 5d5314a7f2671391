"""The forms of a word, so that `marcar~` finds *marcó*: tables made from our lexicons, the same in Python and in the browser.

A table has stems, each with the paradigms that it takes; a word is a form of a stem where the rest of it is an ending of one of
them. A headword stands for itself alone: *mesa* for *mesas*, though the verb *mesar* has the form *mesa* too. The files are
written by `training/forms.py` and read when they are first needed.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from trasmallo.clean.slicing.characters import folding
from trasmallo.clean.slicing.criterion import AtLeast, AtMost, Not, Tree, Word


class _Paradigm(NamedTuple):
    """That of the headword and all endings; and without accents, for looking up."""

    headword: str
    endings: list[str]
    folded_headword: str
    folded: frozenset[str]


class FormTable:
    """The words of one language by stems and paradigms; what is looked up is remembered."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self.language: str = json.loads(lines[0])["language"]
        middle = lines.index("", 1)
        self._fold = folding(case=True, accents=True).fold
        self._written = lines[1:middle]
        self._paradigms: dict[int, _Paradigm] = {}
        self._stems: dict[str, list[tuple[str, str]]] = {}
        stems = (line.partition(" ") for line in lines[middle + 1 :] if line)
        shortened, numbers = zip(*((head, rest) for head, _, rest in stems), strict=True)
        for stem, its in zip(_lengthen(shortened), numbers, strict=True):
            self._stems.setdefault(self._fold(stem), []).append((stem, its))

    def expand(self, word: str, *, accents: bool = False) -> tuple[str, ...]:
        """Every form of the headword that a word is, or of each that it may be a form of; () for one that is not in the table.

        The word may be written in any case; where `accents` matter it must have those of a form.
        """
        exact = folding(case=True, accents=False).fold(word)
        as_headword: set[str] = set()
        as_form: set[str] = set()
        for stem, ending, paradigm in self._readings(self._fold(word)):
            forms = [stem + each for each in paradigm.endings]
            if not accents or exact in forms:
                as_form.update(forms)
            if ending == paradigm.folded_headword and (not accents or exact == stem + paradigm.headword):
                as_headword.update(forms)
        return tuple(sorted(as_headword or as_form))

    def headwords(self, word: str) -> tuple[str, ...]:
        """The word itself where it is a headword, else each that it may be a form of; () for one that is not in the table."""
        folded = self._fold(word)
        found = {stem + paradigm.headword for stem, _, paradigm in self._readings(folded)}
        own = {headword for headword in found if self._fold(headword) == folded}
        return tuple(sorted(own or found))

    def _readings(self, folded: str) -> Iterator[tuple[str, str, _Paradigm]]:
        """The stems and paradigms that a folded word may be of, with the ending that it then has."""
        for cut in range(len(folded) + 1):
            ending = folded[cut:]
            for stem, numbers in self._stems.get(folded[:cut], ()):
                for number in numbers.split():
                    paradigm = self._paradigm(int(number, 36))
                    if ending in paradigm.folded:
                        yield stem, ending, paradigm

    def _paradigm(self, number: int) -> _Paradigm:
        found = self._paradigms.get(number)
        if found is None:
            headword, *endings = _lengthen(self._written[number].split(" "))
            folded = frozenset(map(self._fold, endings))
            found = self._paradigms[number] = _Paradigm(headword, endings, self._fold(headword), folded)
        return found


def _lengthen(shortened: Sequence[str]) -> list[str]:
    """Words that were written as the letters they share with the one before and the rest."""
    found, before = [], ""
    for letters in shortened:
        before = before[: int(letters[0], 36)] + letters[1:]
        found.append(before)
    return found


def asks_for_forms(tree: Tree) -> bool:
    """Whether some word of a criterion is to be found in all its forms."""
    if isinstance(tree, Word):
        return tree.inflected
    if isinstance(tree, Not):
        return asks_for_forms(tree.item)
    return any(map(asks_for_forms, tree.words if isinstance(tree, AtLeast | AtMost) else tree.items))


def inflect(tree: Tree, tables: Sequence[FormTable], *, accents: bool = False) -> Tree:
    """A criterion with the forms of the words that ask for them, as all the tables together know them."""
    if isinstance(tree, Word):
        return _inflected(tree, tables, accents) if tree.inflected else tree
    if isinstance(tree, Not):
        return Not(inflect(tree.item, tables, accents=accents))
    if isinstance(tree, AtLeast | AtMost):
        words = (_inflected(word, tables, accents) if word.inflected else word for word in tree.words)
        return msgspec.structs.replace(tree, words=tuple(words))
    return type(tree)(tuple(inflect(item, tables, accents=accents) for item in tree.items))


def _inflected(word: Word, tables: Sequence[FormTable], accents: bool) -> Word:
    forms = {form for table in tables for form in table.expand(word.text, accents=accents)}
    return msgspec.structs.replace(word, forms=tuple(sorted(forms)))


def languages() -> list[str]:
    """The languages there are forms for."""
    folder = resources.files(__package__).joinpath("forms")
    return sorted(entry.name.removesuffix(".gz") for entry in folder.iterdir() if entry.name.endswith(".gz"))


@cache
def load(language: str) -> FormTable | None:
    """The table of a language such as "es", None when there is none; kept for the rest of the process."""
    if language not in languages():
        return None
    packed = resources.files(__package__).joinpath("forms", f"{language}.gz").read_bytes()
    return FormTable(gzip.decompress(packed).decode())

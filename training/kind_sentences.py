"""Words of known kind in sentences of treebanks, so that what stands around them is real; see `training/kinds.py`."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import treebanks
from kind_words import Recipe
from treebanks import Gold

from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.error_costs import error_costs
from trasmallo.study.morphology.lexicon_files import find as find_lexicon
from trasmallo.study.tokenise import key
from trasmallo.study.unlisted.kinds import Kind

_OPENING = 0.12
"""Share of the words that are put at the beginning of a sentence: there capitals say nothing, of names neither."""
_JOINED = 0.04
"""Share of misspellings that are two words written as one. Judgement: texts made from markup have many."""
_PROGRAMS = 0.6
"""Share of names of programs among abbreviations in small letters. Judgement: manuals and forums are full of them."""
_BEFORE_PROGRAMS = ("lib", "x", "g", "k", "un", "sys", "net", "deb", "py", "j")
_BEHIND_PROGRAMS = ("d", "fs", "ctl", "rc", "tab", "conf", "x", "ng", "ld", "sh", "dev", "id", "lib", "img")


class Example(NamedTuple):
    """A word in a text: where it begins, its kind; `right` is what a misspelling stands for, `itself` whether it is listed."""

    text: str
    start: int
    word: str
    kind: Kind
    right: str = ""
    itself: bool = False


_CATEGORIES = {"N": "NOUN", "A": "ADJ", "J": "ADJ", "V": "VERB"}
"""Categories by the first letter of tags, of EAGLES and of the Penn Treebank."""


class Maker:
    """Makes examples from sentences."""

    def __init__(
        self,
        recipe: Recipe,
        sentences: Sequence[treebanks.Sentence],
        names: list[str],
        abroad: dict[str, list[str]],
        seed: int,
    ) -> None:
        self.recipe, self.chance = recipe, random.Random(seed)
        self.sentences, self.names = sentences, names
        self.abroad = {code: words for code, words in abroad.items() if words}
        self.analyse = words_of(recipe.code).analyse
        self.rare = self._rare_words()
        # Names of programs are made of English words, whoever uses them.
        self.pieces = self.abroad.get("en") or [word for words in self.rare.values() for word in words]

    def _rare_words(self) -> dict[str, list[str]]:
        """Citation forms of the lexicon that the treebanks hardly have, by category."""
        seen = Counter(token.lemma for sentence in self.sentences for token in sentence)
        found: dict[str, list[str]] = {"NOUN": [], "ADJ": [], "VERB": []}
        source = find_lexicon(self.recipe.code)
        assert source is not None
        for form, lemma, tag in (row for batch, _ in source.rows() for row in batch):
            category = _CATEGORIES.get(tag[:1])
            plain = form == lemma and form.isalpha() and form.islower() and len(form) > 3
            if category and plain and seen[lemma] <= 1 and tag[1:2] != "P":
                found[category].append(form)
        return {category: list(dict.fromkeys(words)) for category, words in found.items()}

    def examples(self, numbers: dict[Kind, int]) -> Iterator[Example]:
        """So many of each kind."""
        makers: dict[Kind, Callable[[], Example | None]] = {
            Kind.NAME: self.name,
            Kind.FOREIGN: self.foreign,
            Kind.MISTAKE: self.mistake,
            Kind.ABBREVIATION: self.abbreviation,
            Kind.CANDIDATE: self.candidate,
        }
        for kind, number in numbers.items():
            made = 0
            while made < number:
                one = makers[kind]()
                if one is not None:
                    made += 1
                    yield one

    def _token(self, fits: Callable[[Gold], bool]) -> tuple[list[str], int]:
        while True:
            sentence = self.chance.choice(self.sentences)
            places = [place for place, token in enumerate(sentence) if fits(token)]
            if places:
                return [token.surface for token in sentence], self.chance.choice(places)

    def _put(self, words: list[str], place: int, instead: str, kind: Kind, right: str = "", itself: bool = False) -> Example:
        """A sentence with another word; now and then it begins there."""
        opens = self.chance.random() < _OPENING
        if (kind is Kind.NAME and opens) or (instead.islower() and (opens or place == 0)):
            words, place = words[place:], 0
            instead = instead[0].upper() + instead[1:]
        text, start = joined(words[:place], instead, words[place + 1 :])
        return Example(text, start, key(instead.split(" ")[0]), kind, right, itself)

    def name(self) -> Example | None:
        """A name that the lexicon lacks."""
        words, place = self._token(
            lambda token: token.category == "PROPN" and token.surface.isalpha() and token.surface[0].isupper()
        )
        name = words[place] if self.chance.random() < 0.5 else self.chance.choice(self.names)
        if name.isupper() or len(name) < 3 or self.recipe.is_listed(name.lower()):
            return None
        return self._put(words, place, name, Kind.NAME)

    def foreign(self) -> Example | None:
        """A foreign word, or several."""
        words, place = self._token(lambda token: token.category in ("NOUN", "ADJ") and token.surface.islower())
        code = self.chance.choices(list(self.abroad), [6, 2, 1.5, 1.5, 1.5, 0.5])[0]
        several = self.chance.choice((1, 1, 1, 1, 2, 3))
        chosen = [self.chance.choice(self.abroad[code]) for _ in range(several)]
        return self._put(words, place, " ".join(chosen), Kind.FOREIGN)

    def mistake(self) -> Example | None:
        """A word that is misspelt."""
        open_class = ("NOUN", "ADJ", "VERB", "ADV", "AUX", "SCONJ", "DET", "PRON")
        words, place = self._token(
            lambda token: token.category in open_class and token.surface.isalpha() and token.surface.islower()
        )
        right = words[place]
        if len(right) < 3 or not self.recipe.is_listed(right):
            return None
        if self.chance.random() < _JOINED:
            before = self.chance.choice(error_costs(self.recipe.code).small_words)
            return self._put(words, place, before + right, Kind.MISTAKE, f"{before} {right}")
        wrong = self.spoilt(right)
        if wrong == right or len(wrong) < 2 or self.recipe.is_listed(wrong):
            return None
        return self._put(words, place, wrong, Kind.MISTAKE, right)

    def spoilt(self, word: str) -> str:
        """A word as somebody in a hurry, or without much schooling, might write it."""
        plain = word.translate(str.maketrans("áéíóú", "aeiou"))
        how = self.chance.random()
        if how < 0.25 and plain != word:
            return plain
        if how < 0.6:
            forms = error_costs(self.recipe.code).respellings(word)
            return self.chance.choices([form for form, _ in forms], [np.exp(-cost) for _, cost in forms])[0] if forms else word
        place = self.chance.randrange(len(word))
        return self.slip(word, place, self.chance.random())

    def slip(self, word: str, place: int, how: float) -> str:
        """A slip of the hand at a place."""
        if how < 0.25:
            return word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :]
        if how < 0.4:
            return word[:place] + word[place] + word[place:]
        if how < 0.7:
            return word[:place] + word[place + 1 :]
        if how < 0.9:
            return word[:place] + self.beside(word[place]) + word[place + self.chance.choice((0, 1, 1)) :]
        return word[:place] + self.chance.choice(self.recipe.letters) + word[place + self.chance.choice((0, 1)) :]

    def beside(self, letter: str) -> str:
        """A key beside that of a letter."""
        row = next((row for row in ("qwertyuiop", "asdfghjklñ", "zxcvbnm") if letter in row), "")
        near = [row[place] for place in (row.find(letter) - 1, row.find(letter) + 1) if row and 0 <= place < len(row)]
        return self.chance.choice(near) if near else letter

    def abbreviation(self) -> Example | None:
        """Capitals, or a word without its vowels."""
        if self.chance.random() < 0.5:
            words, place = self._token(lambda token: token.category == "PROPN" and token.surface[0].isupper())
            short = words[place] if words[place].isupper() and words[place].isalpha() else self._capitals()
            return (
                None
                if len(short) < 2 or len(short) > 7 or self.recipe.is_listed(short)
                else self._put(words, place, short, Kind.ABBREVIATION)
            )
        words, place = self._token(lambda token: token.category == "NOUN" and token.surface.islower())
        source = self.chance.choice([*self.rare["NOUN"][:5000], *self.pieces[:8000]])
        bare = re.sub("[aeiouáéíóúh]", "", source[1:])
        short = (source[0] + bare)[: self.chance.choice((2, 3, 3, 4))]
        short = self.program() if self.chance.random() < _PROGRAMS else short
        return None if len(short) < 2 or self.recipe.is_listed(short) else self._put(words, place, short, Kind.ABBREVIATION)

    def program(self) -> str:
        """A name such as programs, commands and files have: pieces of English words in a row (initrd, umask, libvirt)."""
        pieces = []
        for _ in range(self.chance.choice((2, 2, 2, 3))):
            word = self.chance.choice(self.pieces[:8000])
            bare = word[0] + re.sub("[aeiouh]", "", word[1:])
            pieces.append((bare if self.chance.random() < 0.4 else word)[: self.chance.choice((1, 2, 3, 3, 4))])
        name = "".join(pieces)
        how = self.chance.random()
        before, behind = self.chance.choice(_BEFORE_PROGRAMS), self.chance.choice(_BEHIND_PROGRAMS)
        return (before + name if how < 0.2 else name + behind if how < 0.5 else name)[:12]

    def _capitals(self) -> str:
        return "".join(self.chance.choices("ABCDEFGIMNOPRSTUV", k=self.chance.choice((2, 3, 3, 3, 4, 4, 5))))

    def candidate(self) -> Example | None:
        """A rare word."""
        category = self.chance.choices(("NOUN", "ADJ", "VERB"), (6, 3, 1))[0]
        words, place = self._token(lambda token: token.category == category and token.surface.islower())
        return self._put(words, place, self.chance.choice(self.rare[category]), Kind.CANDIDATE, itself=True)


def joined(before: Sequence[str], word: str, behind: Sequence[str]) -> tuple[str, int]:
    """A sentence as it is written, and where the word begins."""
    text = ""
    for piece in before:
        text += piece if piece in ".,;:)?!»" or not text else f" {piece}"
    start = len(text) + bool(text)
    text = f"{text} {word}" if text else word
    for piece in behind:
        text += piece if piece in ".,;:)?!»" else f" {piece}"
    return text, start

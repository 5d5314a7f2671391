"""The words of made English sentences: forms of the lexicon that agree, and what they are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from treebanks import Gold, Sentence

from trasmallo.study.morphology import lexicon_files

_PERSONS = {"1s": 30, "2s": 25, "3s": 28, "1p": 8, "3p": 9}
_PRONOUNS = {"1s": ["I"], "2s": ["you"], "3s": ["he", "she", "it"], "1p": ["we"], "3p": ["they"]}
_BE = {"1s": ("am", "was"), "3s": ("is", "was")}
_MODALS = ["can", "could", "will", "would", "should", "may", "might", "must"]
_DETERMINERS = {
    "S": "the the a my your his her our their this that every no",
    "P": "the the my your his her our their these those some many no two",
}
_CATEGORIES = {
    "my": "PRON",
    "your": "PRON",
    "his": "PRON",
    "her": "PRON",
    "our": "PRON",
    "their": "PRON",
    "many": "ADJ",
    "two": "NUM",
}
_TAGS = {"base": "VB", "past": "VBD", "ing": "VBG", "part": "VBN"}
_ADVERBS = frozenset(["where", "when", "manner"])


class Context:
    """The person that the words of a clause agree with, and the tense of its auxiliaries."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.person = "1s"
        self.past = chance.random() < 0.35
        self.set_person("any")

    def set_person(self, name: str) -> None:
        """A person by its name: `any` is one by chance."""
        self.person = self._chance.choices(list(_PERSONS), list(_PERSONS.values()))[0] if name == "any" else name


class WordChoice:
    """Chooses words for the slots of a grammar."""

    def __init__(self, path: Path, code: str, known: Mapping[str, int], chance: random.Random) -> None:
        lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        self.classes = {name: words.split() for name, words in lines}
        self._chance = chance
        self._forms: dict[tuple[str, str], str] = {}
        wanted = {word for words in self.classes.values() for word in words}
        source = lexicon_files.find(code)
        assert source is not None
        for rows, _ in source.rows():
            for form, lemma, tag in rows:
                if lemma in wanted:
                    self._forms.setdefault((lemma, tag), form)
        self._usual = {
            name: [(known.get(f"{word} VERB", 0) + 5) ** 0.5 for word in words] for name, words in self.classes.items()
        }

    def slot(self, name: str, arguments: list[str], context: Context) -> Sentence:
        """The words of a slot; one without letters where there is none."""
        if name in _ADVERBS:
            return [Gold(self._chance.choice(self.classes[name]), "", "ADV", "", 1)]
        made = getattr(self, f"_{name}", None)
        if made is not None:
            found: Sentence = made(context, *arguments)
            return found
        word = self._chance.choice(self.classes[name])
        return [Gold(word, word.lower(), "PROPN", "", 1)]

    def _subj(self, context: Context) -> Sentence:
        what = self._chance.random()
        if context.person == "3s" and what < 0.2:
            return [Gold(self._chance.choice(self.classes["name"]), "", "PROPN", "", 1)]
        if context.person in ("3s", "3p") and what < 0.7:
            return self._np(context, "person" if what < 0.55 else "thing", "S" if context.person == "3s" else "P")
        return [Gold(self._chance.choice(_PRONOUNS[context.person]), "", "PRON", "", 1)]

    def _subject(self, context: Context) -> Sentence:
        return self._subj(context)

    def _np(self, _context: Context, kind: str = "thing", number: str = "") -> Sentence:
        number = number or self._chance.choice("SSSP")
        word = self._chance.choice(_DETERMINERS[number].split())
        found = [Gold(word, "", _CATEGORIES.get(word, "DET"), "", 1)]
        if self._chance.random() < 0.2:
            found += self._adj(_context)
        return [*found, self._noun(kind, number)]

    def _noun(self, kind: str, number: str) -> Gold:
        lemma = self._chance.choice(self.classes[kind])
        return Gold(self._forms.get((lemma, "NN" if number == "S" else "NNS"), ""), lemma, "NOUN", "", 1)

    def _n(self, _context: Context, kind: str, number: str = "") -> Sentence:
        return [self._noun(kind, number.upper() or self._chance.choice("SP"))]

    def _adj(self, _context: Context) -> Sentence:
        word = self._chance.choice(self.classes["adjective"])
        return [Gold(word, word, "ADJ", "", 1)]

    def _v(self, context: Context, kind: str, tense: str) -> Sentence:
        lemma = self._chance.choices(self.classes[kind], self._usual[kind])[0]
        if tense == "tense":
            tense = "past" if context.past else "pres"
        tag = _TAGS.get(tense) or ("VBZ" if context.person == "3s" else "VB")
        return [Gold(self._forms.get((lemma, tag), ""), lemma, "VERB", "", 1)]

    def _be(self, context: Context) -> Sentence:
        return [Gold(_BE.get(context.person, ("are", "were"))[context.past], "be", "AUX", "", 1)]

    def _do(self, context: Context) -> Sentence:
        return [Gold("did" if context.past else "does" if context.person == "3s" else "do", "do", "AUX", "", 1)]

    def _have(self, context: Context) -> Sentence:
        return [Gold("had" if context.past else "has" if context.person == "3s" else "have", "have", "AUX", "", 1)]

    def _modal(self, _context: Context) -> Sentence:
        word = self._chance.choice(_MODALS)
        return [Gold(word, word, "AUX", "", 1)]

    def _not(self, _context: Context) -> Sentence:
        return [Gold(self._chance.choice(("n't", "not")), "not", "PART", "", 1)]

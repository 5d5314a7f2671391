"""Verbs of the second person singular as the Americas say them (tenés, decí, digás), which the lexicon lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from trasmallo.study.morphology.conventions import split
from trasmallo.study.morphology.readings_of_rules import Find
from trasmallo.study.morphology.rules import Affixes
from trasmallo.study.morphology.stress import PLAIN
from trasmallo.study.morphology.tables import SetReading
from trasmallo.study.morphology.tags import Tags

_LONGEST = 2
"""Letters of an ending at most."""


class Voseo:
    """The endings of a language; `is_new` tells the infinitives of verbs that no lexicon lists."""

    def __init__(self, affixes: Affixes, tags: Tags, find: Find, is_new: Callable[[str], bool]) -> None:
        self._tags = tags
        self._find = find
        self._is_new = is_new
        self._plurals = [(ending, re.compile(tag), person) for ending, tag, person in affixes.voseo.plurals]
        self._of_ending: dict[str, list[tuple[str, str]]] = {}
        for ending, infinitive, tag in affixes.voseo.endings:
            self._of_ending.setdefault(ending, []).append((infinitive, tag))
        self._letters = frozenset(ending[-1] for ending in self._of_ending)
        self.endings = tuple(self._of_ending)
        """What the forms end in."""

    def readings(self, word: str) -> list[SetReading]:
        """Those of a form, as the lexicon would list them; [] when it is none."""
        if word[-1:] not in self._letters:
            return []
        for length in range(_LONGEST, 0, -1):
            found = [
                self._reading(length, infinitive, tag)
                for infinitive, tag in self._of_ending.get(word[-length:], ())
                if len(word) > length and self._is_infinitive(word[:-length] + infinitive)
            ]
            if found:
                return [*found, *self._of_plural(word, {word[: -one.cut] + one.add for one in found})]
        return self._of_plural(word, set())

    def _is_infinitive(self, base: str) -> bool:
        listed = any(reading.tag.startswith("VMN") and reading.by == "lexicon" for reading in self._find(base))
        return listed or self._is_new(base)

    def _reading(self, length: int, infinitive: str, tag: str) -> SetReading:
        category, features = self._tags.read(tag)
        return SetReading(cut=length, add=infinitive, category=category, features=features, clitics=(), by="lexicon", tag=tag)

    def _of_plural(self, word: str, known: Collection[str]) -> list[SetReading]:
        """Subjunctives, with the stem of the first person plural (digás, durmás, empecés), of other verbs than those known."""
        plain = word.translate(PLAIN)
        if plain == word or word[-_LONGEST:] not in self._of_ending:
            return []
        of_plurals = (
            self._with_its_stem(word, plain.removesuffix("s") + ending, tag, person) for ending, tag, person in self._plurals
        )
        return [one for found in of_plurals for lemma, one in found if lemma not in known]

    def _with_its_stem(self, word: str, plural: str, its_tag: re.Pattern[str], person: str) -> Iterator[tuple[str, SetReading]]:
        for reading in self._find(plural):
            tags = [its_tag.sub(person, tag) for tag in reading.tag.split(" ") if its_tag.match(tag)]
            if tags and reading.by == "lexicon":
                lemma = plural[: len(plural) - reading.cut] + reading.add
                cut, add = split(word, lemma)
                yield lemma, reading._replace(cut=cut, add=add, features=self._tags.features(tags), tag=" ".join(tags))

"""Verbs of the second person singular as the Americas say them (tenés, decí, digás), which the lexicon lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection

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
        self._stressed = affixes.voseo.stressed
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
                return [*found, *self._otherwise_stressed(word, {word[: -one.cut] + one.add for one in found})]
        return self._otherwise_stressed(word, set())

    def _is_infinitive(self, base: str) -> bool:
        listed = any(reading.tag.startswith("VMN") and reading.by == "lexicon" for reading in self._find(base))
        return listed or self._is_new(base)

    def _reading(self, length: int, infinitive: str, tag: str) -> SetReading:
        category, features = self._tags.read(tag)
        return SetReading(cut=length, add=infinitive, category=category, features=features, clitics=(), by="lexicon", tag=tag)

    def _otherwise_stressed(self, word: str, known: Collection[str]) -> list[SetReading]:
        """Forms that are listed with the stress on another syllable (digas), of other verbs than those known (vengás)."""
        plain = word.translate(PLAIN)
        if not self._stressed or plain == word or word[-_LONGEST:] not in self._of_ending:
            return []
        found = []
        for reading in self._find(plain):
            tags = [tag for tag in reading.tag.split(" ") if tag.startswith(self._stressed)]
            if tags and reading.by == "lexicon" and plain[: len(plain) - reading.cut] + reading.add not in known:
                features = self._tags.features(tags)
                cut = max(reading.cut, _LONGEST)
                add = plain[len(plain) - cut : len(plain) - reading.cut] + reading.add
                found.append(reading._replace(cut=cut, add=add, features=features, tag=" ".join(tags)))
        return found

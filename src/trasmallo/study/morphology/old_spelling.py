"""Words of an older stage of a language, read as the modern ones that they are (agora, desta, viniéredes, dixo, decille).

An option, because some of them are other words today (fijo) and the rules of old spelling take more typos for words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, combinations

import msgspec

from trasmallo.study import languages
from trasmallo.study.morphology.enclitics import ARCHAIC, sequences
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.stress import PLAIN
from trasmallo.study.morphology.tags import TYPO, extended
from trasmallo.values.model import Analysis

_MOST_CHANGES = 3
"""Changes of spelling in one word. Judgement: fazer has two."""
_FILE = "old.tsv"
_VERBS = ("VERB", "AUX")


class OldSpelling:
    """The older stage of a language; `analyse` gives the readings of modern words."""

    def __init__(self, code: str, analyse: Callable[[str], list[Analysis]]) -> None:
        old = load(code).old
        self._analyse = analyse
        rows = languages.load(code).rows(_FILE) if languages.load(code).has(_FILE) else ()
        self._words = {form: modern for forms, modern in rows for form in forms.split()}
        self._contracted = {
            f"{letter}{word}": (preposition, word) for letter, preposition, words in old.contractions for word in words.split()
        }
        self._pronouns = sequences(load(code).enclitics.groups)
        self._endings = [(re.compile(f"{pattern}$"), ending) for pattern, ending in old.endings]
        self._enclitics = [(re.compile(f"{pattern}$"), ending) for pattern, ending in old.enclitics]
        self._spellings = [(re.compile(pattern), letters) for pattern, letters in old.spellings]

    def names(self, word: str) -> bool:
        """Whether a word is one of the list, or a contraction, and so old whatever it is today."""
        return word in self._words or word in self._contracted

    def analyse(self, word: str) -> list[Analysis]:
        """The readings that a word had, marked as archaic; [] for none. The word is a key."""
        if word in self._contracted:
            preposition, behind = self._contracted[word]
            return [Analysis(preposition, "ADP", ARCHAIC, clitics=(behind,), by="rule", tag="SP")]
        if word in self._words:
            return self._archaic(self._words[word], lambda _: True)
        return self._inflected(word) or self._before_pronouns(word) or self._respelt(word)

    def _inflected(self, word: str) -> list[Analysis]:
        for pattern, ending in self._endings:
            if pattern.search(word):
                found = self._archaic(
                    pattern.sub(ending, word), lambda one: one.category in _VERBS and "Person=2" in one.features
                )
                if found:
                    return found
        for pattern, ending in self._enclitics:
            if pattern.search(word):
                found = self._archaic(pattern.sub(ending, word), lambda one: bool(one.clitics))
                if found:
                    return found
        return []

    def _before_pronouns(self, word: str) -> list[Analysis]:
        """A listed old form with pronouns behind it (trújole, vídose)."""
        plain = word.translate(PLAIN)
        for place in range(len(word) - 2, 2, -1):
            pronouns, modern = self._pronouns.get(word[place:]), self._words.get(plain[:place])
            if pronouns and modern:
                verbs = self._archaic(modern, lambda one: one.category in _VERBS)
                return [msgspec.structs.replace(one, clitics=pronouns) for one in verbs]
        return []

    def _respelt(self, word: str) -> list[Analysis]:
        """The modern word, else a verb with pronouns (fízose), else one without its accent, which old texts seldom have.

        Then what has an old ending as well (dezilde), then other words without their accent (assi).
        """
        listed = (self._archaic(modern, lambda one: one.by == "lexicon") for modern in self._modern(word))
        with_pronouns = (self._archaic(modern, lambda one: bool(one.clitics)) for modern in self._modern(word))
        inflected = (self._inflected(modern) for modern in self._modern(word))
        verbs = (self._archaic(modern, lambda one: one.category in _VERBS, unaccented=True) for modern in self._modern(word))
        others = (self._archaic(modern, lambda _: True, unaccented=True) for modern in self._modern(word))
        return next(filter(None, chain(listed, with_pronouns, verbs, inflected, others)), [])

    def _modern(self, word: str) -> Iterator[str]:
        """The word with as few of its letters as possible as they are written today."""
        fitting = [change for change in self._spellings if change[0].search(word)]
        for count in range(1, min(len(fitting), _MOST_CHANGES) + 1):
            for some in combinations(fitting, count):
                modern = word
                for pattern, letters in some:
                    modern = pattern.sub(letters, modern)
                yield modern

    def _archaic(self, modern: str, fits: Callable[[Analysis], bool], *, unaccented: bool = False) -> list[Analysis]:
        return [
            Analysis(
                lemma=one.lemma,
                category=one.category,
                features=extended(one.features, ARCHAIC),
                prefix=one.prefix,
                clitics=one.clitics,
                by="rule",
                tag=one.tag,
            )
            for one in self._analyse(modern)
            if one.by != "guess" and (TYPO in one.features) == unaccented and fits(one)
        ]

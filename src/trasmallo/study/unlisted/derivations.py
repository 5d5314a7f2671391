"""How a word that nobody lists may be derived from known ones: by prefixes and endings, each in its bucket.

This is more generous than the rules of `morphology.formation`, which say what a word is: here a derivation only has to be
likely enough that a lexicographer wants all of its kind together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from functools import cache
from typing import NamedTuple

from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.stress import ACCENTED
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.unlisted.kind_model import recent_words
from trasmallo.study.unlisted.kinds import KindRules, rules_of

_DEEPEST = 3
"""Affixes of a word. Judgement: semi-peatonal-iza-ción has that many."""
_OPEN = ("N", "A", "V", "R")
_LONGEST = 40
"""Letters of a word that is looked at. Judgement: what is longer is no word."""


_STRESSED_ENDS = ("n", "s")
"""Letters before which the last vowel has an accent when it is stressed."""
_LAST_VOWEL = re.compile("[aeiou](?=[^aeiou]*$)")


class Derivation(NamedTuple):
    """The affix that counts, written with a hyphen, and what it was put to."""

    affix: str
    base: str


class Derivations:
    """Those of one language; `is_known` says whether a word is listed as a noun, adjective, verb or adverb."""

    def __init__(self, rules: KindRules, prefixes: tuple[str, ...], is_known: Callable[[str], bool]) -> None:
        self._is_known, self._least, self._last = is_known, rules.least, frozenset(rules.last.split())
        self._prefixes = tuple(sorted({*prefixes, *rules.prefixes.split()}, key=len, reverse=True))
        self._endings: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for affix, endings, bases in rules.derived:
            for ending in endings.split():
                taken = tuple("" if base == "0" else base for base in bases.split())
                self._endings.setdefault(ending, []).append((affix, taken))
        self._longest = max(map(len, self._endings), default=0)

    def find(self, word: str) -> Derivation | None:
        """How a word is derived, None when nothing shows it."""
        return self._find(word, _DEEPEST) if len(word) <= _LONGEST else None

    def _find(self, word: str, depth: int) -> Derivation | None:
        return self._by_prefix(word, depth) or self._by_ending(word, depth)

    def _by_prefix(self, word: str, depth: int) -> Derivation | None:
        for prefix in self._prefixes:
            if word.startswith(prefix) and len(word) - len(prefix) >= self._least:
                rest = word[len(prefix) :].removeprefix("-")
                rest = rest[1:] if rest.startswith("rr") else rest
                if self._is_known(rest) or (depth > 1 and self._find(rest, depth - 1)):
                    return Derivation(f"{prefix}-", rest)
        return None

    def _by_ending(self, word: str, depth: int) -> Derivation | None:
        for length in range(min(self._longest, len(word) - self._least + 1), 1, -1):
            for affix, bases in self._endings.get(word[-length:], ()):
                stem = word[:-length]
                for base in bases:
                    if len(stem + base) >= self._least and (known := self._base(stem + base, depth)):
                        return Derivation(affix, known)
        return None

    def _base(self, base: str, depth: int) -> str:
        """A word that is known or derived itself, "" for others; an accent on its end is lost (maratón, maratonismo)."""
        if self._is_known(base):
            return base
        if base.endswith(_STRESSED_ENDS) and self._is_known(_accented(base)):
            return _accented(base)
        found = self._by_ending(base, depth - 1) if depth > 1 else None
        return base if found is not None and found.affix not in self._last else ""


def _accented(base: str) -> str:
    """A word with an accent on its last vowel."""
    return _LAST_VOWEL.sub(lambda vowel: vowel[0].translate(ACCENTED), base)


@cache
def derivations_of(code: str) -> Derivations:
    """The derivations of a language folder."""
    return make(code, recent_words(code))


def make(code: str, recent: Container[str]) -> Derivations:
    """The derivations of a language whose recent words are given: these are bases too."""
    listed = analyser(code).listed

    def is_known(word: str) -> bool:
        readings = listed(word)[1]
        if not readings:
            return word in recent
        return any(one.by == "lexicon" and TYPO not in one.features and one.tag.startswith(_OPEN) for one in readings)

    # Those before nouns too: what makes adjectives negative (in-) is easily taken for a misspelling.
    prefixes = tuple(prefix for group in load(code).prefixes if "N" in group.hosts for prefix in group.forms.split())
    return Derivations(rules_of(code), prefixes, is_known)

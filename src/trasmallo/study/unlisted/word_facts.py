"""What the lexicon, the rules and known words near it say of a word: whether it is recognised, and if not, what it is like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from trasmallo.study.interned_forms import Facts
from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.corrections import Mistakes, mistakes_of
from trasmallo.study.morphology.inclusive import INCLUSIVE
from trasmallo.study.morphology.rules import load
from trasmallo.study.morphology.tags import TYPO
from trasmallo.study.unlisted.derivations import Derivations, derivations_of
from trasmallo.study.unlisted.kind_model import WordFacts
from trasmallo.study.unlisted.kind_model import load as load_model
from trasmallo.study.unlisted.word_sets import WordLevels
from trasmallo.values.model import Analysis

LISTED, RECOGNISED, UNKNOWN, MISSPELT, FORMED = range(5)
"""What is said of a word: the lexicon has it; regular inflection makes it; neither; it has it as a mistake; rules form it."""
SAID, GUESSED, DIMINUTIVE, NEUTRAL = 15, 16, 32, 64
"""The bits of that. Beside it: only the ending of a small word tells something; a diminutive or augmentative by rule; a form
that names no gender."""
_REGULAR = ("Degree=", "NumForm=")
_SHORT = "Abbr=Yes"
_OTHER_THAN_WORDS = ("NUM", "PUNCT", "SYM")


@cache
def status_of(code: str) -> Facts:
    """What the lexicon and the rules say of a word."""
    analyse = words_of(code).analyse
    return Facts(lambda words: [said_of(word, analyse(word)) for word in words])


def said_of(word: str, found: list[Analysis]) -> int:
    """What the analyses of a word say of it, as bits."""
    if found and found[0].by == "lexicon" and TYPO not in found[0].features:  # most words
        return LISTED
    from_lexicon, mistaken = any(one.by == "lexicon" for one in found), all(TYPO in one.features for one in found)
    if from_lexicon and not mistaken:
        return LISTED
    if not found or found[0].by == "guess":
        guessed = word.islower() and all(one.by == "guess" for one in found)
        return UNKNOWN | (GUESSED if guessed else 0)
    diminutive = all(one.by == "rule" and "Degree=" in one.features and "Degree=Abs" not in one.features for one in found)
    said = MISSPELT if mistaken else RECOGNISED if from_lexicon or any(map(is_regular, found)) else FORMED
    neutral = all(INCLUSIVE in one.features for one in found)
    return said | (DIMINUTIVE if diminutive else 0) | (NEUTRAL if neutral else 0)


def is_regular(found: Analysis) -> bool:
    """Made by regular inflection, not by making a new word."""
    if found.prefix:
        return False
    return (
        bool(found.clitics) or found.features.startswith(_REGULAR) or found.tag == "RG" or found.category in _OTHER_THAN_WORDS
    )


class Gatherer:
    """What a model asks of words, of one language."""

    def __init__(self, code: str, derivations: Derivations, mistakes: Mistakes, common: WordLevels) -> None:
        self._analyse = words_of(code).analyse
        self._derivations, self._mistakes, self._common = derivations, mistakes, common
        self._is_strange = re.compile(load(code).spelling.foreign or "(?!)").search

    def is_short_form(self, word: str) -> bool:
        """Whether a word is an abbreviation that lacks its point (pdte, tfno)."""
        return any(_SHORT in one.features for one in self._analyse(f"{word}."))

    def facts_of(self, words: Sequence[str], but: Callable[[str, str], bool] | None = None) -> list[WordFacts]:
        """The facts of words, given as keys; `but` as that of `Mistakes.meant_by`."""
        found = []
        for word, meant in zip(words, self._mistakes.meant_by(words, but), strict=True):
            said = said_of(word, self._analyse(word)) & SAID
            found.append(
                WordFacts(
                    word=word,
                    formed=said == FORMED,
                    misspelt=said == MISSPELT,
                    strange=bool(self._is_strange(word)),
                    meant=meant,
                    derived=bool(self._derivations.find(word)),
                    # Of two words written as one, the longer one.
                    common=self._common.of(max(meant.form.split(" "), key=len)) if meant else 0,
                )
            )
        return found


@cache
def gatherer_of(code: str) -> Gatherer:
    """The gatherer of a language folder."""
    model = load_model(code)
    return Gatherer(code, derivations_of(code), mistakes_of(code), model.common if model else WordLevels())

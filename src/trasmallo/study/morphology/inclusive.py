"""Forms that name no gender (todes, amigxs, amig@s): read as the word whose two genders the lexicon has."""

from __future__ import annotations

from trasmallo.study.morphology.readings_of_rules import Find, analysis, changed
from trasmallo.study.morphology.rules import Affixes
from trasmallo.study.morphology.tables import Readings
from trasmallo.study.morphology.tags import TYPO, extended
from trasmallo.values.model import Analysis

INCLUSIVE = "Gender=Incl"
"""The feature of such a form."""
_CATEGORIES = ("NOUN", "ADJ", "DET", "PRON")
_SHORTEST = 3
"""Letters before the vowel of forms that are told by it alone. Judgement: tod-, niñ-, ell-."""
_SHORTEST_SINGULAR = 4
"""The same of adjectives in the singular, where most of the shorter ones are typos; nouns are of persons. Calibrated on
misspellings of treebank words."""


class Inclusive:
    """The rules of a language; `find` gives the readings of the forms of both genders."""

    def __init__(self, affixes: Affixes, find: Find) -> None:
        self._find = find
        self._changes = affixes.inclusive.changes
        self._pairs: dict[str, list[tuple[str, str]]] = {}
        for sign, number, masculine, feminine in affixes.inclusive.endings:
            self._pairs.setdefault(sign + number, []).append((masculine, feminine))
        self._lengths = sorted({len(ending) for ending in self._pairs}, reverse=True)
        self.endings = tuple(self._pairs)
        """What such forms end in."""

    def analyse(self, word: str) -> list[Analysis]:
        """Readings of a form that the lexicon does not have: with the lemma of the masculine, and no gender named."""
        for length in self._lengths:
            for genders in self._pairs.get(word[-length:], ()) if len(word) > length else ():
                found = [
                    one
                    for stem in self._stems(word[:-length], word[-length:])
                    for one in self._of_both(stem, *genders)
                    if word[-length:] != "e" or len(stem) >= _SHORTEST_SINGULAR or one.category == "NOUN"
                ]
                if found:
                    return list(dict.fromkeys(found))
        return []

    def _stems(self, stem: str, ending: str) -> list[str]:
        if not ending.startswith("e"):
            return [stem]
        changed_stems = [stem.removesuffix(end) + instead for end, instead in self._changes if stem.endswith(end)]
        return changed_stems if changed_stems or stem.endswith("g") or len(stem) < _SHORTEST else [stem]

    def _of_both(self, stem: str, masculine: str, feminine: str) -> list[Analysis]:
        hers = _nominal(stem + feminine, self._find(stem + feminine))
        same = {(one.lemma, one.category) for one in hers}
        return [
            changed(one, extended(one.features, INCLUSIVE), one.tag)
            for one in _nominal(stem + masculine, self._find(stem + masculine))
            if (one.lemma, one.category) in same
        ]


def _nominal(form: str, readings: Readings) -> list[Analysis]:
    return [
        analysis(form, one)
        for one in readings
        if one.category in _CATEGORIES and one.by == "lexicon" and TYPO not in one.features
    ]

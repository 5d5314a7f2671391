"""Diminutives, augmentatives and superlatives, read as the plain word with a degree.

Which ending a word takes depends on its shape (sol gives solecito, árbol arbolito): the rows of `affixes.toml` say of what
stems an ending tells what plain words. A diminutive keeps the gender of its noun, which rules out most words that only look
like one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from itertools import product
from typing import NamedTuple

from trasmallo.study.morphology.readings_of_rules import Find, Test, analysis, beginning, changed
from trasmallo.study.morphology.rules import Affixes, Evaluative
from trasmallo.study.morphology.stress import ACCENTED, ACCENTED_LETTERS
from trasmallo.study.morphology.tables import SetReading
from trasmallo.study.morphology.tags import TYPO, extended, joined, pairs
from trasmallo.values.model import Analysis

_STEM_VOWEL = re.compile("[aeiou](?=.)")
_LONGEST = 8
"""Letters of an ending of degree with its inflection at most. Judgement."""
_NONE = ("\0",)
_SUPERLATIVE, _AUGMENTATIVE = "Degree=Abs", "Degree=Aug"
_GERUND = "VerbForm=Ger"
_NOMINAL = frozenset({"NOUN", "ADJ"})
_NATIVE_ENDS = tuple("aeiouáéíóúlnrdzsjy")
_FRONT = ("e", "é", "i", "í")
# The vowels of the two genders: a noun that ends in its own keeps it (la mano, la manita; el problema, el problemita).
_VOWELS = {"o": "Masc", "os": "Masc", "e": "Masc", "es": "Masc", "a": "Fem", "as": "Fem"}


class _Degree(NamedTuple):
    """An ending with its inflection, ready to use."""

    ending: str
    inflection: str
    features: str
    bases: tuple[str, ...]
    stem: Callable[[str], object]
    hosts: Test
    kind: Evaluative


class Evaluatives:
    """The rules of a language; `find` gives the readings of the plain word."""

    def __init__(self, affixes: Affixes, find: Find) -> None:
        self._find = find
        self._rules = affixes.evaluation
        self._learned = {stem: tuple(plain.split()) for stem, plain in affixes.evaluation.learned}
        self._opaque = frozenset(affixes.evaluation.opaque.split())
        self._degrees = _degrees(affixes)
        self.endings = tuple(self._degrees) or _NONE
        """What the words end in that the rules may be for."""

    def analyse(self, word: str) -> list[Analysis]:
        """Readings of a word that the lexicon does not have; a superlative is its own lemma too."""
        return self._analyse(word, self._degrees)

    def listed(self, word: str, known: Collection[tuple[str, str]]) -> list[Analysis]:
        """Further readings of a word that the lexicon has with the lemmas and categories given: of these categories, others.

        A superlative is an adjective whatever the lexicon has it as (novísimo, santísimo), and what is made from a word that is
        both noun and adjective is both (viejecita, solterón). Who is panzón has a large panza.
        """
        lemmas, categories = {lemma for lemma, _ in known}, {category for _, category in known}
        if not lemmas.isdisjoint(self._opaque):
            return []
        found = self._analyse(word, self._degrees, listed=True)
        nominal = _in_both_categories(found) if _NOMINAL & categories else set()
        fitting = [
            one
            for one in found
            if one.category in categories
            or (one.lemma in nominal and one.category in _NOMINAL)
            or (one.category == "NOUN" and "ADJ" in categories and _AUGMENTATIVE in one.features)
            or (one.category, _SUPERLATIVE in one.features) == ("ADJ", True)
        ]
        return [one for one in fitting if one.lemma not in lemmas]

    def _analyse(self, word: str, degrees: dict[str, list[_Degree]], *, listed: bool = False) -> list[Analysis]:
        if not word.endswith(self.endings):
            return []
        for length in range(min(len(word) - 1, _LONGEST), 1, -1):
            for degree in degrees.get(word[-length:], ()):
                if (listed and not degree.kind.listed) or len(word) - length < degree.kind.least:
                    continue
                made = self._evaluated(word, word[:-length], degree)
                if made:
                    return made
        return []

    def _evaluated(self, word: str, stem: str, degree: _Degree) -> list[Analysis]:
        learned = self._learned.get(word.removesuffix(degree.inflection), ())
        readings = [reading for plain in learned for reading in self._fitting(plain, degree)]
        if not learned and degree.stem(stem):
            readings = self._plain(stem, degree)
        made = [_evaluated(base, reading, degree) for base, reading in readings]
        if made and degree.kind.own_lemma:
            lemma = word.removesuffix(degree.inflection) + "o"
            made.insert(0, Analysis(lemma, "ADJ", degree.features, by="rule", tag=made[0].tag))
        return list({(one.lemma, one.category, one.features): one for one in reversed(made)}.values())[::-1]

    def _plain(self, stem: str, degree: _Degree) -> list[tuple[str, SetReading]]:
        vowel = degree.inflection[:1]
        endings = [base.replace("=", vowel).replace("0", "") for base in degree.bases]
        for some in (self._stems(stem, degree), self._undone(stem, degree)):
            found = [
                reading
                for base, ending in dict.fromkeys(product(some, endings))
                if _keeps_its_sound(stem, base, ending, degree)
                for reading in self._fitting(base + ending, degree, len(ending))
            ]
            if found:
                right = [(base, one) for base, one in found if TYPO not in one.features]
                right = _without_short_forms(_sooner_native(right) + self._accented(right, degree)) or found
                return right if vowel == "a" else _sooner_masculine(right)
        return []

    def _accented(self, found: list[tuple[str, SetReading]], degree: _Degree) -> list[tuple[str, SetReading]]:
        """Those of words that differ from the plain ones only by the accent which is lost (válido beside valido)."""
        bases = dict.fromkeys(base for base, one in found if base.isascii() and one.category != "VERB")
        accented = (base[:at] + base[at].translate(ACCENTED) + base[at + 1 :] for base in bases for at in _stem_vowels(base))
        return [
            one
            for form in accented
            for one in self._fitting(form, degree)
            if one[1].by == "lexicon" and one[1].category in _NOMINAL
        ]

    def _stems(self, stem: str, degree: _Degree) -> list[str]:
        if not degree.ending.startswith(_FRONT):
            return [stem]
        return [stem, *(stem.removesuffix(end) + instead for end, instead in self._rules.changes if stem.endswith(end))]

    def _undone(self, stem: str, degree: _Degree) -> list[str]:
        """The stem with the diphthong that its last vowel had under the stress."""
        last = re.search(r"[aeiou](?=[^aeiou]+$)", stem) if degree.kind.diphthongs else None
        if last is None:
            return []
        return [stem[: last.start()] + two + stem[last.end() :] for one, two in self._rules.diphthongs if one == last[0]]

    def _fitting(self, base: str, degree: _Degree, ending: int = 0) -> list[tuple[str, SetReading]]:
        """Readings of a plain word, also of one that has an accent before its ending: lapicito is made from lápiz."""
        return [
            (base, one)
            for one in self._find(base)
            if (one.category != "VERB" or (_GERUND in one.features and degree.inflection == "o"))
            and not _has_degree(one)
            and degree.hosts(one.tag)
            and _agrees(base, one, degree)
            and _may_be_base(base, one, ending)
        ]


def _stem_vowels(base: str) -> list[int]:
    """The places of all vowels but one that a word ends in."""
    return [found.start() for found in _STEM_VOWEL.finditer(base)]


def _without_short_forms(found: list[tuple[str, SetReading]]) -> list[tuple[str, SetReading]]:
    """Without the forms that stand before a noun: malísimo is of malo, not of mal."""
    whole = {base[:-1] for base, one in found if base.endswith("o") and one.category == "ADJ"}
    return [(base, one) for base, one in found if base not in whole or one.category == "NOUN"]


def _sooner_native(found: list[tuple[str, SetReading]]) -> list[tuple[str, SetReading]]:
    """Without words that end in a letter as few Spanish ones do where there are others: machote is of macho, not of mach."""
    native = [(base, one) for base, one in found if base.endswith(_NATIVE_ENDS)]
    return native or found


def _sooner_masculine(found: list[tuple[str, SetReading]]) -> list[tuple[str, SetReading]]:
    """Without the feminine nouns of living beings: perrazo is a large perro, no perra."""
    pairs_of_gender = {base for base, one in found if one.category == "NOUN" and one.add == "o" and base.endswith("a")}
    return [(base, one) for base, one in found if base not in pairs_of_gender or one.category != "NOUN" or one.cut]


def _in_both_categories(found: Iterable[Analysis]) -> set[str]:
    """Lemmas that are read as nouns and as adjectives."""
    read = {(one.lemma, one.category) for one in found}
    return {lemma for lemma, _ in read if all((lemma, category) in read for category in _NOMINAL)}


def _keeps_its_sound(stem: str, base: str, ending: str, degree: _Degree) -> bool:
    """Whether the plain word sounds as the stem does: seco gives sequillo, not secillo, and arquito is of no arce."""
    if not degree.ending.startswith(_FRONT) or base[-1:] not in ("c", "g"):
        return True
    return (base == stem) == (ending[:1] in ("e", "i"))


def _has_degree(reading: SetReading) -> bool:
    """Whether a rule has read a word as another with a degree: bocadillito is of bocadillo, not of bocado."""
    return reading.by == "rule" and "Degree=" in reading.features


def _may_be_base(base: str, reading: SetReading, ending: int) -> bool:
    """Not plurals (bas, of ba), nor abbreviations (cap), nor words that lose an accent with their ending (mujerío)."""
    lemma = base[: len(base) - reading.cut] + reading.add
    if len(lemma) > len(base) + 1 or dict(pairs(reading.features)).get("Number") == "Plur":
        return False
    return TYPO not in reading.features or not ending or ACCENTED_LETTERS.search(lemma[-ending:]) is None


def _agrees(base: str, reading: SetReading, degree: _Degree) -> bool:
    if not degree.kind.agrees or reading.category != "NOUN":
        return True
    gender, wanted = dict(pairs(reading.features)).get("Gender", ""), _VOWELS.get(degree.inflection, "Masc")
    own_vowel = base.removesuffix("s")[-1:] == degree.inflection[:1]
    return not gender or wanted in gender or own_vowel


def _evaluated(base: str, reading: SetReading, degree: _Degree) -> Analysis:
    features, said = dict(pairs(reading.features)), dict(pairs(degree.features))
    features.pop("Typo", None)
    if reading.category in ("ADV", "VERB"):
        said = {name: value for name, value in said.items() if name not in ("Gender", "Number")}
    elif degree.kind.agrees and reading.category == "NOUN" and "Gender" in features:
        said["Gender"] = features["Gender"]
    return changed(analysis(base, reading), joined(features | said), reading.tag)


def _degrees(affixes: Affixes) -> dict[str, list[_Degree]]:
    rules = affixes.evaluation
    alone, told = rules.bare.split(), dict(rules.inflections)
    found: dict[str, list[_Degree]] = {}
    for kind in affixes.evaluative:
        hosts = beginning(kind.hosts or rules.hosts)
        stem = re.compile(kind.stem or ".*").fullmatch
        for ending in kind.endings.split():
            for inflection in [""] if ending in alone else (kind.inflected or rules.inflected).split():
                degree = _Degree(
                    ending=ending,
                    inflection=inflection,
                    features=extended(told.get(inflection, "Gender=Masc|Number=Sing"), kind.feature),
                    bases=kind.bases,
                    stem=stem,
                    hosts=hosts,
                    kind=kind,
                )
                found.setdefault(ending + inflection, []).append(degree)
    return found

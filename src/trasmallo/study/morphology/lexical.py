"""What a word can be before its context is looked at: its categories, and the clues that it gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tagger_features import clues
from trasmallo.study.morphology.tags import pairs
from trasmallo.values.model import Analysis

_NUMBER = re.compile(r"[\d.,:/%ºª-]*\d[\d.,:/%ºª-]*")
_SIGNS = re.compile(r"[\W_]+")
_ROMAN = re.compile("[IVXLC]+")
_SYMBOLS = frozenset("%+=$€°ºª&£<>")
_SYMBOL = frozenset(("NOUN", "PUNCT", "SYM"))
_SIGN = frozenset(("PUNCT",))
_DIGITS = frozenset(("ADJ", "NOUN", "NUM"))
_OPEN = frozenset(("ADJ", "ADV", "NOUN", "PROPN", "VERB", "X"))
_OPEN_CAPITALISED = frozenset(("ADJ", "NOUN", "PROPN", "VERB", "X"))
_VERBS = frozenset(("VERB", "AUX"))
SECOND_VERB = "VERB2"
"""Label of a form as the second most frequent of the verbs that it may belong to: *di* is *dar*, and *decir* by this label."""
_NAMES = frozenset(("PROPN",))
_SECOND = frozenset((SECOND_VERB,))
_UNKNOWN = "unknown"
_FINE = frozenset(("Gender", "Mood", "Number", "Person", "PronType", "VerbForm", "Typo", "Degree"))


def category_of(label: str) -> str:
    """The category that a label stands for."""
    return "VERB" if label == SECOND_VERB else label


class Analyses(Protocol):
    """What the tagger asks of a language."""

    def analyse(self, word: str) -> list[Analysis]:
        """Every reading of a word."""

    def listed(self, word: str) -> tuple[str, Readings]:
        """The form under which the lexicon lists a word, and its readings there; () when it does not."""

    def guess(self, form: str, category: str = "") -> Analysis | None:
        """What the ending of an unknown word says, of one category when it is given; None when it says nothing."""


class SeenInTraining(NamedTuple):
    """What training knows of single words, see `tagger_model.Model`."""

    candidates: Mapping[str, tuple[str, ...]] = {}
    further: Mapping[str, tuple[str, ...]] = {}
    auxiliaries: frozenset[str] = frozenset()


class DescribedWord(NamedTuple):
    """The categories that a word may have, `SECOND_VERB` among them, and its clues."""

    candidates: tuple[str, ...]
    clues: tuple[str, ...]


class _Categories(NamedTuple):
    """Categories in order, and as a clue."""

    listed: tuple[str, ...]
    joined: str


class _Set(NamedTuple):
    """What all words with the same readings share: those of verbs, categories, finer classes, if there are two verbs."""

    readings: Readings
    verbs: tuple[SetReading, ...]
    categories: frozenset[str]
    fine: str
    second: bool


class _Known(NamedTuple):
    """What the analyses say of a word: categories, finer classes, a lemma, whether it may belong to two verbs."""

    categories: frozenset[str]
    fine: str
    lemma: str
    second: bool = False


class Lexical:
    """Describes the words of a language; words with the same readings share most of the work."""

    def __init__(self, analyses: Analyses, seen: SeenInTraining) -> None:
        self._analyses = analyses
        self._seen = seen
        # By identity: a lexicon keeps one tuple for each set of readings, and hashing one would cost as much as it spares.
        self._sets: dict[int, _Set] = {}
        self._sorted: dict[frozenset[str], _Categories] = {}

    def describe(self, word: str, first: bool) -> DescribedWord:
        """A word that begins a sentence (`first`) or does not."""
        form, readings = self._analyses.listed(word)
        if readings and (len(word) == 1 or not word.isupper()):
            categories, fine, lemma, second = self._of_listed(form, readings)
        else:
            categories, fine, lemma, second = self._of_others(word, form)
        if word[0].isupper() and fine != _UNKNOWN:
            categories |= _NAMES
        listed, joined = self._in_order(categories)
        if second:
            listed = self._in_order(categories | _SECOND).listed
        return DescribedWord(self._candidates(word, form, listed), clues(word, form, first, joined, fine, lemma))

    def _of_listed(self, form: str, readings: Readings) -> _Known:
        known = self._sets.get(id(readings))
        if known is None:
            known = self._sets[id(readings)] = _set(readings)
        chosen = known.verbs[0] if known.verbs else readings[0]
        lemma = form[: len(form) - chosen.cut] + chosen.add
        if lemma in self._seen.auxiliaries or len(known.verbs) > 1:
            lemmas = [form[: len(form) - verb.cut] + verb.add for verb in known.verbs]
            if not self._seen.auxiliaries.isdisjoint(lemmas):
                return _Known(known.categories | _VERBS, known.fine, lemma, known.second)
        return _Known(known.categories, known.fine, lemma, known.second)

    def _of_others(self, word: str, low: str) -> _Known:
        """Categories, finer classes and a lemma of a word that the lexicon does not list, or that may be a number as well."""
        if not word.isalpha():
            if _SIGNS.fullmatch(word):
                return _Known(_SYMBOL if word in _SYMBOLS else _SIGN, f"sign {word}", low)
            if _NUMBER.fullmatch(word):
                return _Known(_DIGITS, "number", "0")
        analyses = [found for found in self._analyses.analyse(word) if found.by != "guess"]
        if not analyses:
            open_classes = _OPEN_CAPITALISED if word[0].isupper() else _OPEN
            return _Known(open_classes | {"NUM"} if _ROMAN.fullmatch(word) else open_classes, _UNKNOWN, low)
        verbs = [found.lemma for found in analyses if found.category in _VERBS]
        categories = frozenset(found.category for found in analyses)
        if not self._seen.auxiliaries.isdisjoint(verbs):
            categories |= _VERBS
        second = len({found.lemma for found in analyses if found.category == "VERB"}) > 1
        return _Known(categories, _fine_of(analyses), verbs[0] if verbs else analyses[0].lemma, second)

    def _in_order(self, categories: frozenset[str]) -> _Categories:
        known = self._sorted.get(categories)
        if known is None:
            listed = tuple(sorted(categories))
            known = self._sorted[categories] = _Categories(listed, " ".join(listed))
        return known

    def _candidates(self, word: str, low: str, listed: tuple[str, ...]) -> tuple[str, ...]:
        """Of words that training saw often only what it saw, and a name when capitalised; of others that beside the listed."""
        only = self._seen.candidates.get(low)
        if only is not None:
            return self._in_order(frozenset((*only, "PROPN"))).listed if word[0].isupper() else only
        further = self._seen.further.get(low)
        return listed if further is None else self._in_order(frozenset((*listed, *further))).listed


def _set(readings: Readings) -> _Set:
    verbs = tuple(found for found in readings if found.category in _VERBS)
    second = len({found[:2] for found in verbs if found.category == "VERB"}) > 1
    return _Set(readings, verbs, frozenset(found.category for found in readings), _fine_of(readings), second)


def _fine_of(readings: Iterable[Analysis | SetReading]) -> str:
    return " ".join(sorted({_fine(found) for found in readings}))


def _fine(found: Analysis | SetReading) -> str:
    kept = "|".join(value for name, value in pairs(found.features) if name in _FINE)
    return f"{found.category}{'+' if found.clitics else ''}|{kept}"

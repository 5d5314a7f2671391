from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.conjugation import NewVerbs, guesses
from trasmallo.study.morphology.tags import Tags

SPANISH = NewVerbs(rules.load("es"), Tags("es"), tables().find)


def told(word: str) -> list[tuple[str, str]]:
    return [(word[: len(word) - found.cut] + found.add, found.features) for found in SPANISH.readings(word)]


@pytest.mark.parametrize(
    ("word", "lemma", "features"),
    [
        ("clubeé", "clubear", "Mood=Ind|Number=Sing|Person=1|Tense=Past|VerbForm=Fin"),
        ("clubea", "clubear", "Mood=Imp,Ind|Number=Sing|Person=2,3|Tense=Pres|VerbForm=Fin"),
        ("hackearíamos", "hackear", "Mood=Cnd|Number=Plur|Person=1|VerbForm=Fin"),
        ("peatonalicen", "peatonalizar", "Mood=Imp,Sub|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin"),
        ("procrastinaste", "procrastinar", "Mood=Ind|Number=Sing|Person=2|Tense=Past|VerbForm=Fin"),
    ],
)
def test_every_form_of_a_new_verb(word: str, lemma: str, features: str) -> None:
    assert told(word) == [(lemma, features)]


def test_a_participle_is_an_adjective_too() -> None:
    assert told("hackeadas") == [
        ("hackear", "Gender=Fem|Number=Plur|Tense=Past|VerbForm=Part"),
        ("hackeado", "Gender=Fem|Number=Plur|VerbForm=Part"),
    ]


@pytest.mark.parametrize("word", ["casan", "casarear", "robea", "sea", "", "xear", "enviaron"])
def test_what_is_no_new_verb(word: str) -> None:
    assert told(word) == []


def test_what_an_unknown_ending_tells() -> None:
    rows = {row[0]: row[1:] for row in guesses(rules.load("es"), Tags("es"))}
    assert rows["eé"] == ("VERB", "Mood=Ind|Number=Sing|Person=1|Tense=Past|VerbForm=Fin", "ear")
    assert rows["icé"][2] == "izar"
    assert "ea" not in rows

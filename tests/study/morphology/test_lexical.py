from __future__ import annotations

import pytest

from support.small_lexicon import small
from trasmallo.study.morphology.lexical import Lexical, SeenInTraining
from trasmallo.study.morphology.tagger_features import CLUES


def candidates(word: str, seen: SeenInTraining | None = None) -> tuple[str, ...]:
    return Lexical(small(), seen or SeenInTraining()).describe(word, False).candidates


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("casa", ("NOUN", "VERB")),
        ("Casa", ("NOUN", "PROPN", "VERB")),
        ("flumbo", ("ADJ", "ADV", "NOUN", "PROPN", "VERB", "X")),
        ("Flumbo", ("ADJ", "NOUN", "PROPN", "VERB", "X")),
        ("12", ("ADJ", "NOUN", "NUM")),
        ("...", ("PUNCT",)),
        ("%", ("NOUN", "PUNCT", "SYM")),
        ("dámelo", ("VERB",)),
        ("di", ("VERB", "VERB2")),
        ("DI", ("NUM", "PROPN", "VERB", "VERB2")),
        ("XIV", ("NUM", "PROPN")),
    ],
)
def test_what_a_word_may_be(word: str, expected: tuple[str, ...]) -> None:
    assert candidates(word) == expected


def test_what_training_saw_of_a_word() -> None:
    assert candidates("la", SeenInTraining({"la": ("DET", "PRON")})) == ("DET", "PRON")
    assert candidates("La", SeenInTraining({"la": ("DET", "PRON")})) == ("DET", "PRON", "PROPN")
    assert candidates("casa", SeenInTraining(further={"casa": ("ADJ",)})) == ("ADJ", "NOUN", "VERB")
    assert candidates("dar", SeenInTraining(auxiliaries=frozenset({"dar"}))) == ("AUX", "VERB")


def test_a_form_of_two_verbs_gives_the_clues_of_a_verb() -> None:
    lexical = Lexical(small(), SeenInTraining())
    place = CLUES.index("class")
    assert lexical.describe("di", False).clues[place] == lexical.describe("dar", False).clues[place] == "VERB"


def test_the_first_word_gives_other_clues() -> None:
    first, other = (Lexical(small(), SeenInTraining()).describe("Casa", begins).clues for begins in (True, False))
    assert first != other

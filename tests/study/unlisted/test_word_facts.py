from __future__ import annotations

import pytest

from trasmallo.study.morphology import words_of
from trasmallo.study.unlisted.word_facts import (
    DIMINUTIVE,
    FORMED,
    GUESSED,
    LISTED,
    MISSPELT,
    RECOGNISED,
    UNKNOWN,
    gatherer_of,
    said_of,
)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("casa", LISTED),
        ("dándoselo", RECOGNISED),
        ("flumbe", UNKNOWN | GUESSED),
        ("Flumbe", UNKNOWN),
        ("cancion", MISSPELT),
        ("ultramoderno", FORMED),
        ("lamparita", RECOGNISED | DIMINUTIVE),
    ],
)
def test_what_the_analyses_say(word: str, said: int) -> None:
    assert said_of(word, words_of("es").analyse(word)) == said


def test_facts_of_words() -> None:
    mistake, formed, strange = gatherer_of("es").facts_of(["estava", "ultramoderno", "whiplash"])
    assert mistake.meant is not None
    assert (mistake.meant.form, mistake.formed, mistake.derived) == ("estaba", False, False)
    assert (formed.formed, formed.derived) == (True, True)
    assert strange.strange
    assert gatherer_of("es").facts_of([]) == []

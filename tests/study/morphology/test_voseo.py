from __future__ import annotations

import pytest

from support.small_lexicon import tables
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.tags import Tags
from trasmallo.study.morphology.voseo import Voseo

SPANISH = Voseo(rules.load("es"), Tags("es"), tables().find, lambda word: word == "tuitear")


@pytest.mark.parametrize(
    ("word", "lemma", "tag"),
    [
        ("tenés", "tener", "VMIP2S0"),
        ("casás", "casar", "VMIP2S0"),
        ("casá", "casar", "VMM02S0"),
        ("reí", "reír", "VMM02S0"),
        ("casés", "casar", "VMSP2S0"),
        ("digás", "decir", "VMSP2S0"),
        ("durmás", "dormir", "VMSP2S0"),
        ("empecés", "empezar", "VMSP2S0"),
        ("tuiteá", "tuitear", "VMM02S0"),
    ],
)
def test_the_second_person_of_the_americas(word: str, lemma: str, tag: str) -> None:
    (found,) = SPANISH.readings(word)
    assert (word[: len(word) - found.cut] + found.add, found.tag) == (lemma, tag)


@pytest.mark.parametrize("word", ["", "s", "casas", "robá", "lápizás", "digas", "durmas"])
def test_what_is_none(word: str) -> None:
    assert SPANISH.readings(word) == []

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.measures.syllables import english, spanish

SPANISH = {
    1: "a y rey muy buey que quien guion yo hoy ley guau miau brr",
    2: "ahí búho guerra huía construir ciudad canción río aula país caos ayer playa leyes byte prohibir viuda reír baúl "
    "hielo hueso rehén yugo yoyó",
    3: "ahora pingüino aguijón leía creíais desahucio jesuita poeta ahuyentar alcohol cohete héroe línea México uruguay "
    "estudiáis superfluo cuídate oíais queísmo deshielo ahijado vergüenza reyerta limpiauñas",
    4: "averiguáis aéreo murciélago vehículo petróleo albahaca constitución lingüística antigüedad",
    5: "psicología zoología",
    6: "extraordinario",
    9: "otorrinolaringólogo",
    10: "electroencefalografista",
}
ENGLISH = {
    1: "the make makes walked used called seed why my",
    2: "table houses boxes wanted needed little being reading nation people language changes hopeless something apples handled",
    3: "library beautiful languages media radio serious obvious usual actual various",
    5: "university",
}


@pytest.mark.parametrize(("word", "number"), [(word, n) for n, words in SPANISH.items() for word in words.split()])
def test_spanish(word: str, number: int) -> None:
    assert spanish(word) == spanish(word.upper()) == number


@pytest.mark.parametrize(("word", "number"), [(word, n) for n, words in ENGLISH.items() for word in words.split()])
def test_english(word: str, number: int) -> None:
    assert english(word) == number


@given(st.text(max_size=30))
def test_every_word_has_a_syllable(word: str) -> None:
    assert 1 <= spanish(word) <= max(2 * len(word), 1)
    assert 1 <= english(word) <= max(2 * len(word), 1)


@given(st.lists(st.sampled_from(["ma", "re", "to", "lu", "pi", "cri", "blan"]), min_size=1, max_size=6))
def test_open_syllables_add_up(pieces: list[str]) -> None:
    assert spanish("".join(pieces)) == len(pieces)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.languages.es.readability import fernandez_huerta, grade, gutierrez, measure, syllables, szigriszt
from trasmallo.study.languages.parts import TextSize

WORDS = {
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
SIZE = TextSize(sentences=5, words=100, syllables=200, letters=500)


@pytest.mark.parametrize(("word", "number"), [(word, n) for n, words in WORDS.items() for word in words.split()])
def test_syllables(word: str, number: int) -> None:
    assert syllables(word) == syllables(word.upper()) == number


@given(st.text(max_size=30))
def test_every_word_has_a_syllable(word: str) -> None:
    assert 1 <= syllables(word) <= max(2 * len(word), 1)


@given(st.lists(st.sampled_from(["ma", "re", "to", "lu", "pi", "cri", "blan"]), min_size=1, max_size=6))
def test_open_syllables_add_up(parts: list[str]) -> None:
    assert syllables("".join(parts)) == len(parts)


def test_formulas() -> None:
    assert fernandez_huerta(SIZE) == pytest.approx(206.84 - 120 - 20.4)
    assert szigriszt(SIZE) == pytest.approx(206.835 - 124.6 - 20)
    assert gutierrez(SIZE) == pytest.approx(95.2 - 48.5 - 7)


def test_a_text() -> None:
    found = measure(TextSize(sentences=2, words=4, syllables=7, letters=17))
    assert found.syllables == 7
    assert found.szigriszt == pytest.approx(206.835 - 62.3 * 7 / 4 - 2)
    assert (found.flesch, found.inflesz) == (None, "very easy")


@pytest.mark.parametrize(
    ("index", "name"), [(-20, "very hard"), (40, "rather hard"), (55, "normal"), (65, "rather easy"), (80, "very easy")]
)
def test_the_inflesz_scale(index: float, name: str) -> None:
    assert grade(index) == name


@given(st.integers(1, 50), st.integers(1, 9))
def test_longer_words_and_sentences_are_harder(words: int, each: int) -> None:
    size = TextSize(sentences=1, words=words, syllables=words * each, letters=words * each * 2)
    more = (words + 1) * (each + 1)
    longer = TextSize(sentences=1, words=words + 1, syllables=more, letters=more * 2)
    for formula in (fernandez_huerta, szigriszt, gutierrez):
        assert formula(longer) < formula(size)

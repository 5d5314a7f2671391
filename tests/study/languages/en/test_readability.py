from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.languages.en.readability import flesch, kincaid, measure, syllables
from trasmallo.study.languages.parts import TextSize

WORDS = {
    1: "the make makes walked used called seed why my",
    2: "table houses boxes wanted needed little being reading nation people language changes hopeless something apples handled",
    3: "library beautiful languages media radio serious obvious usual actual various",
    5: "university",
}
SIZE = TextSize(sentences=5, words=100, syllables=200, letters=500)


@pytest.mark.parametrize(("word", "number"), [(word, n) for n, words in WORDS.items() for word in words.split()])
def test_syllables(word: str, number: int) -> None:
    assert syllables(word) == number


@given(st.text(max_size=30))
def test_every_word_has_a_syllable(word: str) -> None:
    assert 1 <= syllables(word) <= max(2 * len(word), 1)


def test_formulas() -> None:
    assert flesch(SIZE) == pytest.approx(206.835 - 169.2 - 20.3)
    assert kincaid(SIZE) == pytest.approx(7.8 + 23.6 - 15.59)


def test_the_sentence_by_which_flesch_is_explained() -> None:
    """ "The cat sat on the mat.": six words of a syllable make 116."""
    found = measure(TextSize(sentences=1, words=6, syllables=6, letters=17))
    assert (found.syllables, found.flesch, found.inflesz) == (6, pytest.approx(116.145), None)
    assert found.kincaid == pytest.approx(-1.45)

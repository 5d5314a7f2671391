from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.measures import readability
from trasmallo.study.measures.readability import Readability, Size, grade, measure

# 100 words in 5 sentences with 200 syllables and 500 letters.
SIZE = Size(5, 100, 200, 500)


def test_spanish_formulas() -> None:
    assert readability.fernandez_huerta(SIZE) == pytest.approx(206.84 - 120 - 20.4)
    assert readability.szigriszt(SIZE) == pytest.approx(206.835 - 124.6 - 20)
    assert readability.gutierrez(SIZE) == pytest.approx(95.2 - 48.5 - 7)


def test_english_formulas() -> None:
    assert readability.flesch(SIZE) == pytest.approx(206.835 - 169.2 - 20.3)
    assert readability.kincaid(SIZE) == pytest.approx(7.8 + 23.6 - 15.59)


def test_the_sentence_by_which_flesch_is_explained() -> None:
    """ "The cat sat on the mat.": six words of a syllable make 116."""
    found = measure(Size(sentences=1, words=6, syllables=6, letters=17), "en")
    assert (found.syllables, found.flesch) == (6, pytest.approx(116.145))
    assert found.kincaid == pytest.approx(-1.45)


def test_a_spanish_text() -> None:
    found = measure(Size(sentences=2, words=4, syllables=7, letters=17), "es")
    assert found.syllables == 7
    assert found.szigriszt == pytest.approx(206.835 - 62.3 * 7 / 4 - 2)
    assert (found.flesch, found.inflesz) == (None, "very easy")


def test_a_language_that_no_formula_is_made_for() -> None:
    assert measure(SIZE, "fr") == Readability()
    assert measure(SIZE, "fr").inflesz == ""


@pytest.mark.parametrize(
    ("index", "name"), [(-20, "very hard"), (40, "rather hard"), (55, "normal"), (65, "rather easy"), (80, "very easy")]
)
def test_the_inflesz_scale(index: float, name: str) -> None:
    assert grade(index) == name


@given(st.integers(1, 50), st.integers(1, 9))
def test_longer_words_and_sentences_are_harder(words: int, syllables: int) -> None:
    size = Size(1, words, words * syllables, words * syllables * 2)
    longer = Size(1, words + 1, (words + 1) * (syllables + 1), (words + 1) * (syllables + 1) * 2)
    for formula in (readability.fernandez_huerta, readability.szigriszt, readability.gutierrez, readability.flesch):
        assert formula(longer) < formula(size)

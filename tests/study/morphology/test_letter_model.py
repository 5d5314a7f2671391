"""Which letters can stand where."""

from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study.morphology.letter_model import ALPHABET, AnyLetter, Letters, letters_of

FEW = Letters(["casa", "capa", "cosa", "as"])


def fitting(letters: Letters, word: str, place: int, *, instead: bool) -> str:
    """The letters that may stand before a place of a word, or instead of the one that is there."""
    written = np.array([[ord(letter) for letter in word]], np.uint64)
    around = letters.numbered(written, np.ones(written.shape, np.bool_))[0]
    behind = place + 1 if instead else place
    (found,) = letters.between(*(around[at : at + 1] for at in (place, place + 1, behind + 2, behind + 3)))
    return "".join(letter for letter, fits in zip(ALPHABET, found, strict=True) if fits)


def test_letters_are_those_between_the_same_neighbours() -> None:
    assert fitting(FEW, "caxa", 2, instead=True) == "sp"
    assert fitting(FEW, "cxsa", 1, instead=True) == "ao"
    assert fitting(FEW, "xxxx", 1, instead=True) == ""


def test_letters_at_both_ends() -> None:
    assert fitting(FEW, "asa", 0, instead=False) == "c"
    assert fitting(FEW, "cas", 3, instead=False) == "a"
    assert fitting(FEW, "casa", 4, instead=False) == ""


def test_shorter_words_end_where_they_do() -> None:
    written = np.array([[ord(letter) for letter in "caxa"]] * 2, np.uint64)
    around = FEW.numbered(written, np.array([[True] * 4, [True, True, False, False]]))
    assert around[1].tolist() == [*around[0, :4].tolist(), *[around[0, -1]] * 4]


@pytest.mark.parametrize("words", [["çñ", "ßa"], []])
def test_strange_letters_are_neighbours_and_never_proposed(words: list[str]) -> None:
    assert fitting(Letters(words), "çx", 1, instead=True) == ("ñ" if words else "")
    assert fitting(Letters(words), "xa", 0, instead=True) == ""


def test_a_language_without_a_model_lets_all_pass() -> None:
    assert isinstance(letters_of("und"), AnyLetter)
    assert fitting(letters_of("und"), "zzz", 1, instead=True) == fitting(letters_of("und"), "z", 0, instead=False) == ALPHABET
    assert len(ALPHABET) == 33


def test_spanish_letters() -> None:
    letters = letters_of("es")
    assert "i" in fitting(letters, "distuntas", 4, instead=True)
    assert "ñ" not in fitting(letters, "casta", 3, instead=True)
    assert letters is letters_of("es")

"""Which letters can stand where."""

from __future__ import annotations

from trasmallo.study.morphology.letters import AnyLetter, Letters, letters_of

FEW = Letters(["casa", "capa", "cosa", "as"])


def test_letters_are_those_between_the_same_neighbours() -> None:
    assert FEW.replacing("caxa", 2) == "sp"
    assert FEW.replacing("cxsa", 1) == "ao"
    assert FEW.replacing("xxxx", 1) == ""


def test_letters_at_both_ends() -> None:
    assert FEW.inserted("asa", 0) == "c"
    assert FEW.inserted("cas", 3) == "a"
    assert FEW.inserted("casa", 4) == ""


def test_a_language_without_a_model_lets_all_pass() -> None:
    assert isinstance(letters_of("und"), AnyLetter)
    assert letters_of("und").replacing("zzz", 1) == letters_of("und").inserted("", 0)
    assert len(letters_of("und").inserted("", 0)) == 33


def test_spanish_letters() -> None:
    letters = letters_of("es")
    assert "i" in letters.replacing("distuntas", 4)
    assert "ñ" not in letters.replacing("casta", 3)
    assert letters is letters_of("es")

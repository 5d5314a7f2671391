"""The words that mistakes were meant for."""

from __future__ import annotations

import pytest

from support.small_lexicon import small
from trasmallo.study.morphology.corrections import Frequencies, Mistakes, mistakes_of
from trasmallo.study.morphology.error_costs import error_costs
from trasmallo.study.morphology.letter_model import AnyLetter


def nearest(mistakes: Mistakes, word: str) -> str:
    """What one word is meant for."""
    return mistakes.nearest_of([word])[0]


def made(**limits: int) -> Mistakes:
    """Those of a small lexicon, in which `casar` is frequent."""
    return Mistakes(small(), AnyLetter(), error_costs("es"), Frequencies({"casar": 500}), **limits)


@pytest.fixture
def few() -> Mistakes:
    return made()


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("cancion", "canción"),
        ("cánción", "canción"),
        ("róbo", "robo"),
        ("modenro", "moderno"),
        ("alummna", "alumna"),
        ("milatar", "militar"),
        ("probble", "probable"),
        ("rovo", "robo"),
        ("moderno" * 4, ""),
        ("", ""),
    ],
)
def test_the_nearest_word(few: Mistakes, word: str, meant: str) -> None:
    assert nearest(few, word) == meant


def test_several_at_once_are_as_one_by_one(few: Mistakes) -> None:
    words = ["modenro", "cancion", "xx", "modenro", "probble", "", "alummna"]
    one_by_one = [nearest(few, word) for word in words]
    assert made(at_once=2, most=3).nearest_of(words) == one_by_one
    assert made().nearest_of([]) == []


def test_no_more_than_so_many_are_remembered() -> None:
    few = made(most=10)
    words = [word[:place] + word[place + 1 :] for word in ("peatonal", "probable", "moderno") for place in range(len(word))]
    held = [nearest(few, word) and len(few._known) for word in words]
    assert 10 < max(held) <= 11
    assert nearest(few, words[0]) == "peatonal"


def test_what_means_nothing_takes_no_room(few: Mistakes) -> None:
    assert nearest(few, "xyzxyzxyz") == ""
    assert len(few._known) == 0


def test_a_language_has_its_own_once() -> None:
    assert mistakes_of("es") is mistakes_of("es")
    assert nearest(mistakes_of("es"), "goviernos") == "gobiernos"
    assert nearest(mistakes_of("en"), "goverment") == "government"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("estava", "estaba"),
        ("desición", "decisión"),
        ("grasias", "gracias"),
        ("corason", "corazón"),
        ("sólamente", "solamente"),
    ],
)
def test_of_several_the_likeliest_is_meant(word: str, meant: str) -> None:
    assert nearest(mistakes_of("es"), word) == meant


def test_words_can_be_left_out(few: Mistakes) -> None:
    assert few.meant_by(["rovo"], lambda _word, form: form == "robo") == [None]
    (found,) = few.meant_by(["cassar"])
    assert found is not None
    assert (found.form, round(found.frequency, 1)) == ("casar", 6.2)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("telefno", "teléfono"),
        ("dificl", "difícil"),
        ("desicion", "decisión"),
        ("haciendose", "haciéndose"),
        ("lafunción", "la función"),
        ("lasexpansiones", "las expansiones"),
    ],
)
def test_two_errors_of_which_one_is_the_accent_or_a_blank(word: str, meant: str) -> None:
    assert nearest(mistakes_of("es"), word) == meant


def test_words_by_what_they_are_without_their_accent() -> None:
    frequencies = Frequencies({"teléfono": 9, "público": 5, "publico": 1, "té": 2}, ["difícil", "casa"])
    assert frequencies.accented() == {"telefono": "teléfono", "dificil": "difícil", "te": "té"}

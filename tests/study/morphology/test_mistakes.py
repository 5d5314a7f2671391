"""The words that mistakes were meant for."""

from __future__ import annotations

import pytest

from lexica import small
from trasmallo.study.morphology import mistakes
from trasmallo.study.morphology.letters import AnyLetter
from trasmallo.study.morphology.mistakes import Mistakes, mistakes_of


@pytest.fixture
def few() -> Mistakes:
    return Mistakes(small(), AnyLetter())


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
        ("rovo", ""),
        ("moderno" * 4, ""),
        ("", ""),
    ],
)
def test_the_nearest_word(few: Mistakes, word: str, meant: str) -> None:
    assert few.nearest(word) == meant


def test_several_at_once_are_as_one_by_one(few: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["modenro", "cancion", "xx", "modenro", "probble", "", "alummna"]
    one_by_one = [few.nearest(word) for word in words]
    monkeypatch.setattr(mistakes, "_AT_ONCE", 2)
    monkeypatch.setattr(mistakes, "_MOST_KNOWN", 3)
    assert Mistakes(small(), AnyLetter()).nearest_of(words) == one_by_one
    assert Mistakes(small(), AnyLetter()).nearest_of([]) == []


def test_no_more_than_so_many_are_remembered(few: Mistakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "_MOST_KNOWN", 10)
    for number in range(100):
        few.nearest(f"modenro{number}")
    assert len(few._known) <= 11


def test_a_language_has_its_own_once() -> None:
    assert mistakes_of("es") is mistakes_of("es")
    assert mistakes_of("es").nearest("goviernos") == "gobiernos"
    assert mistakes_of("en").nearest("goverment") == "government"

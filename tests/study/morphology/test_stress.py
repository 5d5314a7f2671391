from __future__ import annotations

import pytest

from trasmallo.study.morphology.stress import nuclei, stress


@pytest.mark.parametrize(
    ("word", "vowels"),
    [
        ("sentaos", ["e", "a", "o"]),
        ("vestíos", ["e", "í", "o"]),
        ("siguiendo", ["i", "ie", "o"]),
        ("quiere", ["ie", "e"]),
        ("guerra", ["e", "a"]),
        ("vergüenza", ["e", "üe", "a"]),
        ("ciudad", ["iu", "a"]),
        ("leía", ["e", "í", "a"]),
        ("pst", []),
    ],
)
def test_the_vowels_of_each_syllable(word: str, vowels: list[str]) -> None:
    assert nuclei(word) == vowels


@pytest.mark.parametrize(
    ("word", "place"),
    [("casa", 2), ("canción", 1), ("vámonos", 3), ("dándoselo", 4), ("papel", 1), ("joven", 2), ("da", 1), ("", 1)],
)
def test_the_stressed_syllable_from_the_end(word: str, place: int) -> None:
    assert stress(word) == place

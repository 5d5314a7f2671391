from __future__ import annotations

import re

import pytest

from trasmallo.study.query.character_sets import LAST, inverted, named, single, united, widened


def holds(ranges: tuple[tuple[int, int], ...], letter: str) -> bool:
    return any(low <= ord(letter) <= high for low, high in ranges)


@pytest.mark.parametrize("name", list("dwsDWS"))
def test_named_sets_are_pythons(name: str) -> None:
    ranges = named(name)
    assert all(holds(ranges, letter) == bool(re.match(f"\\{name}", letter)) for letter in "aZñ9_ \n-٣日µ½")


def test_ranges_are_united_and_inverted() -> None:
    assert united([(5, 7), (1, 2), (3, 4), (9, 9)]) == ((1, 7), (9, 9))
    assert inverted(((0, 3), (9, LAST))) == ((4, 8),)
    assert inverted(inverted(((4, 8),))) == ((4, 8),)


def test_case_and_accents_widen_a_set() -> None:
    assert {chr(low) for low, _ in widened(single("ñ"), case=True, accents=False)} == {"ñ", "Ñ"}
    accents = widened(single("é"), case=False, accents=True)
    assert all(holds(accents, letter) for letter in "eéèêë")
    assert not holds(accents, "E")
    assert widened(((0, LAST),), case=True, accents=True) == ((0, LAST),)

"""Words that are written nearly alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.index.spelling import distance, near_terms

KNOWN = {"casa": 9, "cosa": 20, "caso": 3, "masa": 1, "cansa": 2, "casita": 4, "perro": 7}
words = st.text(alphabet="abc", max_size=6)


def near(term: str, most: int) -> list[tuple[str, int, int]]:
    def listing(beginning: str, limit: int) -> list[tuple[str, int]]:
        return [(word, number) for word, number in KNOWN.items() if word.startswith(beginning)][:limit]

    return near_terms(term, most, lambda term: KNOWN.get(term, 0), listing)


def test_the_nearest_come_first_then_the_most_frequent() -> None:
    assert near("casa", 1) == [("cosa", 1, 20), ("caso", 1, 3), ("cansa", 1, 2), ("masa", 1, 1)]
    assert near("caisa", 2)[0] == ("casa", 1, 9)
    assert ("casita", 2, 4) in near("casa", 2)


@pytest.mark.parametrize("term", ["", "a", "x" * 40])
def test_too_short_or_long_for_a_mistake(term: str) -> None:
    assert near(term, 2) == []


@pytest.mark.parametrize(
    ("one", "other", "far"), [("casa", "casa", 0), ("casa", "csaa", 1), ("casa", "asa", 1), ("casa", "perro", 3)]
)
def test_distance(one: str, other: str, far: int) -> None:
    assert distance(one, other, 2) == far


@given(words, words)
def test_distance_is_the_same_both_ways_and_bounded_by_the_lengths(one: str, other: str) -> None:
    far = distance(one, other, 9)
    assert far == distance(other, one, 9)
    assert abs(len(one) - len(other)) <= far <= max(len(one), len(other))
    assert (far == 0) == (one == other)

"""The textbook's own examples (4.2.2, GOV2)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.estimates import (
    by_cooccurrence,
    by_independence,
    by_share,
    relative_error,
    size_from_pair,
    size_from_pairs,
)

N = 25_205_179
ALONE = {"tropical": 120_990, "fish": 1_131_855, "aquarium": 26_480, "breeding": 81_885}
TOGETHER = {
    frozenset(pair.split()): number
    for pair, number in {
        "tropical fish": 18_472,
        "tropical aquarium": 1_921,
        "tropical breeding": 5_510,
        "fish aquarium": 9_722,
        "fish breeding": 36_427,
        "aquarium breeding": 1_848,
    }.items()
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tropical fish", 5_433),
        ("tropical aquarium", 127),
        ("tropical breeding", 393),
        ("fish aquarium", 1_189),
        ("fish breeding", 3_677),
        ("aquarium breeding", 86),
        ("tropical fish aquarium", 6),
        ("tropical fish breeding", 18),
    ],
)
def test_table_4_6(words: str, expected: int) -> None:
    assert round(by_independence([ALONE[word] for word in words.split()], N)) == expected


@pytest.mark.parametrize(("words", "expected"), [("tropical fish aquarium", 705), ("tropical fish breeding", 2_451)])
def test_cooccurrence(words: str, expected: int) -> None:
    assert round(by_cooccurrence({word: ALONE[word] for word in words.split()}, TOGETHER, N)) == expected


def test_two_words_are_exact_and_one_is_itself() -> None:
    assert by_cooccurrence({word: ALONE[word] for word in ("fish", "breeding")}, TOGETHER, N) == 36_427
    assert by_cooccurrence({"fish": 5}, {}, 10) == 5
    assert by_cooccurrence({}, {}, 10) == 10


def test_share_of_the_shortest_list() -> None:
    assert round(by_share(258, 3_000 / 26_480)) == 2_277
    assert by_share(0, 0.0) == 0


def test_collection_size_from_a_pair() -> None:
    assert round(size_from_pair(120_990, 771_326, 3_018)) == 30_922_045
    assert size_from_pair(5, 5, 0) == 0
    assert by_independence([3], 0) == 0


@given(st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=30))
def test_all_pairs_are_counted_by_the_words_of_each_document(documents: list[set[int]]) -> None:
    frequencies = [sum(word in document for document in documents) for word in range(10)]
    pairs = list(combinations(range(10), 2))
    together = sum(sum({one, other} <= document for document in documents) for one, other in pairs)
    expected = sum(frequencies[one] * frequencies[other] for one, other in pairs)
    found = size_from_pairs(frequencies, [len(document) for document in documents])
    assert found == pytest.approx(expected / together if together else 0.0)


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=5))
def test_no_more_than_the_rarest_word_is_expected(frequencies: list[int]) -> None:
    assert by_independence(frequencies, 1_000) <= min(frequencies) + 1e-9


def test_errors() -> None:
    assert relative_error(80, 100) == pytest.approx(0.2)
    assert relative_error(0, 0) == 0
    assert relative_error(3, 0) == 1

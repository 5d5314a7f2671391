from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.copies import discovery
from trasmallo.clean.copies.discovery import COMPARED, Pairs, Shares
from trasmallo.clean.copies.shingles import Places


def entries(keys: list[int], texts: list[int]) -> discovery.Entries:
    return discovery.file(np.array(keys, dtype=np.uint64) << np.uint64(32), np.array(texts, dtype=np.intp))


def listed(found: tuple[Places, Places]) -> set[tuple[int, int]]:
    return set(zip(found[0].tolist(), found[1].tolist(), strict=True))


def pairs_of(*rows: tuple[int, int, float]) -> Pairs:
    first, second, similarity = (np.array(column) for column in zip(*rows, strict=True))
    return Pairs(first, second, similarity)


@given(st.lists(st.integers(0, 6), max_size=30))
def test_those_who_share_a_key_are_neighbours(keys: list[int]) -> None:
    texts = list(range(len(keys)))
    ranks = [keys[:text].count(key) for text, key in enumerate(keys)]
    expected = {(a, b) for a, b in combinations(texts, 2) if keys[a] == keys[b] and ranks[a] < COMPARED}

    assert listed(discovery.neighbours(entries(keys, texts))) == expected


@given(st.lists(st.integers(0, 6), max_size=15), st.lists(st.integers(0, 6), max_size=15))
def test_those_who_share_a_key_across_two_sets(older: list[int], newer: list[int]) -> None:
    expected = {(a, b) for a, one in enumerate(older) for b, other in enumerate(newer) if one == other}

    found = discovery.shared(entries(older, list(range(len(older)))), entries(newer, list(range(len(newer)))))

    assert listed(found) == expected


def test_a_crowd_is_compared_with_its_first() -> None:
    first, second = discovery.neighbours(entries([3] * 10_000, list(range(10_000))))

    assert set(first.tolist()) == set(range(COMPARED))
    assert set(second.tolist()) == set(range(1, 10_000))
    crowded, _ = discovery.shared(entries([3] * 100, list(range(100))), entries([3], [200]))
    assert crowded.tolist() == list(range(COMPARED))


def test_candidates_are_compared_once_and_those_below_left_out() -> None:
    asked: list[tuple[int, int]] = []

    def compare(one: Places, other: Places) -> Shares:
        asked.extend(zip(one.tolist(), other.tolist(), strict=True))
        return np.array(one * 10 + other) / 100.0

    candidates = [(np.array([5, 1, 2, 2]), np.array([6, 0, 3, 2])), (np.array([6]), np.array([5]))]
    found = discovery.compare_all(iter(candidates), compare, 0.2)

    assert sorted(asked) == [(0, 1), (2, 3), (5, 6)]
    assert [column.tolist() for column in found] == [[2, 5], [3, 6], [0.23, 0.56]]


def test_the_first_of_each_digest_and_halves_shared_by_chance() -> None:
    digests = np.array([[7, 1], [8, 1], [7, 1], [7, 2], [8, 1]], dtype=np.uint64)

    assert discovery.firsts_of(digests).tolist() == [0, 1, 0, 3, 1]
    assert discovery.firsts_of(digests[:0]).tolist() == []


def test_exact_copies_join_near_ones_in_order() -> None:
    found = discovery.with_exact(np.array([0, 1, 0, 3]), pairs_of((1, 3, 0.5), (0, 1, 0.6)))

    assert list(zip(*(column.tolist() for column in found), strict=True)) == [(0, 1, 0.6), (0, 2, 1.0), (1, 3, 0.5)]


def test_pairs_are_expanded_to_all_that_are_the_same() -> None:
    found = discovery.expand(pairs_of((0, 2, 1.0), (0, 5, 1.0), (1, 4, 1.0), (1, 2, 0.5), (3, 4, 0.6)))

    assert [(pair.first, pair.second) for pair in found if pair.similarity == 1.0] == [(0, 2), (0, 5), (1, 4), (2, 5)]
    near = discovery.expand(pairs_of((0, 2, 1.0), (0, 1, 0.5), (1, 4, 1.0)))
    assert [tuple(pair) for pair in near if pair.similarity < 1] == [(0, 1, 0.5), (0, 4, 0.5), (1, 2, 0.5), (2, 4, 0.5)]
    assert list(discovery.expand(Pairs(np.zeros(0, int), np.zeros(0, int), np.zeros(0)))) == []


def test_a_crowd_of_the_same_is_not_expanded() -> None:
    crowd = [(0, number, 1.0) for number in range(1, 1_000)]

    assert [tuple(pair) for pair in discovery.expand(pairs_of(*crowd))] == crowd


def test_the_first_represents_a_group_and_the_most_alike_is_taken() -> None:
    original, similarity = discovery.originals(pairs_of((0, 3, 0.6), (1, 3, 0.8), (0, 2, 0.7)), 5)

    assert original == [0, 1, 0, 1, 4]
    assert similarity == [1.0, 1.0, 0.7, 0.8, 1.0]


def test_likeness_is_not_passed_on_but_sameness_is() -> None:
    original, similarity = discovery.originals(pairs_of((0, 1, 0.5), (1, 2, 0.5), (1, 3, 1.0)), 4)

    assert original == [0, 0, 2, 0]
    assert similarity == [1.0, 0.5, 1.0, 0.5]

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.measures.dispersion import dp, dp_norm, juilland


def test_juilland() -> None:
    assert juilland([5, 5], [100, 100], 2) == pytest.approx(1.0)
    assert juilland([5], [100], 4) == pytest.approx(0.0)
    assert juilland([1, 2, 3, 4, 5], [10] * 5, 5) == pytest.approx(1 - (2**0.5 / 3) / 2)
    assert juilland([5], [100], 1) is None


def test_dp_of_gries_example() -> None:
    # Gries (2008), section 3.1: five parts of 9, 10, 10, 10, 11 words, the word occurs 1, 2, 3, 4, 5 times in them.
    assert dp([1, 2, 3, 4, 5], [9, 10, 10, 10, 11], 50) == pytest.approx(0.18, abs=0.001)
    assert dp([3], [10], 1000) == pytest.approx(0.99)
    assert dp([1, 1], [10, 10], 20) == pytest.approx(0.0)


def test_dp_norm_of_gries_example() -> None:
    # The same example: the smallest part has 9 of 50 words.
    assert dp_norm(0.18, 9, 50) == pytest.approx(0.18 / 0.82)
    assert dp_norm(0.0, 50, 50) == 0.0


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(20, 100)), min_size=2, max_size=8))
def test_measures_keep_to_their_range(parts: list[tuple[int, int]]) -> None:
    there = [(count, size) for count, size in parts if count]
    counts, sizes = [count for count, _ in there], [size for _, size in there]
    total, smallest = sum(size for _, size in parts), min(size for _, size in parts)
    even = juilland(counts, sizes, len(parts))
    assert even is not None
    assert 0 <= even <= 1.0000001
    if counts:
        assert 0 <= dp(counts, sizes, total) <= dp_norm(dp(counts, sizes, total), smallest, total) <= 1


@given(st.lists(st.integers(1, 100), min_size=2, max_size=8), st.integers(1, 9))
def test_a_word_in_proportion_is_spread_evenly(sizes: list[int], share: int) -> None:
    counts = [share * size for size in sizes]
    assert juilland(counts, [10 * size for size in sizes], len(sizes)) == pytest.approx(1, abs=1e-6)
    assert dp(counts, sizes, sum(sizes)) == pytest.approx(0, abs=1e-9)

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.grouping import group, ordered

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), max_size=40)


@given(ROWS, st.integers(1, 3))
def test_groups_are_the_rows_that_are_equal(rows: list[tuple[int, int, int]], least: int) -> None:
    one, other, value = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    values = np.sort(value)
    groups = group([one, other])
    expected: dict[tuple[int, int], list[int]] = {}
    for place, row in enumerate(rows):
        expected.setdefault(row[:2], []).append(place)
    members = [expected[key] for key in sorted(expected)]
    found = [groups.order[begin : begin + count].tolist() for begin, count in zip(groups.begins, groups.counts, strict=True)]
    assert found == members
    large = groups.at_least(least)
    kept = [places for places in members if len(places) >= least]
    assert large.first.tolist() == [places[0] for places in kept]
    assert large.examples(2).tolist() == [[*places, -1][:2] for places in kept]
    assert large.distinct(values).tolist() == [len({values[place] for place in places}) for places in kept]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1 << 60)), max_size=20), st.integers(0, 60))
def test_rows_are_ordered_as_they_are_whether_they_fit_into_a_word_or_not(rows: list[tuple[int, int]], less: int) -> None:
    one, other = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    other >>= less
    pairs = list(zip(one.tolist(), other.tolist(), strict=True))
    assert ordered([one, other]).tolist() == sorted(range(len(rows)), key=pairs.__getitem__)

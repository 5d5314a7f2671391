from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.tokens.streams import ODD, placed, places

PLACES = st.lists(st.tuples(st.integers(-5, 600), st.integers(0, 40), st.integers(0, 40)), max_size=20)


@given(PLACES)
def test_places_come_back(rows: list[tuple[int, int, int]]) -> None:
    starts = np.cumsum(np.array([row[0] for row in rows], dtype=np.int64))
    lengths = np.array([row[1] for row in rows], dtype=np.int64)
    usual = np.array([row[2] for row in rows], dtype=np.int64)
    found = places(*placed(starts, lengths, usual), usual)
    assert [column.tolist() for column in found] == [starts.tolist(), (starts + lengths).tolist()]


def test_only_odd_places_are_told_in_full() -> None:
    whole = np.array([0, 254, 509, 510], dtype=np.int64)
    lengths = np.array([4, 4, 4, 5], dtype=np.int64)
    steps, odd = placed(whole, lengths, np.full(4, 4))
    assert steps.tolist() == [0, 254, ODD, ODD]
    assert (odd.token.tolist(), odd.step.tolist(), odd.length.tolist()) == ([2, 3], [255, 1], [4, 5])

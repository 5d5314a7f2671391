from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.tokens.wordtypes import ATTRIBUTES, Types, _in_order

ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 5, st.integers(1, 3)), max_size=20)


@given(ROWS)
def test_equal_types_become_one_and_are_in_the_order_of_their_words(rows: list[tuple[int, ...]]) -> None:
    texts = {name: [b"a", b"b", b"c"] for name in ATTRIBUTES}
    numbers = np.array([row[:5] for row in rows], dtype=np.uint32).reshape(-1, 5).T
    types = Types(texts, numbers, np.array([row[5] for row in rows], dtype=np.int64))
    totals: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        totals[row[:5]] += row[5]
    assert sorted(types.counts.tolist()) == sorted(totals.values())
    names = [types.lexicons[name].number for name in ATTRIBUTES]
    for row, number in zip(rows, types.number.tolist(), strict=True):
        assert types.rows[:, number].tolist() == [name[place] for name, place in zip(names, row[:5], strict=True)]
        assert types.counts[number] == totals[row[:5]]
    assert sorted(types.rows[0].tolist()) == types.rows[0].tolist()
    assert len(set(types.number.tolist())) == len(types) == len(totals)


def test_types_that_one_number_cannot_hold_are_in_the_same_order() -> None:
    numbers = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [2**31, 5, 2**30, 5], [2**32 - 1, 7, 3, 7]], dtype=np.uint32)
    assert _in_order(numbers).tolist() == _in_order(np.minimum(numbers, 8)).tolist() == [1, 3, 2, 0]

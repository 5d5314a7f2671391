from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import cooccurrence
from trasmallo.study.sequence_bounds import Bounds

CATEGORIES = st.lists(st.integers(0, 3), max_size=40)
CUTS = st.sets(st.integers(1, 39), max_size=5)


@pytest.mark.parametrize("at_once", [3, 1 << 20])
@settings(max_examples=80, deadline=None)
@given(drawn=CATEGORIES, cuts=CUTS, reach=st.integers(1, 4))
def test_what_follows_what_in_a_sentence(at_once: int, drawn: list[int], cuts: set[int], reach: int) -> None:
    sentences = np.array(sorted(cut for cut in cuts if cut < len(drawn)), dtype=np.int64)
    bounds, column = Bounds(np.array([0, len(drawn)]), sentences), np.array(drawn, dtype=np.uint8)
    expected = np.zeros((reach, 4, 4), dtype=np.int64)
    for place, one in enumerate(drawn):
        for distance in range(1, reach + 1):
            if place + distance < len(drawn) and not any(place < cut <= place + distance for cut in cuts):
                expected[distance - 1, one, drawn[place + distance]] += 1
    groups = np.split(column, sentences)
    shared = [[sum(one in group and other in group for group in groups) for other in range(4)] for one in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrence, "AT_ONCE", at_once)
        assert cooccurrence.follow(column, 4, bounds, reach).tolist() == expected.tolist()
        assert cooccurrence.share_sentences(column, 4, bounds).tolist() == shared


def test_a_matrix_as_contingency_tables() -> None:
    table = cooccurrence.as_table(np.array([[4, 0], [1, 5]]))
    assert (table.joint.tolist(), table.first.tolist(), table.second.tolist()) == ([4, 1, 5], [4, 6, 6], [5, 5, 5])
    assert table.total == 10

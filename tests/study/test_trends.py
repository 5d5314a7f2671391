"""Significance and intervals of trends, against their definitions and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.trends import adjusted, interval, probabilities


def test_probabilities_are_those_of_tables_of_student() -> None:
    found = probabilities(np.array([0.0, 2.776, -2.776, 1.96]), np.array([4.0, 4.0, 4.0, 1e9]))
    assert found == pytest.approx([1.0, 0.05, 0.05, 0.05], abs=1e-4)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_correction_is_that_of_benjamini_and_hochberg(drawn: list[float]) -> None:
    ranked = sorted(drawn)
    wanted = [
        min(1.0, *(ranked[rank - 1] * len(drawn) / rank for rank in range(1, len(drawn) + 1) if ranked[rank - 1] >= p), 1.0)
        for p in drawn
    ]
    found = adjusted(np.array(drawn))
    assert found.tolist() == pytest.approx(wanted)
    assert all(q >= p for p, q in zip(drawn, found.tolist(), strict=True))


def test_intervals_are_garwoods() -> None:
    assert interval(0, 1_000_000) == pytest.approx((0.0, 3.688879), abs=1e-5)
    assert interval(10, 1_000_000) == pytest.approx((4.795389, 18.390356), abs=1e-5)
    assert interval(10, 1_000_000, 0.2) == interval(10, 1_000_000)
    assert interval(0, 0) == (0.0, 0.0)


def test_what_documents_repeat_widens_the_interval() -> None:
    low, high = interval(10, 1_000_000, 5.0)
    assert low < 4.7953 < 10 < 18.3904 < high
    assert interval(2, 200_000) == pytest.approx((low, high))

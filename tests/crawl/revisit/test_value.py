"""What a visit is worth: Whittle's index where only time passed, and in one order with age."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.revisit.age import expected_age, visit_value
from trasmallo.crawl.revisit.rates import RATES
from trasmallo.crawl.revisit.value import worth

SHARES = np.eye(len(RATES), dtype=np.float32)


@pytest.mark.parametrize("days", [0.5, 3, 30, 300])
def test_with_nothing_but_time_it_is_the_index_of_the_rate(days: float) -> None:
    assert worth(SHARES, expected_age(RATES, days)) == pytest.approx(visit_value(RATES, days), rel=0.05)


@given(st.lists(st.floats(0, 1e4), min_size=2, max_size=20), st.integers(0, len(RATES) - 1))
def test_an_older_copy_is_worth_more(ages: list[float], rate: int) -> None:
    found = worth(np.repeat(SHARES[rate : rate + 1], len(ages), axis=0), np.sort(np.array(ages)))
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) >= 0)


def test_of_two_copies_of_one_age_that_of_the_quieter_page_is_worth_more() -> None:
    """A visit to it lasts longer."""
    found = worth(SHARES, np.full(len(RATES), 5.0))
    assert np.all(np.diff(found) < 0)


@given(st.integers(1, 700), st.floats(0.01, 1e3))
def test_equal_pages_are_worth_the_same_wherever_they_stand(pages: int, age: float) -> None:
    """A product of matrices would round the last rows otherwise than the first."""
    shares = np.repeat(np.random.default_rng(pages).dirichlet(np.ones(len(RATES)), 1), pages, axis=0).astype(np.float32)
    assert len(set(worth(shares, np.full(pages, age)).tolist())) == 1

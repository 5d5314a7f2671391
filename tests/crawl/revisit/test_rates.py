"""Rates from visits: what visits say, what neighbours say, and how sure it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.revisit import rates
from trasmallo.crawl.revisit.rates import RATES, Priors

FLAT = np.full((1, len(RATES)), 1 / len(RATES), np.float32)


def after(visits: list[tuple[float, bool]]) -> np.ndarray:
    likelihoods = rates.unseen(1)
    for days, changed in visits:
        likelihoods = rates.observed(likelihoods, np.array([days]), np.array([changed]))
    return rates.posterior(likelihoods, FLAT)[0]


def test_the_rate_of_a_page_is_found_from_irregular_visits() -> None:
    chance = np.random.default_rng(7)
    for true in (0.01, 0.1, 1.0):
        times = chance.gamma(1, 1 / true, 300)
        visits = [(days, bool(chance.random() < -np.expm1(-true * days))) for days in times]
        mean, low, high = rates.credible(after(visits)[None])[0]
        assert mean == pytest.approx(true, rel=0.35)
        assert low < true < high


@given(st.lists(st.tuples(st.floats(1e-5, 2e3), st.booleans()), max_size=60))
def test_a_distribution_is_one_whatever_was_seen(visits: list[tuple[float, bool]]) -> None:
    shares = after(visits)
    mean, low, high = rates.credible(shares[None])[0]
    assert shares.sum() == pytest.approx(1, abs=1e-3)
    assert np.all(np.isfinite(shares))
    assert 0 < low <= mean <= high


@given(st.lists(st.tuples(st.floats(0.1, 100), st.booleans()), max_size=20), st.floats(0.1, 100))
def test_a_change_raises_the_rate_and_none_lowers_it(visits: list[tuple[float, bool]], days: float) -> None:
    before = after(visits) @ RATES
    assert after([*visits, (days, True)]) @ RATES >= before * 0.98
    assert after([*visits, (days, False)]) @ RATES <= before * 1.02


def test_a_date_says_more_than_an_interval() -> None:
    early, late = (rates.dated(rates.unseen(1), np.array([since])) for since in (90.0, 1.0))
    assert rates.posterior(late, FLAT) @ RATES > rates.posterior(early, FLAT) @ RATES


def test_a_large_group_is_judged_by_itself_and_a_small_one_by_the_collection() -> None:
    priors = Priors()
    large, small = priors.add_rows(np.array([0, 0]))
    (part,) = priors.add_rows(np.array([large]))
    sums, pages = np.zeros((4, len(RATES))), np.array([0, 1000, 2, 1])
    sums[large, 3], sums[small, 12], sums[part, 12] = 1000, 2, 1
    priors.fit(sums, pages)
    assert priors.rows[large, 3] > 0.98
    assert 0.1 < priors.rows[small, 12] < 0.3
    assert 0.05 < priors.rows[part, 12] < 0.2, "behind a part stands its site"
    assert np.allclose(priors.rows.sum(axis=1), 1, atol=1e-3)
    assert priors.nbytes > 0

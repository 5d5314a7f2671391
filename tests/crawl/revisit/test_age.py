"""Expected age and freshness against the textbook's figures, their integrals, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.revisit import age

RATES = st.floats(1e-6, 1e4)
DAYS = st.floats(1e-3, 5e3)


@pytest.mark.parametrize(("days", "expected"), [(0, 0), (1, 0.068), (3, 0.560), (7, 2.575), (14, 7.947)])
def test_the_figure_of_the_textbook(days: float, expected: float) -> None:
    assert age.expected_age(1 / 7, days) == pytest.approx(expected, abs=5e-4)


def test_a_page_that_hardly_changes_has_hardly_an_age() -> None:
    assert age.expected_age(1e-12, 10) == pytest.approx(5e-11, rel=1e-9)
    assert age.expected_age(0, 10) == 0
    assert age.mean_age(1e-12, 10) == pytest.approx(1e-10 / 6, rel=1e-9)
    assert age.visit_value(1e-12, 10) == pytest.approx(1e-9 / 3, rel=1e-9)


def test_a_page_that_changes_every_minute_is_as_old_as_its_copy() -> None:
    assert age.expected_age(1440, 9) == pytest.approx(9 - 1 / 1440)
    assert age.expected_freshness(1440, 9) == pytest.approx(0)


@given(RATES, DAYS)
def test_series_and_closed_form_meet(rate: float, days: float) -> None:
    edge = age._SERIES_BELOW / rate
    for function in (age.expected_age, age.mean_age, age.mean_freshness, age.visit_value):
        assert function(rate, edge * (1 - 1e-9)) == pytest.approx(float(function(rate, edge * (1 + 1e-9))), rel=1e-6)


@given(RATES, DAYS)
def test_age_lies_between_nothing_and_the_time_since_the_visit(rate: float, days: float) -> None:
    assert 0 < age.expected_age(rate, days) <= days
    assert 0 < age.mean_age(rate, days) <= days / 2
    assert 0 <= age.expected_freshness(rate, days) <= age.mean_freshness(rate, days) <= 1


@given(RATES, DAYS)
def test_means_are_integrals(rate: float, days: float) -> None:
    times = (np.arange(2_000) + 0.5) * days / 2_000
    ages = age.expected_age(rate, times)
    assert age.mean_age(rate, days) == pytest.approx(ages.mean(), rel=2e-3)
    value = days * float(age.expected_age(rate, days)) - ages.mean() * days
    assert age.visit_value(rate, days) == pytest.approx(value, rel=1e-2, abs=1e-12)


@given(RATES, DAYS, st.floats(1.01, 3))
def test_waiting_costs_more_and_more(rate: float, days: float, factor: float) -> None:
    assert age.expected_age(rate, days * factor) > age.expected_age(rate, days)
    assert age.visit_value(rate, days * factor) > age.visit_value(rate, days)
    assert age.expected_age(rate * factor, days) >= age.expected_age(rate, days)


def test_the_best_plan_is_better_than_others_and_gives_up_no_page() -> None:
    rates = np.array([1e-4, 1 / 365, 1 / 30, 1 / 7, 1, 24, 1440])
    best = age.best_periods(rates, 0.5)
    assert (1 / best).sum() == pytest.approx(0.5, rel=1e-6)
    assert np.all(np.diff(best) < 0), "the more it changes, the sooner"
    assert best.max() < 1_000
    assert age.collection_age(rates, best) < age.collection_age(rates, len(rates) / 0.5)
    shares = rates / rates.sum()
    assert age.collection_age(rates, best) < age.collection_age(rates, 1 / (0.5 * shares))
    chance = np.random.default_rng(4)
    for _ in range(20):
        other = best * np.exp(chance.normal(0, 0.2, len(best)))
        other *= (1 / other).sum() / 0.5
        assert age.collection_age(rates, other) >= age.collection_age(rates, best) * (1 - 1e-9)


def test_a_collection_without_pages() -> None:
    assert age.collection_age([], []) == 0
    assert age.collection_freshness([], []) == 1
    assert age.collection_freshness([0.0, 1e9], 1) == pytest.approx(0.5)

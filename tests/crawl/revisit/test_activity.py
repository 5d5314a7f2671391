"""Busy days of sites: found from visits, told to who was not visited since, forgotten in time."""

from __future__ import annotations

import numpy as np
import pytest

from trasmallo.crawl.revisit.activity import WINDOW, Activity
from trasmallo.crawl.revisit.age import expected_age
from trasmallo.crawl.revisit.rates import RATES

NOW = 1_000.5


def busy() -> Activity:
    """Two sites, seen until day 1000; half of the pages of the first changed on day 990."""
    activity = Activity()
    activity.advance(NOW)
    activity.add_rows(2)
    chance = np.random.default_rng(3)
    for begin in chance.uniform(970, 1_000, 200):
        end = min(begin + 5, NOW)
        changes = float(begin < 990 < end) / 5 * (chance.random() < 0.5)
        rows = np.array([0, 1])
        activity.learn(rows, np.full(2, begin), np.full(2, end), np.full(2, 0.01), np.array([changes, 0.0]))
    return activity


def test_a_burst_is_found_and_a_quiet_site_is_quiet() -> None:
    activity = busy()
    day, level = activity.busiest(0, 970)
    assert abs(day - 990) <= 2
    assert level > 3
    assert activity.busiest(1, 970)[1] < 1
    assert activity.busiest(0, 998)[1] < 1, "who was seen since does not care"


def test_own_time_runs_faster_in_a_burst() -> None:
    activity = busy()
    rows = np.array([0, 1, -1, 0])
    begins, ends = np.array([980.0, 980, 980, 600]), np.array([1_000.0, 1_000, 1_000, 700])
    fast, slow, none, before = activity.own_time(rows, begins, ends)
    assert fast > 25 > none > slow
    assert none == 20
    assert before == pytest.approx(100), "days that are not known are ordinary"


def test_ages_of_ordinary_days_are_those_of_the_textbook() -> None:
    activity = Activity()
    activity.advance(NOW)
    activity.add_rows(1)
    ages = activity.ages(slice(0, 1), NOW)[0]
    days = NOW - np.arange(activity.first_day, activity.today + 1)
    assert ages[:-1] == pytest.approx(expected_age(RATES, days[:, None]), rel=1e-3, abs=1e-5)
    assert not ages[-1].any()


def test_a_burst_makes_older_copies_older_and_no_others() -> None:
    activity = busy()
    busy_ages, quiet_ages = activity.ages(slice(0, 2), NOW)
    early, late = 980 - activity.first_day, 997 - activity.first_day
    assert busy_ages[early, 5] > 1.5 * quiet_ages[early, 5]
    assert busy_ages[late, 5] < 1.2 * quiet_ages[late, 5]


def test_days_pass_out_of_the_window() -> None:
    activity = busy()
    activity.advance(990 + WINDOW - 3)
    assert activity.busiest(0, 0)[1] > 3
    activity.advance(NOW)
    assert activity.busiest(0, 0)[1] > 3, "an earlier moment takes nothing back"
    activity.advance(990 + 3 * WINDOW)
    assert activity.busiest(0, 0)[1] == 1
    assert activity.nbytes == 2 * 1_600
    assert len(activity) == 2


def test_a_change_with_a_date_counts_on_its_day() -> None:
    activity = Activity()
    activity.advance(NOW)
    activity.add_rows(1)
    activity.mark(np.array([0, 0, -1, 0]), np.array([995.7, 995.2, 995.0, 3.0]))
    assert activity.busiest(0, 990)[0] == 995

"""The age of copies as visits measure it; whole collections are in journey/test_collection.py."""

from __future__ import annotations

import pytest

from trasmallo.crawl.revisit.visits import Finding, Visit
from trasmallo.pipeline.freshness import MeasuredAge, measured_age

DAY = 86_400.0
URL = "http://a.es/"


def test_a_copy_was_out_of_date_since_the_server_says_or_half_of_the_time() -> None:
    visits = [
        Visit(URL, 0.0, Finding.NEW),
        Visit(URL, 4 * DAY, Finding.UNCHANGED),
        Visit(URL, 8 * DAY, Finding.CHANGED, modified=7 * DAY),
        Visit(URL, 9 * DAY, Finding.FAILED),
        Visit(URL, 10 * DAY, Finding.CHANGED),
    ]
    found = measured_age(visits)
    assert found.visits == 3
    assert found.fresh == pytest.approx(1 / 3)
    assert found.age == pytest.approx((0 + 1 + 1) / 3)


def test_a_date_before_the_last_visit_is_no_date_of_this_change() -> None:
    visits = [Visit(URL, 10 * DAY, Finding.NEW), Visit(URL, 14 * DAY, Finding.CHANGED, modified=DAY)]
    assert measured_age(visits).age == pytest.approx(2.0)


def test_nothing_is_measured_before_a_page_was_visited_again() -> None:
    assert measured_age([Visit(URL, 0.0, Finding.NEW)]) == MeasuredAge()

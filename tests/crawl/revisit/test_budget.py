"""Budgets as they are typed, and what they allow."""

from __future__ import annotations

import pytest

from trasmallo.crawl.revisit.budget import Budget, parse_budget, parse_duration, usual_budget
from trasmallo.values.errors import UsageError

DAY = 86_400.0


def test_a_number_is_for_now_and_a_rate_for_the_time_that_passed() -> None:
    now = 10 * DAY
    assert parse_budget("500") == Budget(500)
    assert parse_budget(" 500/day ") == Budget(500, per_day=True)
    assert Budget(500).due(now, now) == 500
    daily = Budget(500, per_day=True)
    assert daily.due(None, now) == 500
    assert daily.due(now - DAY / 2, now) == 250
    assert daily.due(now - 30 * DAY, now) == 500
    assert daily.due(now + DAY, now) == 0


@pytest.mark.parametrize("text", ["", "0", "-1", "many", "500/week", "1e9", "9" * 12])
def test_what_is_no_budget_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="write a number of visits"):
        parse_budget(text)


def test_lengths_of_time() -> None:
    assert [parse_duration(text) for text in ("90m", "12h", "7d", "0.5d")] == [5_400, 43_200, 7 * DAY, DAY / 2]
    for text in ("", "7", "0h", "-1d", "7 weeks"):
        with pytest.raises(UsageError, match="write minutes, hours or days"):
            parse_duration(text)


def test_without_a_budget_a_part_of_the_collection_is_visited() -> None:
    assert usual_budget(30_000) == Budget(1_000, per_day=True)
    assert usual_budget(3) == Budget(100, per_day=True)

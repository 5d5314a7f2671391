"""The plan by URL: from visits and hints to planned visits with reasons."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.crawl.revisit.collection import DAY, RevisitPlan
from trasmallo.crawl.revisit.visits import Finding, Hint, Source, Visit

BEGIN = 1_700_000_000.0


def url(number: int) -> str:
    return f"https://site{number % 2}.example/{number}"


def history() -> list[Visit]:
    """Thirty pages, seen daily for three weeks; number 4 changes every day."""
    visits = [Visit(url(page), BEGIN, Finding.NEW) for page in range(30)]
    for day in range(1, 22):
        for page in range(30):
            finding = Finding.CHANGED if page == 4 else Finding.UNCHANGED
            visits.append(Visit(url(page), BEGIN + day * DAY, finding))
    return visits


def test_a_planned_visit_says_why() -> None:
    plan = RevisitPlan()
    plan.learn(history())
    now = BEGIN + 30 * DAY
    first, second = plan.choose(now, 2)
    assert first.url == url(4)
    assert first.reason.startswith("changed 21 times in 21 visits; ")
    assert "last seen 9 days ago; expected age " in first.reason
    assert first.rate.low < first.rate.mean < first.rate.high
    assert second.rate.mean < first.rate.mean / 5
    assert first.age > second.age
    assert 0 < plan.age(now).age < 9
    assert plan.rate(url(4)) == first.rate
    assert plan.rate("https://nobody.example/") is None


def test_the_plan_can_be_made_again_from_the_visits() -> None:
    daily, at_once, shuffled = RevisitPlan(), RevisitPlan(), history()
    for begin in range(0, len(shuffled), 30):
        daily.learn(shuffled[begin : begin + 30])
    random.Random(3).shuffle(shuffled)
    at_once.learn(shuffled)
    now = BEGIN + 30 * DAY
    one, two = ({each.url: each.reason for each in plan.choose(now, 30)} for plan in (daily, at_once))
    assert one == two


def test_hints_of_pages_raise_them_and_those_of_strangers_are_nothing() -> None:
    plan = RevisitPlan()
    plan.learn(history())
    now = BEGIN + 30 * DAY
    told = [Hint(url(7), Source.SITEMAP, now - 5 * DAY, "weekly"), Hint("https://nobody.example/", Source.FEED, now)]
    plan.hints(told, now)
    assert "by its sitemap it changed 5.0 days ago" in next(one for one in plan.choose(now, 30) if one.url == url(7)).reason
    assert url(7) in [one.url for one in plan.choose(now, 3)]


def test_a_page_that_failed_first_is_known_by_its_first_answer() -> None:
    plan = RevisitPlan()
    plan.learn([Visit(url(1), BEGIN, Finding.FAILED), Visit(url(1), BEGIN + 60, Finding.NEW)])
    plan.learn([Visit(url(2), BEGIN + 120, Finding.FAILED)])
    assert [one.url for one in plan.choose(BEGIN + DAY, 9)] == [url(1)]


def test_gone_and_back() -> None:
    plan = RevisitPlan()
    plan.learn([Visit(url(1), BEGIN, Finding.NEW), Visit(url(1), BEGIN + DAY, Finding.GONE)])
    (planned,) = plan.choose(BEGIN + 3 * DAY, 1)
    assert "not found any more" in planned.reason
    plan.learn([Visit(url(1), BEGIN + 4 * DAY, Finding.BACK)])
    assert "not found" not in plan.choose(BEGIN + 6 * DAY, 1)[0].reason


def test_a_page_that_comes_back_as_it_was_has_not_changed() -> None:
    """A site that answers 404 for an hour changed nothing: its pages are not taken for lively ones."""
    rates = {}
    for same in (True, False):
        plan = RevisitPlan()
        plan.learn([Visit(url(1), BEGIN, Finding.NEW), Visit(url(1), BEGIN + 10 * DAY, Finding.UNCHANGED)])
        plan.learn([Visit(url(1), BEGIN + 20 * DAY, Finding.GONE)])
        plan.learn([Visit(url(1), BEGIN + 20 * DAY + 3_600, Finding.BACK, same=same)])
        rate = plan.rate(url(1))
        assert rate is not None
        rates[same] = rate.mean
    assert 3 * rates[True] < rates[False]


VISITS = st.lists(st.builds(Visit, st.integers(0, 6).map(url), st.floats(0, 4e9), st.sampled_from(Finding)), max_size=40)


@settings(max_examples=40, deadline=None)
@given(VISITS, st.integers(-1, 9))
def test_any_visits_give_a_plan(visits: list[Visit], budget: int) -> None:
    plan = RevisitPlan()
    plan.learn(visits)
    chosen = plan.choose(5e9, budget)
    assert len(chosen) <= max(budget, 0)
    assert {one.url for one in chosen} <= {visit.url for visit in visits}

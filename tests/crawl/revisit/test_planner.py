"""The choice of visits: sane under every misfortune, of age and never of freshness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.crawl.revisit.page_columns import FEWEST_PAGES
from trasmallo.crawl.revisit.planner import REST, Planner, foremost
from trasmallo.crawl.revisit.visits import Source

BEGIN = 20_000.0


def made(pages: int, sites: int = 1) -> Planner:
    planner = Planner()
    planner.add(np.arange(pages) % sites, np.full(pages, BEGIN))
    return planner


def test_a_claim_of_the_minute_before_a_visit_is_no_news() -> None:
    planner, minute = Planner(), 1 / 1_440
    planner.add(np.zeros(50, int), BEGIN + np.linspace(0, 1, 50))
    seen = planner.pages["last"].copy()
    planner.hint(np.arange(50), Source.SITEMAP, seen - minute, np.zeros(50, np.uint8), BEGIN + 2)
    assert (planner.pages["hinted"] < seen).all()


def follow(planner: Planner, rates: np.ndarray, days: int, budget: int, seed: int = 1) -> np.ndarray:
    """Visit day by day what the planner chooses among pages that change at these rates; the visits of each."""
    chance, last, visits = np.random.default_rng(seed), np.full(len(rates), BEGIN), np.zeros(len(rates), int)
    for day in range(1, days + 1):
        now = BEGIN + day
        chosen = planner.choose(now, budget)[0]
        changed = chance.random(len(chosen)) < -np.expm1(-rates[chosen] * (now - last[chosen]))
        planner.learn(chosen, np.full(len(chosen), now), changed)
        last[chosen] = now
        visits[chosen] += 1
    return visits


def test_neither_a_page_that_changes_every_minute_nor_one_that_never_does_is_given_up() -> None:
    rates = np.array([1440.0] + [0.0] + [1 / 20] * 38)
    visits = follow(made(40), rates, days=400, budget=2)
    assert visits[0] >= 10
    assert visits[1] >= 2
    assert visits[0] < 400, "nor does it take all visits"


def test_pages_that_change_more_are_visited_more() -> None:
    rates = np.repeat([1 / 300, 1 / 5], 30)
    visits = follow(made(60), rates, days=200, budget=3)
    assert visits[30:].sum() > 1.5 * visits[:30].sum()


def test_a_burst_raises_the_neighbours_that_were_not_seen_since() -> None:
    planner = made(60, sites=2)
    for day in range(1, 31):
        seen = np.array([2 * (day % 15), 2 * (day % 15) + 1])
        planner.learn(seen, np.full(2, BEGIN + day), np.zeros(2, bool))
    before = planner.values(BEGIN + 40)[1]
    struck = np.arange(0, 24, 2)
    planner.learn(struck, np.full(len(struck), BEGIN + 40), np.ones(len(struck), bool))
    after = planner.values(BEGIN + 40)[1]
    raised = (after / np.maximum(before, 1e-9))[30:]
    assert raised[::2].mean() > 1.5 * raised[1::2].mean(), "pages of the site that changed against those of the other"


def test_a_claim_raises_a_page_as_far_as_its_site_can_be_believed() -> None:
    honest, liar = 0, 1
    planner = made(40, sites=2)
    chance, none = np.random.default_rng(4), np.zeros(40, np.uint8)
    for day in range(2, 80, 2):
        changed = chance.random(40) < 0.2
        claims = np.where(changed | (np.arange(40) % 2 == liar), BEGIN + day - 0.5, BEGIN + day - 2.5)
        planner.hint(np.arange(40), Source.SITEMAP, claims, none, BEGIN + day)
        planner.learn(np.arange(40), np.full(40, BEGIN + day), changed)
    before = planner.values(BEGIN + 81)[1]
    planner.hint(np.arange(40), Source.SITEMAP, np.full(40, BEGIN + 80.2), none, BEGIN + 81)
    after = planner.values(BEGIN + 81)[1]
    assert after[honest::2].mean() > 2 * before[honest::2].mean()
    assert after[liar::2].mean() < after[honest::2].mean() / 2


def test_a_date_in_the_future_is_no_date() -> None:
    planner = made(5)
    planner.hint(np.arange(5), Source.FEED, np.full(5, BEGIN + 900), np.zeros(5, np.uint8), BEGIN + 1)
    assert np.isnan(planner.pages["hinted"]).all()


@pytest.mark.parametrize("changed", [False, True], ids=["always 304", "always a new ETag"])
def test_validators_that_lie_do_not_break_the_plan(changed: bool) -> None:
    """One site says always the same; it gets its share, and the other is not starved."""
    planner, chance = made(40, sites=2), np.random.default_rng(5)
    visits = np.zeros(40, int)
    for day in range(1, 200):
        chosen = planner.choose(BEGIN + day, 4)[0]
        found = np.where(chosen % 2 == 0, changed, chance.random(len(chosen)) < 0.2)
        planner.learn(chosen, np.full(len(chosen), BEGIN + day), found)
        visits[chosen] += 1
    assert visits.min() >= 1
    assert visits[1::2].sum() > 0.2 * visits.sum()
    assert visits[::2].sum() > 0.02 * visits.sum()


def test_failures_wait_and_tell_nothing() -> None:
    planner = made(3)
    before = planner.rates_of(np.array([0])).tolist()
    planner.fail(np.array([0]), np.array([BEGIN + 10]))
    assert 0 not in planner.choose(BEGIN + 10.01, 3)[0]
    assert 0 in planner.choose(BEGIN + 11, 3)[0]
    assert planner.rates_of(np.array([0])).tolist() == before
    assert planner.pages["last"][0] == BEGIN


def test_what_is_gone_is_asked_for_less_and_less_until_it_is_back() -> None:
    planner = made(3)
    before = planner.rates_of(np.array([0])).tolist()
    for day in (10, 20, 30):
        planner.mark_gone(np.array([0]), np.array([BEGIN + day]))
    assert planner.pages["gone"][0] == 3
    assert planner.pages["changes"][0] == 0
    assert planner.rates_of(np.array([0])).tolist() == before, "that a page is not found says nothing of how often it changes"
    assert 0 not in planner.choose(BEGIN + 30.01, 3)[0]
    planner.learn(np.array([0]), np.array([BEGIN + 40]), np.array([True]))
    assert planner.pages["gone"][0] == 0


def test_a_page_rests_after_a_visit_and_a_budget_is_a_bound() -> None:
    planner = made(8)
    assert not len(planner.choose(BEGIN + REST / 2, 5)[0])
    assert len(planner.choose(BEGIN + 1, 5)[0]) == 5
    assert len(planner.choose(BEGIN + 1, 50)[0]) == 8
    assert not len(planner.choose(BEGIN + 1, 0)[0])
    assert not len(Planner().choose(BEGIN, 5)[0])


def test_a_server_that_dates_its_changes_is_believed_until_it_lies() -> None:
    planner = made(FEWEST_PAGES)
    pages, at = np.arange(FEWEST_PAGES), np.full(FEWEST_PAGES, BEGIN + 50)
    planner.learn(pages, at, np.ones(FEWEST_PAGES, bool), at - 20.5)
    assert planner.activity.busiest(0, BEGIN)[0] == BEGIN + 29
    for day in (60, 70, 80):
        at = np.full(FEWEST_PAGES, BEGIN + day)
        planner.learn(pages, at, np.zeros(FEWEST_PAGES, bool), at - 1)
    changes = planner.pages["likelihood"].copy()
    planner.learn(pages, at + 10, np.ones(FEWEST_PAGES, bool), at + 3)
    assert planner.activity.busiest(0, BEGIN + 80)[1] < 40, "its date is not taken for the day of the change"
    assert np.isfinite(changes).all()


STORY = st.lists(
    st.tuples(st.integers(0, 29), st.sampled_from(["changed", "same", "gone", "failed", "hint"]), st.floats(0, 90)), max_size=80
)


@settings(max_examples=60, deadline=None)
@given(STORY)
def test_the_plan_is_sane_whatever_happens(story: list[tuple[int, str, float]]) -> None:
    planner, now = made(30, sites=2), BEGIN
    for page, what, days in story:
        now += days
        pages, at = np.array([page]), np.array([now])
        if what == "gone":
            planner.mark_gone(pages, at)
        elif what == "failed":
            planner.fail(pages, at)
        elif what == "hint":
            planner.hint(pages, Source.FEED, at - 1, np.array([3], np.uint8), now)
        else:
            planner.learn(pages, at, np.array([what == "changed"]), at - days / 2)
    values, ages = planner.values(now + 5)
    assert np.all(np.isfinite(values))
    assert np.all(values >= 0)
    assert np.all(ages >= -1e-4)
    assert np.all(ages <= (now + 5 - planner.pages["last"]) * 1.001 + 1e-3)
    chosen, worths, _ages = planner.choose(now + 5, 10)
    assert len(set(chosen)) == len(chosen) <= 10
    assert np.all(np.diff(worths) <= 0)


@pytest.mark.parametrize("back", [0.0, 0.5])
def test_visits_within_a_minute_and_clocks_that_are_set_back_make_no_copy_younger_than_nothing(back: float) -> None:
    planner = made(30)
    for second in (1, 2, 3):
        planner.learn(np.arange(30), np.full(30, BEGIN + second / 86_400), np.arange(30) % 2 == 0)
    now = BEGIN + 3 / 86_400 - back
    planner.hint(np.arange(10), Source.SITEMAP, np.full(10, BEGIN - 1), np.zeros(10, np.uint8), now)
    _values, ages = planner.values(now)
    assert ages.min() >= 0
    assert not np.signbit(ages).any()
    assert planner.pages["last"].max() <= BEGIN + 3 / 86_400
    assert 0 <= planner.expected_freshness(now) <= 1


def test_memory_of_a_page() -> None:
    planner = made(20_000, sites=100)
    planner.learn(np.arange(20_000), np.full(20_000, BEGIN + 30), np.arange(20_000) % 9 == 0)
    planner.choose(BEGIN + 31, 5)
    assert planner.nbytes / len(planner) < 100


@pytest.mark.parametrize(("days", "most"), [(0.01, 2.0), (0.9, 2.0), (100.0, 0.02)])
def test_pages_that_were_put_in_place_today_are_not_taken_for_pages_that_change_every_hour(days: float, most: float) -> None:
    planner = Planner()
    planner.add(np.arange(60) % 3, np.full(60, BEGIN), np.full(60, BEGIN - days))
    for minutes in (5, 10, 15):
        at = np.full(60, BEGIN + minutes / 1440)
        planner.learn(np.arange(60), at, np.zeros(60, bool), np.full(60, BEGIN - days))
        planner.choose(BEGIN + minutes / 1440, 1)
    assert planner.rates_of(np.arange(60))[:, 0].max() < most


def test_of_equals_as_many_are_chosen_from_everywhere() -> None:
    planner = Planner()
    planner.add(np.zeros(5_000, int), np.full(5_000, 100.0))
    chosen, values, _ = planner.choose(130.0, 1_250)
    assert len(set(values.tolist())) == 1
    assert len(set(chosen.tolist())) == 1_250
    assert np.bincount(chosen // 500).tolist() == pytest.approx([125] * 10, abs=30)
    assert np.array_equal(chosen, planner.choose(130.0, 1_250)[0])


def test_the_greatest_are_chosen_before_any_of_the_equals() -> None:
    values = np.repeat([3.0, 1.0, 2.0], [3, 10, 20])
    assert set(foremost(values, 3).tolist()) == {0, 1, 2}
    assert {0, 1, 2} < set(foremost(values, 9).tolist()) <= {0, 1, 2, *range(13, 33)}
    assert not len(foremost(values, 0))

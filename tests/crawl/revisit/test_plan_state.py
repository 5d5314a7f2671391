"""Plans that go on from what another has learnt."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from trasmallo.crawl.revisit.collection import DAY, RevisitPlan
from trasmallo.crawl.revisit.plan_state import PackedPlan, pack_plan, take_up
from trasmallo.crawl.revisit.visits import Finding, Hint, Source, Visit

DAYS = 40
FINDINGS = [Finding.UNCHANGED] * 6 + [Finding.CHANGED] * 3 + [Finding.GONE, Finding.BACK, Finding.FAILED]


def visits_of(day: int, chance: random.Random) -> list[Visit]:
    """Some visits of a day to the pages of four sites; of three there are enough for a prior of their own."""
    found = []
    for _ in range(60):
        site = chance.randrange(4)
        at = (20_000 + day + chance.random()) * DAY
        modified = at - chance.random() * 9 * DAY if chance.random() < 0.3 else None
        url = f"http://s{site}.es/{chance.randrange(30 if site else 4)}"
        found.append(Visit(url, at, chance.choice(FINDINGS), modified))
    return found


def hinted(plan: RevisitPlan, now: float) -> RevisitPlan:
    plan.hints([Hint(f"http://s1.es/{n}", Source.SITEMAP, now - n * DAY / 3, "daily") for n in range(20)], now)
    return plan


@pytest.mark.parametrize("cut", [0, 1, 17, DAYS])
def test_a_plan_that_is_taken_up_is_the_same_to_the_last_bit(cut: int) -> None:
    chance = random.Random(cut)
    days = [visits_of(day, chance) for day in range(DAYS)]
    whole, first = RevisitPlan(), RevisitPlan()
    whole.learn(visit for day in days for visit in day)
    first.learn(visit for day in days[:cut] for visit in day)
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(pack_plan(first)), type=PackedPlan)
    again = take_up(packed)
    again.learn(visit for day in days[cut:] for visit in day)
    now = (20_000 + DAYS) * DAY
    assert hinted(again, now).choose(now, 50) == hinted(whole, now).choose(now, 50)
    assert pack_plan(again) == pack_plan(whole)
    assert again.sites() == whole.sites()


def test_a_part_of_another_kind_is_refused() -> None:
    packed = pack_plan(RevisitPlan())
    packed["planner"]["pages"] = pack_plan(RevisitPlan())["priors"]["rows"]
    with pytest.raises(ValueError, match="shape"):
        take_up(packed)
    packed["planner"]["pages"] = 3
    with pytest.raises(ValueError, match="kind"):
        take_up(packed)


def test_what_is_taken_up_can_be_learnt_with() -> None:
    plan = take_up(pack_plan(RevisitPlan()))
    plan.learn([Visit("http://a.es/", DAY, Finding.NEW)])
    assert np.isnan(plan.planner.pages["hinted"][0])

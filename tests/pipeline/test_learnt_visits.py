"""Plans that begin where the last one ended: they say the same, and read what is new."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from trasmallo.crawl.revisit.collection import DAY
from trasmallo.crawl.revisit.plan_state import pack_plan
from trasmallo.crawl.revisit.planner import SOURCE_NUMBERS
from trasmallo.crawl.revisit.visits import Hint, Source
from trasmallo.pipeline.learnt_visits import LearntVisits
from trasmallo.pipeline.visit_checkpoint import FILE_NAME, read_checkpoint
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Locator, Outcome

PAGES, A_DAY, DAYS = 40, 30, 25
BEGIN = 20_000 * DAY
NOTHING: tuple[str, ...] = ()
LISTINGS = ("http://s0.es/map", "http://s1.es/map")


def rows_of(day: int, chance: random.Random) -> list[Fetch]:
    """What a revisit of a day finds; on the first day every page is new."""
    numbers = range(PAGES) if not day else chance.sample(range(PAGES), A_DAY)
    found = []
    for place, number in enumerate(numbers):
        outcome = chance.choice([Outcome.FETCHED, Outcome.UNCHANGED, Outcome.UNCHANGED, Outcome.MISSING, Outcome.TIMED_OUT])
        place_in_archive = Locator("a.warc.gz", 0, 1) if outcome is Outcome.FETCHED else None
        at = BEGIN + day * DAY + 36_000 + place
        digest = f"{number}-{chance.randrange(3)}"
        found.append(Fetch(f"http://s{number % 2}.es/{number}", at, outcome, digest=digest, locator=place_in_archive))
    return found + [listing(url, day) for url in LISTINGS if day % 3 != 2]


def listing(url: str, day: int) -> Fetch:
    """A sitemap in the evening of a day, not the same as any before."""
    return Fetch(url, evening(day) - 60, Outcome.FETCHED, digest=f"{url} {day}", locator=Locator("a.warc.gz", 0, 1))


def changed_now(folder: Path, row: int) -> list[Hint]:
    """A sitemap says that every second page of its site changed a minute before it was obtained."""
    with Catalog(folder / "catalog", read_only=True) as catalog:
        (fetch,) = catalog.rows([row])
    site = fetch.url.removesuffix("map")
    return [Hint(f"{site}{number}", Source.SITEMAP, fetch.at - 60) for number in range(0, PAGES, 2)]


def evening(day: int) -> float:
    return BEGIN + day * DAY + 72_000


def learnt(
    folder: Path, now: float, *, keep: bool = False, left_out: tuple[str, ...] = NOTHING, listings: tuple[str, ...] = LISTINGS
) -> LearntVisits:
    with Catalog(folder / "catalog", read_only=True) as catalog:
        visits = LearntVisits(folder, catalog, left_out, listings, partial(changed_now, folder))
        visits.learn(now, keep=keep)
    return visits


def add(folder: Path, rows: list[Fetch]) -> None:
    with Catalog(folder / "catalog") as catalog:
        catalog.put_many(rows, "run")


def anew(folder: Path, now: float, left_out: tuple[str, ...] = NOTHING) -> LearntVisits:
    """The same without a checkpoint."""
    path = folder / FILE_NAME
    kept = path.read_bytes() if path.exists() else None
    path.unlink(missing_ok=True)
    found = learnt(folder, now, left_out=left_out)
    if kept is not None:
        path.write_bytes(kept)
    return found


def assert_same(one: LearntVisits, other: LearntVisits) -> None:
    assert pack_plan(one.plan) == pack_plan(other.plan)
    assert (one.history.seen, one.history.missing, one.history.rows) == (
        other.history.seen,
        other.history.missing,
        other.history.rows,
    )


def test_each_plan_reads_what_is_new_and_says_what_one_made_anew_says(tmp_path: Path) -> None:
    chance = random.Random(5)
    for day in range(DAYS):
        add(tmp_path, rows_of(day, chance))
        found = learnt(tmp_path, evening(day), keep=True)
        assert found.read <= PAGES + A_DAY + len(LISTINGS)
        assert_same(found, anew(tmp_path, evening(day)))
    assert learnt(tmp_path, evening(DAYS)).read <= PAGES // 20
    assert anew(tmp_path, evening(DAYS)).read == PAGES + A_DAY * (DAYS - 1) + len(LISTINGS) * 17


def test_plans_of_one_day_go_on_from_each_other(tmp_path: Path) -> None:
    chance = random.Random(6)
    for hour in range(12):
        rows = [Fetch(row.url, row.at + hour * 600, row.outcome, digest=row.digest) for row in rows_of(3, chance)]
        add(tmp_path, rows)
        found = learnt(tmp_path, evening(3), keep=True)
        assert found.read <= 2 * (A_DAY + len(LISTINGS))
        assert_same(found, anew(tmp_path, evening(3)))


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    chance = random.Random(7)
    for day in range(3):
        add(tmp_path, rows_of(day, chance))
    learnt(tmp_path, evening(4), keep=True)
    return tmp_path


def test_a_visit_of_a_settled_day_that_comes_late_is_learnt_in_its_place(settled: Path) -> None:
    add(settled, [Fetch("http://s0.es/0", BEGIN + DAY + 50, Outcome.FETCHED, digest="late")])
    found = learnt(settled, evening(4), keep=True)
    assert found.read == 1 + PAGES + 2 * A_DAY + 2 * len(LISTINGS) + 1
    assert_same(found, anew(settled, evening(4)))
    assert learnt(settled, evening(4)).read == 0


def test_other_sites_that_are_taken_out_are_not_in_the_plan(settled: Path) -> None:
    found = learnt(settled, evening(4), left_out=("http://s1.es/",))
    assert found.plan.addresses.sites == ["s0.es"]
    assert_same(found, anew(settled, evening(4), ("http://s1.es/",)))


def test_a_catalog_that_was_made_again_is_read_whole(settled: Path) -> None:
    (settled / "catalog").rename(settled / "old")
    add(settled, rows_of(0, random.Random(8)) * 4)
    assert learnt(settled, evening(4)).read == 4 * (PAGES + len(LISTINGS))


@pytest.mark.parametrize("content", [b"", b"\x81", b"no checkpoint"])
def test_damage_costs_a_plan_time_and_nothing_else(settled: Path, content: bytes) -> None:
    (settled / FILE_NAME).write_bytes(content)
    found = learnt(settled, evening(4), keep=True)
    assert_same(found, anew(settled, evening(4)))
    assert read_checkpoint(settled) is not None


def test_who_only_asks_writes_nothing(settled: Path) -> None:
    (settled / FILE_NAME).unlink()
    learnt(settled, evening(4))
    assert not (settled / FILE_NAME).exists()


def test_a_clock_that_was_set_back_unsettles_nothing(settled: Path) -> None:
    found = learnt(settled, evening(1), keep=True)
    assert found.read == 0
    assert_same(found, anew(settled, evening(4)))


def test_other_sitemaps_are_heard_from_the_beginning(settled: Path) -> None:
    fewer = LISTINGS[:1]
    found = learnt(settled, evening(4), listings=fewer)
    assert found.read == PAGES + 2 * A_DAY + 2 * len(LISTINGS)
    assert learnt(settled, evening(4), listings=(*LISTINGS, "http://s1.es/never")).read == 0


@pytest.mark.parametrize("honest", [True, False])
def test_a_sitemap_is_believed_as_far_as_it_was_right(tmp_path: Path, honest: bool) -> None:
    """Each evening it says that some pages changed; what is visited the next day has changed, or has not."""
    numbers = range(0, PAGES, 2)
    for day in range(12):
        changed = honest and day > 0
        rows = [
            Fetch(f"http://s0.es/{n}", BEGIN + day * DAY + 36_000 + n, Outcome.FETCHED, digest=f"{n} {changed and day}")
            for n in numbers
        ]
        add(tmp_path, [*rows, listing(LISTINGS[0], day)])
    found = learnt(tmp_path, evening(12))
    one = np.array([0])
    odds = found.plan.planner.trust.odds(one, np.array([SOURCE_NUMBERS[Source.SITEMAP]]), np.array([True]))[0]
    assert odds > 1.9 if honest else odds < 0.8

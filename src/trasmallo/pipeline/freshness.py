"""How young a collection is: what visits found, what is to be expected now, and what conditional requests saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.revisit.collection import DAY, CollectionAge, SiteRate
from trasmallo.crawl.revisit.rate_figure import CLASSES, count_rates
from trasmallo.crawl.revisit.visits import Finding, Visit
from trasmallo.pipeline.revisiting import RevisitPlanner
from trasmallo.pipeline.visit_history import VisitHistory
from trasmallo.results.database.tables import Tables
from trasmallo.store.catalog import Catalog
from trasmallo.store.left_out_sites import TAKEN_OUT
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Outcome

_SITES = 50  # judgement: as many as a page shows


class MeasuredAge(msgspec.Struct, frozen=True):
    """What visits to known pages found: how many copies were still as the page, and how old they were on average, in days.

    A copy that was no longer so was as old as the server's date of the change says, or else half of the time since it was made.
    """

    visits: int = 0
    fresh: float = 0.0
    age: float = 0.0


class Traffic(msgspec.Struct, frozen=True):
    """Requests and bytes of all runs, and what answers that only said "as before" saved."""

    requests: int = 0
    received: int = 0
    unchanged: int = 0
    saved: int = 0


class RateClass(msgspec.Struct, frozen=True):
    """How many pages are expected to change so often: at `least` so many times a day, and less than the class before."""

    name: str
    least: float
    pages: int


class Freshness(msgspec.Struct, frozen=True):
    """The age of a collection at a time: expected, measured, what visits found, traffic, and the rates of sites and pages."""

    at: float
    expected: CollectionAge
    measured: MeasuredAge
    findings: dict[str, int]
    gone: int
    traffic: Traffic
    sites: tuple[SiteRate, ...]
    rates: tuple[RateClass, ...] = ()


def freshness(run: Run, store: Path, config: CrawlConfig, now: float) -> Freshness:
    """Measure the collection whose results a run holds."""
    with Catalog(store / "catalog", read_only=True) as catalog:
        planner = RevisitPlanner(run, store, config, catalog)
        planner.learn(now)
        visits = list(VisitHistory(catalog).visits())
        traffic = _traffic(catalog)
    with Tables(run) as tables:
        tables.prepare("gone")
        gone = int(tables.select("SELECT count(*) FROM gone WHERE coalesce(cause, '') <> ?", [TAKEN_OUT])[0][0])
    return Freshness(
        at=now,
        expected=planner.plan.age(now),
        measured=measured_age(visits),
        findings=dict(Counter(str(visit.finding) for visit in visits)),
        gone=gone,
        traffic=traffic,
        sites=tuple(planner.plan.sites()[:_SITES]),
        rates=_rate_classes(planner),
    )


def _rate_classes(planner: RevisitPlanner) -> tuple[RateClass, ...]:
    numbers = count_rates(planner.plan.planner.mean_rates())
    return tuple(RateClass(name, least, number) for (name, least), number in zip(CLASSES, numbers, strict=True))


def measured_age(visits: Iterable[Visit]) -> MeasuredAge:
    """How old copies were when their pages were visited again; visits come in order of time."""
    last: dict[str, float] = {}
    ages: list[float] = []
    for visit in visits:
        before = last.get(visit.url)
        if visit.finding not in (Finding.GONE, Finding.FAILED):
            last[visit.url] = visit.at
        if before is not None and visit.finding in (Finding.CHANGED, Finding.UNCHANGED):
            ages.append(_age(visit, before))
    if not ages:
        return MeasuredAge()
    return MeasuredAge(len(ages), sum(not age for age in ages) / len(ages), sum(ages) / len(ages))


def _age(visit: Visit, before: float) -> float:
    """Days that the copy of a page was out of date when it was visited."""
    if visit.finding is Finding.UNCHANGED:
        return 0.0
    changed = visit.modified if visit.modified is not None and before <= visit.modified <= visit.at else None
    return (visit.at - (changed if changed is not None else (before + visit.at) / 2)) / DAY


def _traffic(catalog: Catalog) -> Traffic:
    requests = received = unchanged = saved = 0
    for fetch in catalog.every():
        requests += fetch.status > 0
        received += fetch.received
        if fetch.outcome is Outcome.UNCHANGED:
            unchanged += 1
            saved += fetch.size
    return Traffic(requests, received, unchanged, saved)

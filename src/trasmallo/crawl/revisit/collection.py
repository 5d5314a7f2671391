"""The plan of a collection by URL: visits and hints go in, planned visits with their reasons come out.

Nothing is kept on disk: `RevisitPlan` is made anew from the visits that the catalog holds, in order of time, and the latest
hints. Who uses it:

    plan = RevisitPlan()
    plan.learn(visits)                    # all visits there are, then those of each day
    plan.hints(hints, now)                # of sitemaps and feeds, whenever they were read
    for planned in plan.choose(now, 500):
        ...                               # visit planned.url, say planned.reason
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from trasmallo.crawl.revisit.activity import LIVELY
from trasmallo.crawl.revisit.addresses import Addresses
from trasmallo.crawl.revisit.page_columns import FREQUENCIES
from trasmallo.crawl.revisit.planner import REST, Planner
from trasmallo.crawl.revisit.reasons import Grounds, reason
from trasmallo.crawl.revisit.visits import Finding, Hint, Source, Visit
from trasmallo.values.arrays import Array
from trasmallo.values.messages import Message

DAY = 86_400.0  # seconds
_SOURCES = tuple(Source)
_CHANGES = frozenset({Finding.NEW, Finding.CHANGED, Finding.BACK})


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Changes a day of a page as far as they are known: the mean, and an interval that holds them with a chance of .9."""

    mean: float
    low: float
    high: float


class DueVisit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A visit that is worth making, as a run needs it; `page` is the page's number in the plan, -1 for what is no page yet.

    `value` is what it is worth, in days times days: the order of the plan. `age` is the expected age of the copy in days.
    """

    url: str
    value: float
    age: float
    page: int = -1


class PlannedVisit(msgspec.Struct, frozen=True, kw_only=True):
    """A visit that is worth making. `age` is the expected age of its copy in days, `seen` when it was made, seconds since 1970.

    `value` is what the visit is worth, in days times days: the order of the plan. `reason` has a code and arguments.
    """

    url: str
    value: float
    age: float
    rate: Rate
    seen: float
    reason: Message


class CollectionAge(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be expected of all copies now: their mean age in days, and the share of those that are as their pages are."""

    pages: int
    age: float
    fresh: float


class SiteRate(msgspec.Struct, frozen=True, kw_only=True):
    """Changes a day of the pages of a site, as `Rate` tells them of a page."""

    site: str
    pages: int
    rate: Rate


class RevisitPlan:
    """What is known of the pages of a collection, and which of them to visit. Times are seconds since 1970."""

    def __init__(self) -> None:
        self.planner = Planner()
        self.addresses = Addresses()

    def learn(self, visits: Iterable[Visit]) -> None:
        """Take in visits, those of later days in later calls; within a call they may stand in any order."""
        for some in _by_day(sorted(visits, key=lambda visit: visit.at)):
            numbers = self.addresses.find([visit.url for visit in some])
            unknown = [visit for visit, number in zip(some, numbers, strict=True) if number < 0]
            new = _first_of_each(visit for visit in unknown if visit.finding is not Finding.FAILED)
            self._add(list(new.values()))
            self._learn([visit for visit in some if new.get(visit.url) is not visit])

    def _add(self, visits: Sequence[Visit]) -> None:
        if visits:
            sites = self.addresses.add([visit.url for visit in visits])
            gone = [place for place, visit in enumerate(visits) if visit.finding is Finding.GONE]
            numbers = self.planner.add(sites, _days(visit.at for visit in visits), _modified(visits))
            self.planner.pages["gone"][numbers[gone]] = 1

    def _learn(self, visits: Sequence[Visit]) -> None:
        """Visits to known pages, in order of time: the first of each page together, then the second of each."""
        left = list(visits)
        while left:
            first = _first_of_each(left)
            self._learn_round(list(first.values()))
            left = [visit for visit in left if first[visit.url] is not visit]

    def _learn_round(self, visits: Sequence[Visit]) -> None:
        numbers = self.addresses.find([visit.url for visit in visits])
        findings = [visit.finding if number >= 0 else None for visit, number in zip(visits, numbers, strict=True)]
        at, modified = _days(visit.at for visit in visits), _modified(visits)
        gone, failed = (np.array([found is kind for found in findings]) for kind in (Finding.GONE, Finding.FAILED))
        told = np.array([found not in (None, Finding.GONE, Finding.FAILED) for found in findings])
        changed = np.array([found in _CHANGES and not visit.same for found, visit in zip(findings, visits, strict=True)])
        self.planner.learn(numbers[told], at[told], changed[told], modified[told])
        self.planner.mark_gone(numbers[gone], at[gone])
        self.planner.fail(numbers[failed], at[failed])

    def hints(self, hints: Iterable[Hint], now: float) -> None:
        """Take in what sitemaps and feeds say; of pages that were never visited nothing is kept."""
        given = list(hints)
        for source in _SOURCES:
            latest = {hint.url: hint for hint in given if hint.source is source}
            numbers = self.addresses.find(list(latest))
            known = numbers >= 0
            dates = _days(np.nan if hint.modified is None else hint.modified for hint in latest.values())
            words = [FREQUENCIES.index(hint.changefreq) if hint.changefreq in FREQUENCIES else 0 for hint in latest.values()]
            frequencies = np.array(words, np.uint8)
            self.planner.hint(numbers[known], source, dates[known], frequencies[known], now / DAY)

    def due(self, now: float, budget: int, *, rest: float = REST) -> list[DueVisit]:
        """The visits that keep the collection youngest, the most urgent first, at most so many.

        Pages that were visited within the `rest`, in days, are left in peace.
        """
        chosen = self.planner.choose(now / DAY, budget, rest=rest)
        rows = zip(*(column.tolist() for column in chosen), strict=True)
        return [DueVisit(url=self.addresses[page], value=value, age=age, page=page) for page, value, age in rows]

    def choose(self, now: float, budget: int, *, rest: float = REST) -> list[PlannedVisit]:
        """The visits of `due` with what is known of each page, and why it is visited."""
        return self.explain(self.due(now, budget, rest=rest), now)

    def explain(self, due: Sequence[DueVisit], now: float) -> list[PlannedVisit]:
        """What is known of pages of the plan, and why they are visited."""
        rates = self._rates(np.array([visit.page for visit in due], np.int64))
        return [self._planned(visit, rate, now / DAY) for visit, rate in zip(due, rates, strict=True)]

    def _planned(self, visit: DueVisit, rate: Rate, today: float) -> PlannedVisit:
        return PlannedVisit(
            url=visit.url,
            value=visit.value,
            age=visit.age,
            rate=rate,
            seen=float(self.planner.pages["last"][visit.page]) * DAY,
            reason=reason(self._grounds(visit.page, visit.age, today)),
        )

    def _grounds(self, page: int, age: float, today: float) -> Grounds:
        known = self.planner.pages[page]
        last, claimed = float(known["last"]), float(known["hinted"])
        return Grounds(
            visits=int(known["visits"]),
            changes=int(known["changes"]),
            seen=max(today - last, 0.0),  # clocks are set back
            age=age,
            busy=self._busy(int(known["site"]), last, today),
            claimed=today - claimed if claimed > last else None,
            source=_SOURCES[known["source"]],
            gone=int(known["gone"]),
        )

    def _busy(self, site: int, since: float, today: float) -> int | None:
        """Days since the site was busiest after a page was seen, None if it was not."""
        row = int(self.planner.groups.rows[site])
        if row < 0:
            return None
        day, level = self.planner.activity.busiest(row, since)
        return int(today) - day if level >= LIVELY else None

    def rate(self, url: str) -> Rate | None:
        """How often a page changes, None if it was never visited."""
        (number,) = self.addresses.find([url])
        return self._rates(np.array([number]))[0] if number >= 0 else None

    def _rates(self, pages: Array) -> list[Rate]:
        return [_rate(row) for row in self.planner.rates_of(pages).tolist()]

    def age(self, now: float) -> CollectionAge:
        """How old the collection is to be expected by now."""
        _values, ages = self.planner.values(now / DAY)
        if not len(ages):
            return CollectionAge(pages=0, age=0.0, fresh=1.0)
        return CollectionAge(pages=len(ages), age=float(ages.mean()), fresh=self.planner.expected_freshness(now / DAY))

    def sites(self) -> list[SiteRate]:
        """How often the pages of each site change, the liveliest first."""
        numbers, rows = (column.tolist() for column in self.planner.site_rates())
        named = zip(self.addresses.sites, numbers, rows, strict=True)
        rates = [SiteRate(site=site, pages=pages, rate=_rate(row)) for site, pages, row in named]
        return sorted(rates, key=lambda each: (-each.rate.mean, each.site))


def _rate(row: Sequence[float]) -> Rate:
    mean, low, high = row
    return Rate(mean=mean, low=low, high=high)


def _by_day(visits: Sequence[Visit]) -> Iterable[list[Visit]]:
    days: dict[int, list[Visit]] = {}
    for visit in visits:
        days.setdefault(int(visit.at // DAY), []).append(visit)
    return days.values()


def _first_of_each(visits: Iterable[Visit]) -> dict[str, Visit]:
    first: dict[str, Visit] = {}
    for visit in visits:
        first.setdefault(visit.url, visit)
    return first


def _days(times: Iterable[float]) -> Array:
    return np.array(list(times), float) / DAY


def _modified(visits: Sequence[Visit]) -> Array:
    return _days(np.nan if visit.modified is None else visit.modified for visit in visits)

"""The plan: which pages to visit now, so that the collection stays as young as a number of visits can keep it.

Pages and sites are numbers here, in the order in which they were added; `collection` knows their addresses. A page is 64
bytes; a site with ten pages or more that was visited twice is 1.7 kB (`activity`). Times are days since 1970.

Choosing, step by step:

1. The distribution of each page's rate: its likelihood and the prior of its group (`rates`).
2. The expected age of its copy by now, in which its site's bursts count (`activity`), and what is claimed of it (`trust`).
3. What a visit is worth at that age (`value`). The pages for which it is worth most are chosen.

Age is what is kept low, never freshness: a page that changes every minute is visited at times, and so is one that never does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trasmallo.crawl.revisit import rates
from trasmallo.crawl.revisit.activity import Activity
from trasmallo.crawl.revisit.age import expected_age
from trasmallo.crawl.revisit.page_columns import FREQUENCIES, PAGE, PageGroups
from trasmallo.crawl.revisit.rates import RATES
from trasmallo.crawl.revisit.trust import Trust
from trasmallo.crawl.revisit.value import worth
from trasmallo.crawl.revisit.visits import Source
from trasmallo.values.arrays import Array, Mask

REST = 1 / 24
"""Days that a page is left in peace after a visit. Judgement: an hour, the shortest period of sitemaps but "always"."""

SOURCE_NUMBERS = {source: number for number, source in enumerate(Source)}
_SERVER = SOURCE_NUMBERS[Source.SERVER]
_FIT_SHARE = 0.1  # of the pages: so many visits teach the priors something; .4 with five rounds is no better in the replay
_FIT_ROUNDS = 3  # of EM at a time; it goes on from where it was
_BLOCK_PAGES, _BLOCK_SITES = 1 << 14, 64  # judgement: looked at together; some megabytes that stay in the cache
_BELIEVED = 1.5  # odds from which on a server's Last-Modified dates a change: an unknown site has 2, a liar soon less
_MOMENT = 1 / 1440  # days: a Last-Modified so near the visit is the clock, not the page
_LONGEST_SILENCE = 1_094  # days: a first Last-Modified older than three years tells only that nothing changed since
_SHORTEST_SILENCE = 1.0
"""Days: a first Last-Modified younger than that is mostly of a page that is new, or that was put in place with all of its site.
Judgement: such a site had 16 to 23 changes a day of each page expected of it, which three visits in a quarter of an hour do not
refute."""
_FIRST_RETRY, _LONGEST_RETRY = 1 / 24, 7.0  # days after a failure, doubled with each: judgement
_FULL_COUNT = 65_535  # where the counts of visits stop


def foremost(values: Array, count: int) -> Array:
    """Places of so many of the greatest values; of equals at the end as by lot, but the same on every processor.

    Pages of which the same is known are often neighbours and change together; the first of them may be one corner of a site.
    Mean age at 1/100 in the replay of every sixth page: 3.84 days in the order of places, 3.63 ± .12 in 24 orders by lot.
    """
    if count == 0:
        return np.zeros(0, np.int64)
    least = np.partition(values, -count)[-count]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    lots = equal[np.argsort(_lots(equal), kind="stable")]
    return np.concatenate((above, lots[: count - len(above)]))


def _lots(places: Array) -> Array:
    """A number for each place that looks drawn by chance (SplitMix64: Steele, Lea and Flood, 2014)."""
    mixed = (places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    lots: Array = mixed ^ (mixed >> np.uint64(31))
    return lots


class Planner:
    """What is known of all pages, and the choice among them."""

    KEPT = ("pages", "_unfitted")

    def __init__(self) -> None:
        self.pages: Array = np.zeros(0, PAGE)
        self.activity, self.trust, self.priors = Activity(), Trust(), rates.Priors()
        self.groups = PageGroups(self.priors, self.activity)
        self._unfitted = 0
        self._order: Array | None = None

    def __len__(self) -> int:
        return len(self.pages)

    @property
    def nbytes(self) -> int:
        """Memory of all that is known."""
        order = 0 if self._order is None else self._order.nbytes
        parts = (self.activity, self.trust, self.priors, self.groups)
        return int(self.pages.nbytes + order + sum(part.nbytes for part in parts))

    def add(self, sites: Array, at: Array, modified: Array | None = None) -> Array:
        """Add pages that were visited for the first time; their numbers. `modified` are Last-Modified dates, NaN for none."""
        added = np.zeros(len(sites), PAGE)
        added["site"], added["last"], added["tried"], added["hinted"] = sites, at, at, np.nan
        numbers = np.arange(len(self.pages), len(self.pages) + len(added))
        self.pages = np.concatenate([self.pages, added])
        self.groups.count(sites)
        self._order = None
        if modified is not None:
            self._learn_silence(numbers, at, modified)
        return numbers

    def _learn_silence(self, pages: Array, at: Array, modified: Array) -> None:
        """The first Last-Modified of pages: how long they have not changed."""
        told = np.flatnonzero(modified <= at - _MOMENT)
        chosen, silence = pages[told], (at - modified)[told]
        known = self.pages["likelihood"][chosen].astype(float)
        never = silence >= _LONGEST_SILENCE
        found = rates.dated(known, np.maximum(silence, _SHORTEST_SILENCE))
        found[never] = rates.observed(known[never], silence[never], np.zeros(int(never.sum()), bool))
        self.pages["likelihood"][chosen] = found

    def learn(self, pages: Array, at: Array, changed: Mask, modified: Array | None = None) -> None:
        """Visits, one a page: whether each had changed since the one before. `modified` are Last-Modified dates or NaN."""
        if not len(pages):
            return
        self.activity.advance(float(at.max()))
        known = self.pages[pages]
        begins, ends = known["last"], np.maximum(at, known["last"] + _MOMENT)
        self.groups.note_visits(known["site"])
        spans = self.groups.rows[known["site"]], begins, ends
        exposure = self.activity.own_time(*spans)
        self._judge_claims(known, changed)
        dates = self._believed(known, ends, changed, modified)
        known["likelihood"] = rates.observed(known["likelihood"], exposure, changed)
        self._learn_dated(known, self.pages["likelihood"][pages], dates, ends)
        self._learn_activity(known, spans, exposure, changed, dates)
        known["last"] = np.maximum(at, known["last"])
        known["tried"] = known["last"]
        known["visits"] += known["visits"] < _FULL_COUNT
        known["changes"] += changed & (known["changes"] < _FULL_COUNT)
        known["failures"] = known["gone"] = 0
        self.pages[pages] = known
        self._unfitted += len(pages)

    def _judge_claims(self, known: Array, changed: Mask) -> None:
        told = ~np.isnan(known["hinted"])
        claimed = known["hinted"][told] > known["last"][told]
        self.trust.learn(known["site"][told], known["source"][told].astype(int), changed[told], claimed)

    def _believed(self, known: Array, ends: Array, changed: Mask, modified: Array | None) -> Array:
        """When each page changed by a server that can be believed, NaN where none says so; the server is judged as well."""
        if modified is None:
            return np.full(len(known), np.nan)
        told = (modified <= ends - _MOMENT) & (modified > 0)
        claimed = modified > known["last"]
        sites, server = known["site"], np.full(len(known), _SERVER)
        odds = self.trust.odds(sites, server, np.ones(len(known), bool))
        self.trust.learn(sites[told], server[told], changed[told], claimed[told])
        return np.where(told & claimed & changed & (odds >= _BELIEVED), modified, np.nan)

    def _learn_dated(self, known: Array, before: Array, dates: Array, ends: Array) -> None:
        """Where the time of the change is known, that counts instead of the whole interval."""
        told = np.flatnonzero(~np.isnan(dates))
        if len(told):
            since = self.activity.own_time(self.groups.rows[known["site"][told]], dates[told], ends[told])
            known["likelihood"][told] = rates.dated(before[told], since)

    def _learn_activity(
        self, known: Array, spans: tuple[Array, Array, Array], exposure: Array, changed: Mask, dates: Array
    ) -> None:
        shares = rates.posterior(known["likelihood"], self.priors.rows[self.groups.priors_of(known)])
        seen = (shares * (RATES / -np.expm1(-exposure[:, None] * RATES))).sum(axis=1)
        undated = np.isnan(dates)
        self.activity.learn(*spans, (shares * RATES).sum(axis=1), np.where(changed & undated, seen, 0.0))
        self.activity.mark(spans[0][~undated], dates[~undated])

    def fail(self, pages: Array, at: Array) -> None:
        """Visits that told nothing of their pages: they wait before they are tried again, longer each time."""
        known = self.pages[pages]
        known["tried"] = at
        known["failures"] += known["failures"] < np.iinfo(np.uint8).max
        self.pages[pages] = known

    def mark_gone(self, pages: Array, at: Array) -> None:
        """Visits that found no page any more: each halves what the next is worth, until one finds it again.

        They teach no rates: a site that is being repaired says so of all its pages for an hour, and has changed none.
        """
        known = self.pages[pages]
        known["last"] = np.maximum(at, known["last"])
        known["tried"] = known["last"]
        known["failures"] = 0
        known["gone"] += known["gone"] < np.iinfo(np.uint8).max
        self.pages[pages] = known

    def hint(self, pages: Array, source: Source, modified: Array, frequencies: Array, now: float) -> None:
        """What a source claims of pages: when each changed (NaN where it does not say), and how often, by `FREQUENCIES`.

        A date in the future is no date. The later of two claims counts.
        """
        dates = np.where(modified <= now + _MOMENT, modified, np.nan)
        known = self.pages[pages]
        later = ~np.isnan(dates) & ~(known["hinted"] > dates)
        known["source"] = np.where(later, SOURCE_NUMBERS[source], known["source"])
        known["hinted"] = np.where(later, dates, known["hinted"])
        known["frequency"] = np.where(frequencies > 0, frequencies, known["frequency"])
        self.pages[pages] = known
        self.groups.part(known["site"], known["frequency"])

    def choose(self, now: float, budget: int, *, rest: float = REST) -> tuple[Array, Array, Array]:
        """The pages to visit, the most urgent first, what each visit is worth, and how old each copy is to be expected.

        They are fewer than the budget when the others were visited a moment ago: within the `rest`, in days.
        """
        values, ages = self.values(now)
        able = np.flatnonzero(self._may_be_visited(now, rest))
        count = min(max(budget, 0), len(able))
        if count < len(able):
            able = able[foremost(values[able], count)]
        chosen = able[np.argsort(-values[able], kind="stable")]
        return chosen, values[chosen], ages[chosen]

    def _may_be_visited(self, now: float, rest: float) -> Mask:
        failures = self.pages["failures"].astype(np.float32)
        retry = np.where(failures > 0, np.minimum(_FIRST_RETRY * 2 ** np.minimum(failures, 20), _LONGEST_RETRY), 0)
        # What was visited just now may seem to be later: clocks are set, and `tried` is kept to some minutes only.
        rested = now - self.pages["last"] >= rest if rest > 0 else np.ones(len(self.pages), bool)
        may: Mask = rested & ((failures == 0) | (now - self.pages["tried"] >= retry))
        return may

    def values(self, now: float) -> tuple[Array, Array]:
        """What a visit to each page is worth, and the expected age of its copy in days."""
        if self._unfitted >= max(1.0, _FIT_SHARE * len(self.pages)):
            self.fit()
        self.activity.advance(now)
        values, ages = np.zeros(len(self.pages), np.float32), np.zeros(len(self.pages), np.float32)
        for numbers, first, table in self._blocks(now):
            known = self.pages[numbers]
            shares = rates.posterior(known["likelihood"], self.priors.rows[self.groups.priors_of(known)])
            expected = self._expected_ages(known, shares, first, table, now)
            ages[numbers] = expected
            values[numbers] = np.ldexp(worth(shares, expected), -known["gone"].astype(np.int32))
        return values, ages

    def _blocks(self, now: float) -> Iterator[tuple[Array, int, Array | None]]:
        """Pages of neighbouring sites, the first of the sites' rows of the activity, and ages by day (None: no activity)."""
        if self._order is None or self.groups.moved:
            self._order = np.argsort(self.groups.rows[self.pages["site"]], kind="stable").astype(np.int32)
            self.groups.moved = False
        rows = self.groups.rows[self.pages["site"][self._order]]
        for first in range(-_BLOCK_SITES, len(self.activity), _BLOCK_SITES):
            begin, end = np.searchsorted(rows, [first, first + _BLOCK_SITES])
            table = self.activity.ages(slice(first, first + _BLOCK_SITES), now) if first >= 0 and end > begin else None
            for at in range(begin, end, _BLOCK_PAGES):
                yield self._order[at : min(at + _BLOCK_PAGES, end)], first, table

    def _expected_ages(self, known: Array, shares: Array, first: int, table: Array | None, now: float) -> Array:
        passed = np.maximum(now - known["last"], 0)
        if table is None:
            expected = (shares * expected_age(RATES, passed[:, None])).sum(axis=1)
        else:
            rows = self.groups.rows[known["site"]] - first
            expected = _aged(shares, table, rows, known["last"] - self.activity.first_day, passed)
        return self._with_claims(known, shares, expected, now)

    def _with_claims(self, known: Array, shares: Array, expected: Array, now: float) -> Array:
        """Expected ages of pages of which a source says something: by how far it is right as a rule."""
        told = np.flatnonzero(~np.isnan(known["hinted"]))
        if not len(told):
            return expected
        some, last, dates = known[told], known["last"][told], known["hinted"][told]
        passed, claimed = np.maximum(now - last, 0), dates > last
        fresh = np.minimum((shares[told] * np.exp(-RATES * passed[:, None])).sum(axis=1), 1)
        odds = self.trust.odds(some["site"], some["source"].astype(int), claimed) * (1 - fresh) / np.maximum(fresh, 1e-9)
        changed = odds / (1 + odds)
        by_date = changed * np.clip(now - dates, 0, passed)
        expected[told] = np.where(claimed, by_date, expected[told] * changed / np.maximum(1 - fresh, 1e-9))
        return expected

    def fit(self) -> None:
        """Learn the priors anew from what is known of the pages."""
        for _ in range(_FIT_ROUNDS):
            sums, pages = np.zeros((len(self.priors.rows), len(RATES))), np.zeros(len(self.priors.rows))
            for begin in range(0, len(self.pages), _BLOCK_PAGES):
                known = self.pages[begin : begin + _BLOCK_PAGES]
                rows = self.groups.priors_of(known)
                shares = rates.posterior(known["likelihood"], self.priors.rows[rows])
                pages += np.bincount(rows, minlength=len(pages))
                for rate in range(len(RATES)):
                    sums[:, rate] += np.bincount(rows, shares[:, rate], len(pages))
            self.priors.fit(sums, pages)
        self._unfitted = 0

    def expected_freshness(self, now: float) -> float:
        """The share of copies that are to be expected to be as their pages are; bursts are not looked at."""
        fresh = 0.0
        for first in range(0, len(self.pages), _BLOCK_PAGES):
            known = self.pages[first : first + _BLOCK_PAGES]
            passed = np.maximum(now - known["last"], 0.0)[:, None]
            fresh += float((self._shares(known) * np.exp(-RATES * passed)).sum())
        return min(fresh / max(len(self.pages), 1), 1.0)  # shares add up to 1 to seven digits

    def site_rates(self) -> tuple[Array, Array]:
        """Of each site how many pages it has, and the changes a day of one of them as `rates_of` tells them."""
        sites = len(self.groups.rows)
        numbers, sums = np.zeros(sites, int), np.zeros((sites, len(RATES)))
        for first in range(0, len(self.pages), _BLOCK_PAGES):
            known = self.pages[first : first + _BLOCK_PAGES]
            np.add.at(sums, known["site"], self._shares(known))
            numbers += np.bincount(known["site"], minlength=sites)
        spread = sums / np.maximum(numbers, 1)[:, None]
        return numbers, rates.credible(spread)

    def mean_rates(self) -> Array:
        """The changes a day of each page that are to be expected."""
        means = np.zeros(len(self.pages))
        for first in range(0, len(self.pages), _BLOCK_PAGES):
            known = self.pages[first : first + _BLOCK_PAGES]
            means[first : first + _BLOCK_PAGES] = (self._shares(known) * RATES).sum(axis=1)
        return means

    def _shares(self, known: Array) -> Array:
        """The distribution of each page's rate."""
        return rates.posterior(known["likelihood"], self.priors.rows[self.groups.priors_of(known)])

    def rates_of(self, pages: Array) -> Array:
        """A row for each page: its changes a day, and the ends of the interval that holds them with a chance of .9."""
        return rates.credible(self._shares(self.pages[pages]))


def _aged(shares: Array, table: Array, rows: Array, begins: Array, passed: Array) -> Array:
    """Expected ages from the table of a block; `begins` count from its first day, before which all days are ordinary."""
    last = table.shape[1] - 1
    day = np.clip(begins.astype(int), 0, last - 1)
    before, after = (np.einsum("ij,ij->i", shares, table[rows, at]) for at in (day, day + 1))
    # Between two beginnings of days an age goes with the square of the time, as that of an ordinary page does.
    longer, shorter = passed + (begins - day), np.maximum(passed + (begins - day - 1), 0)
    part = (longer**2 - passed**2) / np.maximum(longer**2 - shorter**2, 1e-9)
    expected: Array = before + np.clip(part, 0, 1) * (after - before)
    old = np.flatnonzero(begins < 0)
    if len(old):
        early = -begins[old]
        gone_by = -np.expm1(-RATES * early[:, None])
        whole = expected_age(RATES, early[:, None]) + gone_by * (passed[old] - early)[:, None]
        expected[old] = (shares[old] * (whole + (1 - gone_by) * table[rows[old], 0])).sum(axis=1)
    return expected


__all__ = ["FREQUENCIES", "REST", "Planner", "foremost"]

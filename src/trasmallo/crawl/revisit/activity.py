"""When each site was busy: most changes come in bursts, so what some pages show tells of the others.

A page changes λ·m(day) times a day, where m is its site's activity: 1 on an ordinary day, many times that on a day on which
the site was rebuilt or its maintainers were at work, less in a quiet week (a proportional-hazards model, Cox 1972). Time
weighted with m is the site's own time; counted in it a page's changes are as regular as the arithmetic of `rates` takes them
to be. m of a day is learnt from the visits whose interval covers it (a step of EM at each visit): expected changes by λ alone
are its exposure, and the change that was seen is shared out among the days by what is known of them.

Kept for sites with several pages once one was visited again: two numbers a day for 200 days, 1,600 bytes a site.
"""

from __future__ import annotations

import numpy as np

from trasmallo.crawl.revisit.rates import RATES
from trasmallo.values.arrays import Array

WINDOW = 200
"""Days for which activity is kept: twice what a page waits at one visit in a hundred days; 400 are no better in the replay."""

SHRINKAGE = 0.3
"""Expected changes that the belief in an ordinary day counts for: of .1, .3, 1 and 3 the best in the replay of open.npz."""

LIVELY = 3.0
"""Activity from which on a day is worth a word. Judgement."""


class Activity:
    """Activity by site and day; sites are rows here, times are days since 1970."""

    KEPT = ("today", "_changes", "_exposure")

    def __init__(self) -> None:
        self.today = 0
        self._changes: Array = np.zeros((0, WINDOW), np.float32)
        self._exposure: Array = np.zeros((0, WINDOW), np.float32)

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def nbytes(self) -> int:
        """Memory of what is known of all days."""
        return int(self._changes.nbytes + self._exposure.nbytes)

    @property
    def first_day(self) -> int:
        """The oldest day that is known."""
        return self.today - WINDOW + 1

    def add_rows(self, number: int) -> None:
        """Begin with so many more sites."""
        more = np.zeros((number, WINDOW), np.float32)
        self._changes, self._exposure = np.concatenate([self._changes, more]), np.concatenate([self._exposure, more])

    def advance(self, now: float) -> None:
        """Make room for the days up to now; nothing is known of them yet."""
        days = int(now) - self.today
        if days <= 0:
            return
        kept = max(WINDOW - days, 0)
        for column in (self._changes, self._exposure):
            column[:, :kept] = column[:, WINDOW - kept :]
            column[:, kept:] = 0
        self.today = int(now)

    def levels(self, rows: Array | slice) -> Array:
        """Activity of each day of some sites, from the first known day to today."""
        levels: Array = (self._changes[rows] + SHRINKAGE) / (self._exposure[rows] + SHRINKAGE)
        return levels

    def own_time(self, rows: Array, begins: Array, ends: Array) -> Array:
        """Days of their sites' own time between two moments each; a row of -1 has no site, its days are ordinary."""
        passed = ends - begins
        known = np.flatnonzero(rows >= 0)
        sites, places = np.unique(rows[known], return_inverse=True)
        sums = np.zeros((len(sites), WINDOW + 1))
        np.cumsum(self.levels(sites), axis=1, out=sums[:, 1:])
        until = self._sum_until(sums, places, ends[known])
        passed[known] = until - self._sum_until(sums, places, begins[known])
        own: Array = np.maximum(passed, 1e-6)
        return own

    def _sum_until(self, sums: Array, places: Array, times: Array) -> Array:
        """Own time from the first known day to a moment; before that day all days are ordinary."""
        at = times - self.first_day
        inside = np.clip(at, 0, WINDOW - 1e-9)
        day = inside.astype(int)
        whole = sums[places, day]
        sum_until: Array = whole + (inside - day) * (sums[places, day + 1] - whole) + np.minimum(at, 0)
        return sum_until

    def learn(self, rows: Array, begins: Array, ends: Array, exposure: Array, changes: Array) -> None:
        """Add visits: between the two moments of each `exposure` changes a day were to be expected by the page's rate alone.

        `changes` is 0 for a visit without a change, else the changes a day of activity 1 that the one seen stands for.
        """
        known = rows >= 0
        sites, places = np.unique(rows[known], return_inverse=True)
        spans = places, begins[known] - self.first_day, ends[known] - self.first_day
        self._changes[sites] += self.levels(sites) * _spread(len(sites), *spans, changes[known])
        self._exposure[sites] += _spread(len(sites), *spans, exposure[known])

    def mark(self, rows: Array, times: Array) -> None:
        """Add changes whose time is known; those before the first known day, or of no site, say nothing."""
        days = times.astype(int) - self.first_day
        known = (rows >= 0) & (days >= 0)
        np.add.at(self._changes, (rows[known], days[known]), 1)

    def busiest(self, row: int, since: float) -> tuple[int, float]:
        """The day of highest activity of a site since a moment, as a number of days since 1970, and how high it was."""
        levels = self.levels(np.array([row]))[0]
        first = min(max(int(since) - self.first_day, 0), WINDOW - 1)
        day = first + int(levels[first:].argmax())
        return self.first_day + day, float(levels[day])

    def ages(self, rows: slice, now: float) -> Array:
        """Expected age now of a copy made at the beginning of each known day, by site, day and rate; then one made now."""
        # A clock that was set back leaves days that have not begun yet.
        spans = np.clip(now - np.arange(self.first_day, self.today + 1), 0, 1).astype(np.float32)
        left = np.append(np.cumsum(spans[::-1])[::-1][1:], 0).astype(np.float32)
        x = (self.levels(rows) * spans)[:, :, None] * RATES.astype(np.float32)
        changed = -np.expm1(-x)
        # Age gathered during the day itself, and until now if the page changed on that day.
        within = np.where(x < 0.02, x * (0.5 - x / 6), 1 - changed / np.maximum(x, 0.02))
        gathered = within * spans[:, None] + changed * left[:, None]
        ages = np.zeros((len(x), len(spans) + 1, len(RATES)), np.float32)
        same = np.subtract(1, changed, out=changed)
        for day in range(len(spans) - 1, -1, -1):
            np.multiply(same[:, day], ages[:, day + 1], out=ages[:, day])
            ages[:, day] += gathered[:, day]
        return ages


def _spread(sites: int, places: Array, begins: Array, ends: Array, weights: Array) -> Array:
    """Weights a day laid on the days of each interval, by site and day; part of a day gets its part."""
    # Each edge of an interval is a step at its day, of which the rest falls on the next; summed up they are the overlaps.
    wide = WINDOW + 2
    steps = np.zeros(sites * wide)
    for edges, sign in ((begins, 1.0), (ends, -1.0)):
        at = np.clip(edges, 0, WINDOW)
        day = at.astype(int)
        rest = at - day
        for shift, part in ((0, 1 - rest), (1, rest)):
            steps += np.bincount(places * wide + day + shift, sign * weights * part, len(steps))
    return np.cumsum(steps.reshape(sites, wide), axis=1)[:, :WINDOW].astype(np.float32)

"""A page in 64 bytes, and the groups that pages belong to: what is shared by a site, or by its pages of one changefreq."""

from __future__ import annotations

import numpy as np

from trasmallo.crawl.revisit.activity import Activity
from trasmallo.crawl.revisit.rates import RATES, Priors
from trasmallo.values.arrays import Array, Whole

PAGE = np.dtype(
    [
        ("last", np.float64),  # the last visit that told something, in days since 1970
        ("hinted", np.float64),  # when it changed by what is claimed of it; NaN where nothing is
        ("likelihood", np.float16, len(RATES)),
        ("tried", np.float32),  # the last visit, to some minutes
        ("site", np.int32),
        ("visits", np.uint16),  # after the first
        ("changes", np.uint16),
        ("source", np.uint8),  # of the claim
        ("frequency", np.uint8),  # place in FREQUENCIES
        ("failures", np.uint8),  # since the last visit that told something
        ("gone", np.uint8),  # times that it was not found
    ]
)

FREQUENCIES = ("", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""What a sitemap may say of how often a page changes; "" where it says nothing."""

FEWEST_PAGES = 10
"""Pages from which on a site has a prior and an activity of its own. Judgement: what fewer show is shared by the collection."""


class PageGroups:
    """Numbers of rows: of the activity for each site (-1 for none), of the priors for each site and changefreq."""

    KEPT = ("_pages", "_rows", "rows", "moved")

    def __init__(self, priors: Priors, activity: Activity) -> None:
        self._priors, self._activity = priors, activity
        self._pages: Whole = np.zeros(0, np.int64)
        self._rows: Array = np.zeros((0, len(FREQUENCIES)), np.int32)
        self.rows: Array = np.zeros(0, np.int32)
        self.moved = False

    @property
    def nbytes(self) -> int:
        """Memory of all numbers."""
        return int(self._pages.nbytes + self._rows.nbytes + self.rows.nbytes)

    def count(self, sites: Array) -> None:
        """Pages of these sites were added; those that have enough by now get a prior of their own."""
        if not len(sites):
            return
        more = max(int(sites.max()) + 1 - len(self._pages), 0)
        self._pages = np.concatenate([self._pages, np.zeros(more, np.int64)])
        self._rows = np.concatenate([self._rows, np.zeros((more, len(FREQUENCIES)), np.int32)])
        self.rows = np.concatenate([self.rows, np.full(more, -1, np.int32)])
        self._pages += np.bincount(sites, minlength=len(self._pages))
        grown = np.flatnonzero((self._pages >= FEWEST_PAGES) & (self._rows[:, 0] == 0))
        self._rows[grown] = self._priors.add_rows(np.zeros(len(grown), np.int32))[:, None]

    def part(self, sites: Array, frequencies: Array) -> None:
        """Pages of these sites have a changefreq: those of one kind share a prior, behind which stands their site's."""
        pairs = np.unique(np.stack([sites, frequencies], axis=1), axis=0) if len(sites) else np.zeros((0, 2), int)
        site, frequency = pairs[:, 0].astype(int), pairs[:, 1].astype(int)
        own = self._rows[site, 0]
        fresh = (own > 0) & (frequency > 0) & (self._rows[site, frequency] == own)
        self._rows[site[fresh], frequency[fresh]] = self._priors.add_rows(own[fresh])

    def note_visits(self, sites: Array) -> None:
        """Pages of these sites were visited again: from now on their days are told apart."""
        found = np.unique(sites)
        fresh = found[(self._pages[found] >= FEWEST_PAGES) & (self.rows[found] < 0)]
        if len(fresh):
            self.rows[fresh] = np.arange(len(self._activity), len(self._activity) + len(fresh))
            self._activity.add_rows(len(fresh))
            self.moved = True

    def priors_of(self, pages: Array) -> Array:
        """The row of the priors of each of these pages."""
        rows: Array = self._rows[pages["site"], pages["frequency"]]
        return rows

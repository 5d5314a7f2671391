"""How far sitemaps and feeds are to be trusted, learnt site by site from visits.

A hint claims that a page changed since it was seen, or (with an older date) that it did not. Each visit to a page with a hint
shows whether that was true. From these the chances of a claim are learnt, if the page did change and if it did not; their
quotient is what a claim is worth (Bayes). A sitemap that says everything changed today, or nothing ever, has equal chances for
both and is worth nothing; so has one that is never brought up to date.
"""

from __future__ import annotations

import numpy as np

from trasmallo.values.arrays import Array

SOURCES = 3
"""As many as `visits.Source` has."""

_BEFORE = ((2.0, 1.0), (1.0, 2.0))
"""Visits that nobody made, by [changed or not][claimed or not]: a site that is not known is believed two to one. Judgement."""


class Trust:
    """Counts by site, source, whether it had changed, and whether that was claimed."""

    KEPT = ("_counts",)

    def __init__(self) -> None:
        self._counts: Array = np.zeros((0, SOURCES, 2, 2), np.float32)

    @property
    def nbytes(self) -> int:
        """Memory of the counts."""
        return int(self._counts.nbytes)

    def learn(self, sites: Array, sources: Array, changed: Array, claimed: Array) -> None:
        """What visits showed of claims."""
        if not len(sites):
            return
        more = int(sites.max()) + 1 - len(self._counts)
        if more > 0:
            self._counts = np.concatenate([self._counts, np.zeros((more, SOURCES, 2, 2), np.float32)])
        np.add.at(self._counts, (sites, sources, 1 - changed.astype(int), 1 - claimed.astype(int)), 1)

    def odds(self, sites: Array, sources: Array, claimed: Array) -> Array:
        """By how much a claim, or its absence, multiplies the odds that a page changed."""
        counts = np.tile(np.array(_BEFORE), (len(sites), 1, 1))
        known = sites < len(self._counts)
        counts[known] += self._counts[sites[known], sources[known]]
        chances = counts / counts.sum(axis=2, keepdims=True)
        column = 1 - claimed.astype(int)
        rows = np.arange(len(sites))
        odds: Array = chances[rows, 0, column] / chances[rows, 1, column]
        return odds

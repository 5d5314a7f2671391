"""How often each page changes: a distribution over rates, from irregular visits, with a prior learnt from its neighbours.

The rate λ of a page is one of sixteen, from one change in 14 years to one an hour. A visit that finds a change after x days
has the likelihood 1 − e^−λx, one that finds none e^−λx (Cho and Garcia-Molina, 2003: only "changed or not" is seen). The
logarithms of a page's likelihood are all that is kept of its visits: 32 bytes. The prior is fitted to the pages themselves
(empirical Bayes): a group's prior is the mean of its pages' distributions and, as much as ten pages, of that of the
collection; so a small group is judged by the whole and a large one by itself.
"""

from __future__ import annotations

import numpy as np

from trasmallo.values.arrays import Array

RATES: Array = np.geomspace(2e-4, 24.0, 16)
"""Changes a day that are told apart: neighbours differ by a factor of 2.2, below what a few visits can tell."""

PRIOR_PAGES = 10.0
"""Pages that the collection's prior counts for in a group's. Judgement: what the replay's own policy of this kind takes."""

LEAST = -60.0
"""Lowest logarithm of a likelihood that is kept: e^−60 is as good as impossible, and a page may still change its ways."""

_CREDIBLE = 0.9  # judgement: the usual share of an interval
_TINY = 1e-12  # keeps logarithms finite
_FLAT = np.full(len(RATES), 1 / len(RATES), np.float32)


def unseen(pages: int) -> Array:
    """Likelihoods of so many pages of which nothing is known."""
    return np.zeros((pages, len(RATES)), np.float16)


def observed(likelihoods: Array, exposure: Array, changed: Array) -> Array:
    """Likelihoods after a visit each: so many days (of the site's own time, see `activity`) passed, and it changed or not."""
    x = exposure[:, None] * RATES
    added = np.where(changed[:, None], np.log(-np.expm1(-x) + _TINY), -x)
    return _kept(likelihoods + added)


def dated(likelihoods: Array, since: Array) -> Array:
    """Likelihoods after each page told when it last changed: so many days (of its site's own time) ago, and not since."""
    return _kept(likelihoods + np.log(RATES) - since[:, None] * RATES)


def _kept(likelihoods: Array) -> Array:
    best = likelihoods.max(axis=1, keepdims=True)
    kept: Array = np.maximum(likelihoods - best, LEAST).astype(np.float16)
    return kept


def posterior(likelihoods: Array, priors: Array) -> Array:
    """Chance of each rate for each page; `priors` has a row for each page, or one for all."""
    shares = np.exp(likelihoods.astype(np.float32)) * priors
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def credible(shares: Array) -> Array:
    """A row for each page: its mean rate, and the ends of the interval that holds it with a chance of nine in ten."""
    steps = np.zeros((len(shares), len(RATES) + 1))
    np.cumsum(shares, axis=1, out=steps[:, 1:])
    steps /= steps[:, -1:]
    mean = (shares * RATES).sum(axis=1)  # not by `@`, whose last bits depend on how many pages are asked for
    low, high = (_quantile(steps, chance) for chance in ((1 - _CREDIBLE) / 2, (1 + _CREDIBLE) / 2))
    return np.stack([mean, np.minimum(low, mean), np.maximum(high, mean)], axis=1)


def _quantile(steps: Array, chance: float) -> Array:
    """The rate below which each page's is with a chance; between the edges of two rates logarithms are interpolated."""
    half = (np.log(RATES[1]) - np.log(RATES[0])) / 2
    edges = np.append(np.log(RATES) - half, np.log(RATES[-1]) + half)
    rows, place = np.arange(len(steps)), np.clip((steps < chance).sum(axis=1), 1, len(RATES))
    before, after = steps[rows, place - 1], steps[rows, place]
    part = (chance - before) / np.maximum(after - before, _TINY)
    quantile: Array = np.exp(edges[place - 1] + part * (edges[place] - edges[place - 1]))
    return quantile


class Priors:
    """Distributions of rates: row 0 is the collection's, each other that of a group of pages (a site, or part of one).

    `parents` names the row that stands behind each.
    """

    KEPT = ("rows", "parents")

    def __init__(self) -> None:
        self.rows: Array = _FLAT[None].copy()
        self.parents: Array = np.zeros(1, np.int32)

    @property
    def nbytes(self) -> int:
        """Memory of all rows."""
        return int(self.rows.nbytes + self.parents.nbytes)

    def add_rows(self, parents: Array) -> Array:
        """A new row behind each of these, which begins as that one is; their numbers."""
        numbers = np.arange(len(self.rows), len(self.rows) + len(parents))
        self.rows = np.concatenate([self.rows, self.rows[parents]])
        self.parents = np.concatenate([self.parents, parents.astype(np.int32)])
        return numbers

    def fit(self, sums: Array, pages: Array) -> None:
        """One round: `sums` are the distributions of each row's own pages added up, `pages` their numbers."""
        self.rows[0] = (sums.sum(axis=0) + _FLAT) / (pages.sum() + 1)
        for rows in (np.flatnonzero(self.parents[1:] == 0) + 1, np.flatnonzero(self.parents)):
            behind = PRIOR_PAGES * self.rows[self.parents[rows]]
            self.rows[rows] = (sums[rows] + behind) / (pages[rows] + PRIOR_PAGES)[:, None]

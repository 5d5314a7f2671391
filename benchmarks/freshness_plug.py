"""The product's planner as a policy for the replay of real changes: `replay.py open.npz --plug freshness_plug:Policy`.

The replay counts days from 0 and hands out times since the last visit; the planner counts days since 1970. Nothing else happens
here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trasmallo.crawl.revisit.planner import Planner, foremost

BEGIN = 20_000.0
"""The day on which the replay begins; any will do."""


class Policy:
    """`add`, `pick` and `result` as the replay calls them."""

    def __init__(self, pages: int, site: Any, _rng: Any, _dt: float) -> None:
        self.planner, self._site = Planner(), np.asarray(site)
        self._numbers, self._names = np.full(pages, -1), np.zeros(0, int)
        self._now = BEGIN

    def add(self, idx: Any, lm_age: Any) -> None:
        """Pages that are new."""
        at = np.full(len(idx), self._now)
        modified = None if lm_age is None else at - np.asarray(lm_age)
        self._numbers[idx] = self.planner.add(self._site[idx], at, modified)
        self._names = np.concatenate([self._names, idx])

    def pick(self, k: int, tau: Any, live: Any) -> Any:
        """The pages to visit now."""
        known = self._names
        # Ticks without a visit are not told, so the clock is read from a page whose last visit is known.
        self._now = float(self.planner.pages["last"][0] + tau[known[0]])
        # The replay says when each page was last visited; pages born between two ticks differ a little from `add`.
        self.planner.pages["last"] = self._now - tau[known]
        values, _ages = self.planner.values(self._now)
        values = np.where(live[known], values, -np.inf)
        return known[foremost(values, k)]

    def result(self, idx: Any, _tau: Any, changed: Any, lm_age: Any) -> None:
        """What the visits found."""
        at = np.full(len(idx), self._now)
        modified = None if lm_age is None else at - np.asarray(lm_age)
        self.planner.learn(self._numbers[idx], at, np.asarray(changed), modified)

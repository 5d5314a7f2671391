"""Tally of a run's outcomes, kept up to date while its rows are put into the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from trasmallo.values.model import Outcome

_LAST = (Outcome.FETCHED, Outcome.UNCHANGED, Outcome.REDIRECTED)
"""Outcomes after which an address is not asked for again in the same run."""


class OutcomeTally:
    """How asking for each URL of a run last ended, and the bytes of all answers.

    `open_ends` are the URLs that may be asked for again, by their hashes: about 100 bytes of memory each.
    """

    def __init__(self, outcomes: Mapping[Outcome, int], received: int, open_ends: dict[bytes, Outcome]) -> None:
        self.outcomes = Counter(outcomes)
        self.received = received
        self._open_ends = open_ends

    def add(self, key: bytes, outcome: Outcome, size: int) -> None:
        """A row was put for the URL of this hash."""
        before = self._open_ends.pop(key, None) if self._open_ends else None
        if before is not None:
            self.outcomes[before] -= 1
        self.outcomes[outcome] += 1
        self.received += size
        if may_be_asked_again(outcome):
            self._open_ends[key] = outcome


def may_be_asked_again(outcome: Outcome) -> bool:
    """Whether another row may follow in the same run."""
    return outcome not in _LAST

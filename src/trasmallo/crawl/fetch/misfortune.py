"""How the parts of the fetcher tell each other that asking for a URL failed."""

from __future__ import annotations

from trasmallo.values.model import Outcome


class Misfortune(Exception):
    """A request that brings no answer; `Fetcher.get` turns it into a `Failure`, so that it never leaves the fetcher."""

    def __init__(self, outcome: Outcome, cause: str) -> None:
        super().__init__(cause)
        self.outcome = outcome
        self.cause = cause

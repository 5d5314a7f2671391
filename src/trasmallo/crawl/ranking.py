"""Ranking of what waits: how a crawl orders its queues, and how it says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from trasmallo.crawl.frontier import Frontier, Reprioritise
from trasmallo.values.model import Failure, Response, Target

FIRST = -1
"""Priorities up to this one are not ranked: sitemaps, which go before all pages."""


class Ranked(msgspec.Struct, frozen=True):
    """Score of an address that waits, what it is made of, and that in words."""

    score: float = 0.0
    parts: dict[str, float] = {}
    why: str = ""


class Ranker(Protocol):
    """Gives addresses their priorities, from 1 on; a lower one goes first."""

    def rank(
        self, page: Target, answer: Response | None, found: Sequence[Target], stated: Mapping[str, float]
    ) -> Sequence[Target]:
        """What a page leads to, with priorities; `answer` is None for a list, `stated` are a sitemap's priorities."""

    def moves(self) -> dict[str, int]:
        """Other priorities of what waits; nothing as a rule."""

    def explain(self, target: Target) -> Ranked:
        """Score and reasons of what waits."""

    @property
    def keeps_all(self) -> bool:
        """Whether every page is kept, so that nobody need ask what is off topic."""

    def off_topic(self, pages: Sequence[tuple[Target, Response | Failure]]) -> dict[str, str]:
        """Of pages that were ranked, those that are not to be kept, by the addresses of their targets, and why."""

    @property
    def ended(self) -> str:
        """Why the crawl is to end, "" when it is not."""

    def tell(self) -> tuple[bytes, ...]:
        """What other workers of the crawl should know since the last call, as msgpack."""

    def hear(self, told: Sequence[bytes]) -> None:
        """Learn what other workers told."""

    def take_marks(self, marks: Mapping[str, bool]) -> None:
        """From now on these marks of the user count, where no file of this machine has them."""

    def report(self) -> None:
        """Write what those who look want to know, if there is news."""

    def save(self) -> None:
        """Write what was learned."""


async def move_waiting(frontier: Frontier, ranker: Ranker | None) -> None:
    """Bring what waits into another order, where what was learned since is worth it."""
    if ranker is not None and (moved := ranker.moves()):
        await frontier.control(Reprioritise(moved))

"""Leases that the lines of a crawler hold, and until when each may be used.

A lease that its frontier keeps for everybody else is over some day. In the first part of its time pages of its host are asked
for; in the rest only answers that are on their way are awaited, and then given up, so that no host is ever asked by two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from trasmallo.crawl.frontier import Frontier, Lease
from trasmallo.crawl.live import LineActivity

LEASE_SECONDS = 600.0
"""Seconds that a frontier is to keep a lease after its worker was heard of. Judgement: longer than any answer takes."""

USABLE = 0.8
"""Share of a lease's time in which pages are asked for; what is under way is given up before the rest of it is over."""

_GIVEN_UP = 0.95
"""Share of its time after which what is under way is given up. Judgement: a second is left, and it is looked every second."""


class LeaseOver(Exception):
    """The time of a lease is over: its host may soon be asked by another worker."""


class HeldLeases:
    """The leases of one crawler, of `seconds` each."""

    def __init__(self, clock: Callable[[], float], seconds: float = LEASE_SECONDS) -> None:
        self.seconds = seconds
        self._clock = clock
        self._until: dict[int, float] = {}
        self._serving: dict[int, tuple[asyncio.Task[None], LineActivity]] = {}
        self._late: set[int] = set()

    def take(self, lease: Lease) -> None:
        """A lease was lent."""
        self._until[lease.token] = lease.until

    def drop(self, token: int) -> None:
        """A lease is finished."""
        self._until.pop(token, None)

    def begin(self, token: int, line: LineActivity) -> None:
        """The task that runs now serves a lease."""
        task = asyncio.current_task()
        assert task is not None, "lines are tasks"
        line.lease = token
        self._serving[token] = task, line

    def end(self, token: int) -> None:
        """Nobody serves a lease any more."""
        self._serving.pop(token, None)
        self._late.discard(token)

    def is_late(self, token: int) -> bool:
        """Whether whoever served a lease was made to give it up."""
        return token in self._late

    def need(self, line: LineActivity) -> None:
        """Raises LeaseOver when the host of a line's lease must not be asked any more."""
        if line.lease in self._until and self._clock() >= self._until[line.lease]:
            raise LeaseOver

    async def extend(self, frontier: Frontier) -> None:
        """Say that all are at work; to be called every few seconds."""
        held, now = tuple(self._until), self._clock()
        lost = set(await frontier.extend(held, now + self.seconds)) if held else set()
        for token in held:
            if token in self._until:
                self._until[token] = 0.0 if token in lost else now + USABLE * self.seconds
        self.end_late()

    def end_late(self) -> None:
        """Give up downloads of leases that could not be extended; to be called every second, whoever else hangs."""
        end = self._clock() - (_GIVEN_UP - USABLE) * self.seconds
        for token, (task, line) in list(self._serving.items()):
            if end >= self._until.get(token, end + 1) and line.state in ("downloading", "waiting"):
                self._late.add(token)
                task.cancel()

"""Leases that a worker has at hand before its lines need them, so that none waits for the database while there is work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from trasmallo.crawl.frontier.interface import (
    Close,
    Command,
    ControlReply,
    DropExcluded,
    EntryFilter,
    EntryPage,
    FrontierStats,
    Lease,
    LeaseLost,
    LeaseReply,
    Result,
)
from trasmallo.crawl.held_leases import USABLE
from trasmallo.crawl.shared.several_servers import SharedFrontier
from trasmallo.values.model import Target

_POLL = 0.25
"""Seconds after which a worker with nothing to do looks again. Judgement: four looks a second cost nothing."""


_COUNTED_SECONDS = 5.0
"""Seconds that counts of the crawl are good for. Judgement: lines that wait ask at every look, and counting reads all hosts."""


class LeaseStock:
    """A `Frontier` for the lines of one worker, over the one in the database; keep `run` running beside the crawl.

    `wake` is called when leases have come. At most as many hosts wait here as there are `lines`.
    """

    def __init__(self, frontier: SharedFrontier, lines: int, clock: Callable[[], float]) -> None:
        self.wake: Callable[[], None] = lambda: None
        self._frontier = frontier
        self._most = max(1, lines)
        self._clock = clock
        self._stock: deque[Lease] = deque()
        self._hungry, self._ended = asyncio.Event(), asyncio.Event()
        self._urls = 1
        self._next_due: float | None = None
        self._closed = self._resting = False
        self._counted: tuple[float, int, FrontierStats] | None = None

    @property
    def idle(self) -> str:
        """Why there is nothing to lend: delay, empty or budget; "" while there is."""
        if self._stock:
            return ""
        if self._frontier.budget_spent:
            return "budget"
        return "empty" if self._next_due is None else "delay"

    async def run(self) -> None:
        """Keep the stock full while lines want something, until cancelled."""
        while True:
            await self._hungry.wait()
            self._hungry.clear()
            missing = self._most - len(self._stock)
            if missing <= 0:
                continue
            asked = self._clock()
            reply = await self._frontier.lease(asked, missing, self._urls)
            self._next_due = reply.next_due
            if reply.leases:
                self._stock.extend(reply.leases)
                if self._resting:
                    await self.give_back()
                self.wake()
                continue
            soon = _POLL if reply.next_due is None else min(_POLL, max(0.01, reply.next_due - self._clock()))
            self._ended.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(soon):
                    await self._ended.wait()
            self.wake()

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue targets."""
        return await self._frontier.add(targets) if targets else 0

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """One host of those at hand; suspends for nobody."""
        self._urls = urls_per_host
        if not hosts or self._closed:
            return LeaseReply((), self._next_due)
        while self._stock:
            lease = self._stock.popleft()
            if lease.until > now:
                if len(self._stock) <= self._most // 2:
                    self._hungry.set()
                return LeaseReply((lease,))
        self._hungry.set()
        return LeaseReply((), self._next_due)

    async def finish(
        self, lease: Lease, results: Sequence[Result], discovered: Sequence[Target], due: float, state: bytes = b""
    ) -> int:
        """End a lease in the database."""
        new = await self._frontier.finish(lease, results, discovered, due, state)
        self._ended.set()  # its host, or what it found, may be due soon
        return new

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Keep leases, and those at hand too."""
        at_hand, now = [lease.token for lease in self._stock], self._clock()
        lost = set(await self._frontier.extend([*tokens, *at_hand], until))
        usable = now + USABLE * (until - now)
        extended = {token for token in at_hand if token not in lost}
        self._stock = deque(
            msgspec.structs.replace(lease, until=usable) if lease.token in extended else lease
            for lease in self._stock
            if lease.token not in lost
        )
        return tuple(token for token in tokens if token in lost)

    async def rest(self, *, resting: bool) -> None:
        """While the crawl pauses, hold nothing that others might ask about."""
        self._resting = resting
        if resting:
            await self.give_back()

    async def give_back(self) -> None:
        """Let others have the hosts at hand."""
        leases, self._stock = list(self._stock), deque()
        for lease in leases:
            with suppress(LeaseLost):
                await self._frontier.finish(lease, (), (), self._clock())

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """What is queued in the database."""
        return await self._frontier.entries(wanted, cursor, limit)

    async def control(self, command: Command) -> ControlReply:
        """Close it; what rules exclude is dropped once, by the first machine."""
        if isinstance(command, DropExcluded):
            return ControlReply()
        if isinstance(command, Close) and not self._closed:
            self._closed = True
            await self.give_back()
        return await self._frontier.control(command)

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts of all workers, some seconds old at most."""
        if self._counted is not None and self._counted[1] >= hosts and self._clock() - self._counted[0] < _COUNTED_SECONDS:
            return self._counted[2]
        stats = await self._frontier.stats(hosts)
        self._counted = self._clock(), hosts, stats
        return stats

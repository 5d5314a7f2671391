"""A frontier whose hosts are divided among several PostgreSQL servers by their hash.

All that concerns a host is on one server, so a lease ends with one transaction there. What it found on hosts of other servers
is kept in the same transaction (`trasmallo_outbox`) and relayed after it: added there, then removed here. Relaying twice does
no harm, so whoever finds something that a dead worker left relays it. A server that is away delays its own hosts only.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from trasmallo.crawl.frontier.interface import (
    Cause,
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
    Reprioritise,
    Result,
    Retry,
)
from trasmallo.crawl.shared.postgres_frontier import PostgresFrontier
from trasmallo.crawl.shared.queued_targets import Share
from trasmallo.values.model import Target

_ANSWER_SECONDS = 1.0
"""Seconds that the others wait for a server's leases. Judgement: one that lives answers in milliseconds."""

_RELAY_SECONDS = 0.5  # judgement: looks for what dead workers left
_RELAYED_TOGETHER = 20  # judgement: commits whose finds are relayed at once, some thousand addresses


class SharedFrontier(Protocol):
    """What a worker and the first machine ask of a frontier in one or several databases, beside what all frontiers have."""

    lease_seconds: float
    budget_spent: bool

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue targets."""

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """Lend targets of hosts that are due."""

    async def finish(
        self, lease: Lease, results: Sequence[Result], discovered: Sequence[Target], due: float, state: bytes = b""
    ) -> int:
        """End a lease."""

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Keep leases; those that have ended."""

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """What is queued."""

    async def control(self, command: Command) -> ControlReply:
        """Do what a command says."""

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts of all workers."""

    async def has_work(self) -> bool:
        """Whether anything is queued or lent."""


class SeveralServers:
    """A `SharedFrontier` over those of the servers, in their order, which must never change while a crawl lasts."""

    budget_spent = False

    def __init__(self, servers: Sequence[PostgresFrontier]) -> None:
        self.lease_seconds = servers[0].lease_seconds
        self._servers = list(servers)
        self._share = Share(0, len(servers))
        self._held: dict[int, int] = {}
        self._asking: dict[int, asyncio.Task[LeaseReply]] = {}
        self._relaying: dict[int, asyncio.Task[None]] = {}
        self._turn = 0
        self._next_relay = 0.0

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue targets, each on the server of its host."""
        parts = self._share.parted(targets).items()
        return sum(await asyncio.gather(*(self._servers[number].add(part) for number, part in parts)))

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """Lend targets of hosts that are due on any server; what a slow one lends comes with a later call."""
        self._relay()
        self._turn += 1
        order = [(self._turn + step) % self._share.of for step in range(self._share.of)]
        each, more = divmod(hosts, self._share.of)
        wanted = {number: each + (place < more) for place, number in enumerate(order)}
        leases: list[Lease] = []
        dues: list[float] = []
        while wanted:
            full = []
            for number, reply in (await self._ask(now, wanted, urls_per_host)).items():
                leases += reply.leases
                dues += [] if reply.next_due is None else [reply.next_due]
                if len(reply.leases) >= wanted.get(number, hosts + 1):
                    full.append(number)
            # Who gave all it was asked for may have more, where others have none.
            left = hosts - len(leases)
            wanted = {full[0]: left} if full and left > 0 else {}
        return LeaseReply(tuple(leases), None if leases else min(dues, default=None))

    async def _ask(self, now: float, wanted: dict[int, int], urls: int) -> dict[int, LeaseReply]:
        """What servers lend, of those that answer soon; those that were asked before are among them."""
        for number, hosts in wanted.items():
            if number not in self._asking:
                self._asking[number] = asyncio.create_task(self._servers[number].lease(now, hosts, urls))
        done, _ = await asyncio.wait(self._asking.values(), timeout=_ANSWER_SECONDS)
        replies = {number: task.result() for number, task in self._asking.items() if task in done}
        for number, reply in replies.items():
            del self._asking[number]
            self._held.update((lease.token, number) for lease in reply.leases)
        return replies

    async def finish(
        self, lease: Lease, results: Sequence[Result], discovered: Sequence[Target], due: float, state: bytes = b""
    ) -> int:
        """End a lease on its server; what it found for others is relayed soon."""
        if lease.token not in self._held:
            raise LeaseLost(f"lease {lease.token} of {lease.host} has ended")
        try:
            return await self._servers[self._held[lease.token]].finish(lease, results, discovered, due, state)
        finally:
            self._held.pop(lease.token, None)
            self._next_relay = 0.0

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Keep leases; those of a server that does not answer in time count as ended, since another may have them soon."""
        parts: dict[int, list[int]] = {}
        for token in tokens:
            parts.setdefault(self._held.get(token, 0), []).append(token)
        lost = await asyncio.gather(*(self._extend(number, part, until) for number, part in parts.items()))
        return tuple(token for some in lost for token in some)

    async def _extend(self, number: int, tokens: list[int], until: float) -> tuple[int, ...]:
        try:
            async with asyncio.timeout(self.lease_seconds / 3):
                return await self._servers[number].extend(tokens, until)
        except TimeoutError:
            return tuple(tokens)

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """What is queued, server by server; a cursor begins with the server's number."""
        first, _, rest = cursor.partition(" ")
        number, found = int(first or 0), EntryPage(entries=(), matching=0, read=0, cursor="")
        while True:
            page = await self._servers[number].entries(wanted, rest, max(0, limit - len(found.entries)))
            found = EntryPage(
                entries=found.entries + page.entries,
                matching=found.matching + page.matching,
                read=found.read + page.read,
                cursor=f"{number} {page.cursor}" if page.cursor else "",
            )
            if found.cursor or number + 1 == self._share.of:
                return found
            number, rest = number + 1, ""
            if found.read >= wanted.most_read:
                return msgspec.structs.replace(found, cursor=f"{number} ")

    async def control(self, command: Command) -> ControlReply:
        """Do what a command says on each server that it concerns."""
        if isinstance(command, DropExcluded):
            # What is still under way would be queued behind the border.
            await asyncio.gather(*(self._relay_to(number, everything=True) for number in range(self._share.of)))
        if isinstance(command, Close):
            await self._rest()
        replies = await asyncio.gather(
            *(server.control(self._part(command, number)) for number, server in enumerate(self._servers))
        )
        outcomes = sum((Counter(reply.outcomes) for reply in replies), Counter())
        causes: dict[str, Cause] = {}
        for cause in (cause for reply in replies for cause in reply.causes):
            before = causes.get(cause.cause.lower())
            causes[cause.cause.lower()] = (
                msgspec.structs.replace(before, number=before.number + cause.number) if before else cause
            )
        return ControlReply(sum(reply.number for reply in replies), tuple(causes.values()), outcomes)

    async def _rest(self) -> None:
        """End what goes on beside the calls; what is not relayed yet, another worker relays."""
        tasks: list[asyncio.Task[Any]] = [*self._asking.values(), *self._relaying.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=_ANSWER_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._asking.clear()
        self._relaying.clear()

    def _part(self, command: Command, number: int) -> Command:
        """What of a command concerns a server."""
        if isinstance(command, Retry):
            return Retry(tuple(each for each in command.ended if self._share.server_of(each[0].url) == number))
        if isinstance(command, Reprioritise):
            return Reprioritise(
                {url: value for url, value in command.priorities.items() if self._share.server_of(url) == number}
            )
        return command

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts of all servers together."""
        parts = await asyncio.gather(*(server.stats(hosts) for server in self._servers))
        busiest = sorted(
            (state for part in parts for state in part.busiest), key=lambda state: (not state.leased, -state.queued)
        )
        return FrontierStats(
            known=sum(part.known for part in parts),
            queued=sum(part.queued for part in parts),
            leased=sum(part.leased for part in parts),
            done=sum(part.done for part in parts),
            hosts=sum(part.hosts for part in parts),
            retries=sum(part.retries for part in parts),
            outcomes=sum((Counter(part.outcomes) for part in parts), Counter()),
            busiest=tuple(busiest[:hosts]),
        )

    async def has_work(self) -> bool:
        """Whether anything is queued, lent or under way between servers.

        Servers are asked one after the other, and an address may have moved from one that was not asked yet to one that was. So
        they are asked twice: if nothing was queued on any of them in between, none had work when the first round ended.
        """
        self._relay()
        before = [await server.work_left() for server in self._servers]
        if any(work for work, _ in before):
            return True
        return before != [await server.work_left() for server in self._servers]

    def _relay(self) -> None:
        """Have what waits for other servers brought there, beside all else."""
        if time.monotonic() < self._next_relay:
            return
        self._next_relay = time.monotonic() + _RELAY_SECONDS
        for number in range(self._share.of):
            task = self._relaying.get(number)
            if task is None or task.done():
                if task is not None:
                    task.result()
                self._relaying[number] = asyncio.create_task(self._relay_to(number))

    async def _relay_to(self, number: int, *, everything: bool = False) -> None:
        for source in self._servers:
            if source is self._servers[number]:
                continue
            while True:
                numbers, targets = await source.to_relay(number, _RELAYED_TOGETHER, everything=everything)
                if not numbers:
                    break
                await self._servers[number].add_admitted(targets)
                await source.note_relayed(numbers)

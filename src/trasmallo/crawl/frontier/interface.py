"""Interface of the queue of a crawl, whoever keeps it: this process (`EmbeddedFrontier`), or an engine that many workers share.

Everything that goes in and comes out can travel over a wire: frozen structs, no callables, no objects of this process.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import msgspec

from trasmallo.values.model import Outcome, Target


class Lease(msgspec.Struct, frozen=True):
    """Targets of one host, lent until finished. `attempts` counts for each how often it was asked for before.

    `due` is when the host may be asked: in the past, except in a frontier that keeps the order; there the caller waits for it.
    `state` is what another worker knew of the host when it held it last, b"" when nobody else did. After
    `until`, of the caller's clock, its pages are asked for no more, unless it was extended: it may soon be somebody else's.
    """

    token: int
    host: str
    targets: tuple[Target, ...]
    attempts: tuple[int, ...] = ()
    due: float = 0.0
    state: bytes = b""
    until: float = math.inf


class LeaseReply(msgspec.Struct, frozen=True):
    """What is lent. When nothing is, `next_due` says when to ask again; None: nothing is queued for hosts that are free."""

    leases: tuple[Lease, ...] = ()
    next_due: float | None = None


class LeaseLost(Exception):
    """A lease was not extended in time, and its targets were queued again; what was to be finished is not."""


class Result(msgspec.Struct, frozen=True):
    """What came of a target. With `retry_at` > 0 it is queued again, not to be asked for before that time."""

    url: str
    outcome: Outcome
    retry_at: float = 0.0


class EntryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which queued targets are looked for: those of a host, with a text in their URL, that these exclusions would drop.

    At most `most_read` targets are looked at in one call, so that nobody else waits long for the frontier.
    """

    host: str = ""
    text: str = ""
    exclude: tuple[str, ...] = ()
    most_read: int = 500_000


class EntryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Targets that were found, how many match, of how many that were read. `cursor` is where to go on, "" at the end."""

    entries: tuple[Target, ...] = ()
    matching: int = 0
    read: int = 0
    cursor: str = ""


class DropExcluded(msgspec.Struct, frozen=True, tag=True):
    """End every queued target that is excluded or not included as out of scope; `seeds` need not be included."""

    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()


class Retry(msgspec.Struct, frozen=True, tag=True):
    """Queue targets once more that ended with these outcomes, which count no more; what waits or is lent stays as it is."""

    ended: tuple[tuple[Target, Outcome], ...]


class Reprioritise(msgspec.Struct, frozen=True, tag=True):
    """Give queued targets other priorities, by URL; what is not queued, or lent, stays as it is. Reads the whole queue."""

    priorities: dict[str, int]


class Write(msgspec.Struct, frozen=True, tag=True):
    """Make everything done so far survive the death of the process, and `to_disk` soon a power cut too."""

    to_disk: bool = False


class Close(msgspec.Struct, frozen=True, tag=True):
    """Write everything and let go of it; leases that are open will be queued again. Does nothing the second time."""


Command = DropExcluded | Reprioritise | Retry | Write | Close


class Cause(msgspec.Struct, frozen=True):
    """Why targets were dropped, how many, and the first of them as an example."""

    cause: str
    example: str
    number: int


class ControlReply(msgspec.Struct, frozen=True):
    """What a command changed: so many targets, dropped for these causes, queued again that had ended so, or moved."""

    number: int = 0
    causes: tuple[Cause, ...] = ()
    outcomes: dict[Outcome, int] = {}


class HostState(msgspec.Struct, frozen=True):
    """A host in the live view. `due` is when it may be asked again; `last_outcome` is None before the first answer."""

    host: str
    queued: int
    due: float
    leased: bool
    last_outcome: Outcome | None


class FrontierStats(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of URLs: `known` = `queued` + `leased` + `done`; `outcomes` add up to `done`; `retries` are askings beyond.

    `busiest` are the hosts that were asked for: those that are leased, then those with the longest queues.
    """

    known: int
    queued: int
    leased: int
    done: int
    hosts: int
    retries: int
    outcomes: dict[Outcome, int]
    busiest: tuple[HostState, ...] = ()

    @classmethod
    def none(cls) -> FrontierStats:
        """Of a crawl that is about to begin."""
        return cls(known=0, queued=0, leased=0, done=0, hosts=0, retries=0, outcomes={})


class Frontier(Protocol):
    """The queue of a crawl. URLs come in canonical; times are seconds since 1970.

    The host is the unit of politeness: a lease holds its host until finished, and the host is not leased before it is due.
    """

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue the targets whose URL was never added; how many those were."""

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """Lend the first targets of hosts that are due, at most as many of each as said; with 0 hosts only ask when to come."""

    async def finish(
        self, lease: Lease, results: Sequence[Result], discovered: Sequence[Target], due: float, state: bytes = b""
    ) -> int:
        """End a lease in one transaction; how many of the discovered targets were new. Raises LeaseLost.

        The host may be asked again at `due`. Targets of the lease without a result go back to the head of their queue. `state`
        is for the worker that leases the host next, if it is another one; b"" leaves what was there.
        """

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Keep leases until a time at least, because their worker lives and is slow; those that are lost already."""

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """The first queued targets that match, from a cursor on: of one host in its order, or of all in none.

        Targets that come or go between two pages may be missed or met twice.
        """

    async def control(self, command: Command) -> ControlReply:
        """Do what a command says; `DropExcluded`, `Reprioritise` and `Retry` read the whole queue."""

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts now, with so many of the busiest hosts."""

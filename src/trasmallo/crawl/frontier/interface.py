"""What a crawler asks of its queue, whoever keeps it: this process, or one day an engine that many workers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from trasmallo.values.model import Outcome, Target


class Lease(msgspec.Struct, frozen=True):
    """Targets of one host, lent until finished. `attempts` counts for each how often it was asked for before.

    `due` is when the host may be asked: in the past, except in a frontier that keeps the order; there the caller waits for it.
    """

    token: int
    host: str
    targets: tuple[Target, ...]
    attempts: tuple[int, ...] = ()
    due: float = 0.0


class Result(msgspec.Struct, frozen=True):
    """What came of a target. With `retry_at` > 0 it is queued again, not to be asked for before that time."""

    url: str
    outcome: Outcome
    retry_at: float = 0.0


class FrontierStats(msgspec.Struct, frozen=True):
    """Counts of URLs: `known` = `queued` + `leased` + `done`; `outcomes` add up to `done`; `retries` are askings beyond."""

    known: int
    queued: int
    leased: int
    done: int
    hosts: int
    retries: int
    outcomes: dict[Outcome, int]


class HostState(msgspec.Struct, frozen=True):
    """A host in the live view. `due` is when it may be asked again; `last_outcome` is None before the first answer."""

    host: str
    queued: int
    due: float
    leased: bool
    last_outcome: Outcome | None


class Frontier(Protocol):
    """The queue of a crawl, for one caller. URLs come in canonical; times are seconds since 1970.

    The host is the unit of politeness: a lease holds its host until finished, and the host is not leased before it is due.
    """

    def add(self, targets: Iterable[Target]) -> int:
        """Queue the targets whose URL was never added; how many those were."""

    def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> list[Lease]:
        """Lend the first targets of hosts that are due, at most as many of each as said; [] when none is."""

    def finish(self, lease: Lease, results: Sequence[Result], discovered: Iterable[Target], due: float) -> int:
        """End a lease in one transaction; how many of the discovered targets were new.

        The host may be asked again at `due`. Targets of the lease without a result go back to the head of their queue.
        """

    def again(self, ended: Iterable[tuple[Target, Outcome]]) -> int:
        """Queue targets once more that ended with these outcomes, which count no more; how many. Reads the whole queue."""

    def next_due(self, now: float) -> float | None:
        """When to lease again; None when nothing is queued for hosts that are not leased."""

    def discard(self, matches: Callable[[str], bool], *, count_only: bool = False) -> int:
        """End every queued URL that matches as out of scope; how many those are. Reads the whole queue."""

    def stats(self) -> FrontierStats:
        """The counts now."""

    def hosts(self, limit: int) -> list[HostState]:
        """Leased hosts, then those with the longest queues."""

    def pending(self, host: str, limit: int) -> list[Target]:
        """What a host's queue begins with."""

    def write(self) -> None:
        """Make everything done so far survive the death of the process."""

    def sync(self) -> None:
        """The same, and soon a power cut too."""

    def close(self) -> None:
        """Sync, and let go of everything; open leases will be queued again."""

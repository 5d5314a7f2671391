"""Frontier of one process: the interface over a `DurableQueue` in a folder. No call suspends.

Arithmetic, with 10 million URLs of 20,000 hosts queued (`benchmarks/frontier.py`): 33 bytes of memory and 92 of disk a URL, the
latter with files that are just being merged; four fifths of the speed with 100,000 queued. For 100 million, reckoned: 0.8 GB
of disk for the seen set and 7 to 9 GB for the backlog; in memory 1.2 to 1.8 GB for the seen set, 0.2 GB for the entries at hand
and 200,000 digests asked for lately, 13 MB of done bits, and the hosts (see `hosts`); 0.25 GB of index are mapped,
and taken back by the system when it needs them. Each entry is then written three times instead of two, which is 1.2 µs more for
a new URL; opening takes 18 s of CPU.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier.durable_queue import DurableQueue
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
    LeaseReply,
    Reprioritise,
    Result,
    Retry,
    Write,
)
from trasmallo.crawl.scope import Scope
from trasmallo.values.model import Target


class EmbeddedFrontier:
    """A `Frontier` in a folder of its own, for one process.

    With `in_order` there is one lease at a time and targets come strictly by priority, depth and arrival, whatever the time.
    `admits` is asked about each target that is new; what it refuses is known from then on and never queued. A lease ends by
    itself after `lease_seconds` unless it is extended: never, as a rule, since who leases dies together with this frontier.
    A host is lent once at a time, or `leases_per_host` times: then it is due when the latest of what they asked for has passed.
    Hosts that are due have their turns one after the other, or with `best_first` by the priority of what they have first.
    """

    def __init__(
        self,
        folder: Path,
        *,
        in_order: bool = False,
        memory_urls: int = 300_000,
        admits: Callable[[Target], bool] | None = None,
        lease_seconds: float = math.inf,
        leases_per_host: int = 1,
        best_first: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = DurableQueue(
            folder,
            in_order=in_order,
            memory_urls=memory_urls,
            admits=admits,
            leases_per_host=leases_per_host,
            best_first=best_first,
            clock=clock,
        )
        self._lease_seconds = lease_seconds
        self._ends = lease_seconds < math.inf
        # Leases that end by themselves, and when.
        self._lent: dict[int, tuple[Lease, float]] = {}

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue the targets whose URL was never added; how many those were."""
        return self._queue.add(targets)

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """Lend the first targets of hosts that are due; in order: of one host, due or not, and only when nothing is lent."""
        if self._lent:
            self._take_back(now)
        leases = self._queue.lease(now, hosts, urls_per_host) if hosts else []
        if not leases:
            return LeaseReply((), self._queue.next_due(now))
        if self._ends:
            self._lent |= {lease.token: (lease, now + self._lease_seconds) for lease in leases}
        return LeaseReply(tuple(leases))

    async def finish(
        self,
        lease: Lease,
        results: Sequence[Result],
        discovered: Sequence[Target],
        due: float,
        state: bytes = b"",  # noqa: ARG002 - there is no other worker
    ) -> int:
        """End a lease in one transaction; raises LeaseLost, and ValueError for results of other URLs."""
        new = self._queue.finish(lease, results, discovered, due)
        if self._lent:
            self._lent.pop(lease.token, None)
        return new

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Let leases end by themselves not before a time; those that have ended."""
        for token in tokens:
            if token in self._lent:
                lease, end = self._lent[token]
                self._lent[token] = lease, max(end, until)
        return tuple(token for token in tokens if not self._queue.holds(token))

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """The first queued targets that match, from a cursor on; reads 2 µs a target, and up to the cursor as well."""
        start = int(cursor or 0)
        queue: Iterator[Target] = self._queue.pending(wanted.host) if wanted.host else self._queue.targets()
        matches = _matcher(wanted)
        found: list[Target] = []
        matching = read = 0
        for target in islice(queue, start, start + wanted.most_read):
            read += 1
            if matches(target.url):
                matching += 1
                if matching <= limit:
                    found.append(target)
        more = next(queue, None) is not None
        return EntryPage(entries=tuple(found), matching=matching, read=read, cursor=str(start + read) if more else "")

    async def control(self, command: Command) -> ControlReply:
        """Do what a command says; writing to disk also goes on with a checkpoint or with merging files."""
        if isinstance(command, DropExcluded):
            return self._drop(command)
        if isinstance(command, Retry):
            chosen = self._queue.retry(command.ended)
            return ControlReply(len(chosen), outcomes=Counter(outcome for _, outcome in chosen))
        if isinstance(command, Reprioritise):
            return ControlReply(self._queue.reprioritise(command.priorities))
        if isinstance(command, Write):
            self._queue.write(to_disk=command.to_disk)
        elif isinstance(command, Close):
            self._queue.close()
        return ControlReply()

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts now, with so many of the busiest hosts."""
        return self._queue.stats(hosts)

    def _take_back(self, now: float) -> None:
        """Queue the targets of leases again whose time is over."""
        for lease in [lease for lease, end in self._lent.values() if end <= now]:
            self._queue.finish(lease, (), (), lease.due)
            del self._lent[lease.token]

    def _drop(self, rule: DropExcluded) -> ControlReply:
        scope = Scope(CrawlConfig(scope="any", seeds=rule.seeds, exclude=rule.exclude, include=rule.include))
        # Addresses differ in capitals where the rules do not.
        counts: Counter[str] = Counter()
        first: dict[str, tuple[str, str]] = {}

        def matches(url: str) -> bool:
            cause = scope.drops(url)
            if cause:
                first.setdefault(cause.lower(), (cause, url))
                counts[cause.lower()] += 1
            return bool(cause)

        number = self._queue.drop(matches)
        return ControlReply(number, tuple(Cause(*first[key], count) for key, count in counts.items()))


def _matcher(wanted: EntryFilter) -> Callable[[str], bool]:
    text = wanted.text.lower()
    scope = Scope(CrawlConfig(scope="any", exclude=wanted.exclude)) if wanted.exclude else None
    return lambda url: text in url.lower() and (scope is None or bool(scope.refuses(url)))

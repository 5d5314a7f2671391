"""Frontier that many workers share, in PostgreSQL, behind the interface of the embedded one.

The host is the unit of a lease: it is held by a token until `finish`, or until its time is over. What leases end with is
committed for many of them at once (`Commits`), with the rows of their pages in the same transaction.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier.interface import (
    Cause,
    Close,
    Command,
    ControlReply,
    DropExcluded,
    EntryFilter,
    EntryPage,
    FrontierStats,
    HostState,
    Lease,
    LeaseLost,
    LeaseReply,
    Reprioritise,
    Result,
    Retry,
)
from trasmallo.crawl.held_leases import USABLE
from trasmallo.crawl.scope import Scope
from trasmallo.crawl.shared import statements
from trasmallo.crawl.shared.commits import Commits, Ending, RowSource, add_targets
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.packed_columns import packed
from trasmallo.crawl.shared.queued_targets import ALL, Entry, Share, host_number, target_of, unpack_targets
from trasmallo.values.model import Outcome, Target
from trasmallo.values.urls import host_key

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

LEASE_SECONDS = 30.0
"""Judgement: a worker that is silent for so long is gone; its hosts wait no longer for another one."""

_PAGE = 5_000  # judgement: rows of the queue that are read at once
_COMPARED = 64  # judgement: hosts that are due of which the best are chosen, as in the embedded frontier
_MOVED_TOGETHER = 1_000  # judgement: addresses that move in one transaction, which holds their hosts
_REMEMBERED = 100_000
"""Digests of URLs sent lately, about 60 bytes each: most links of a page were on the page before."""


class PostgresFrontier:
    """A `Frontier` for one worker, by its number. `clock` is the worker's, by which it counts its own time only.

    `admits` is asked about each target that this worker was not seen to offer lately. With `limited` the pages that may still
    be obtained are in the database, and no lease takes more than those. `now` is the database's clock, in SQL. `share` is the
    part of the hosts that are here, where several servers share a crawl (`SeveralServers`). Hosts that are due are lent one
    after the other, or with `best_first` by the priority of what they have first.
    """

    def __init__(
        self,
        address: str,
        *,
        worker: int,
        lease_seconds: float = LEASE_SECONDS,
        admits: Callable[[Target], bool] | None = None,
        rows: RowSource | None = None,
        limited: bool = False,
        clock: Callable[[], float] = time.time,
        now: str = statements.NOW,
        share: Share = ALL,
        best_first: bool = False,
    ) -> None:
        self.lease_seconds = lease_seconds
        self.budget_spent = False
        self._lending, self._writing = Database(address), Database(address)
        self._worker = worker
        self._admits = admits
        self._limited = limited
        self._clock = clock
        self._now = now
        self._lease = statements.LEASE_BEST if best_first else statements.LEASE
        self._lent: dict[int, tuple[int, list[Entry]]] = {}
        self._sent: set[str] = set()
        self._met: set[int] = set()
        self._commits = Commits(self._writing, worker, rows, now=now, limited=limited, share=share, met=self._met)

    async def add(self, targets: Sequence[Target]) -> int:
        """Queue the targets whose URL was never added; how many those were."""
        return await self.add_admitted(self._unsent(targets))

    async def add_admitted(self, wanted: Sequence[Target]) -> int:
        """Queue targets that another server has, or that were found admissible otherwise."""

        async def work(connection: Connection) -> int:
            return await add_targets(connection, wanted, self._worker, self._now, self._met)

        return await self._writing.run(work) if wanted else 0

    async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        """Lend the first targets of hosts that are due by the database's clock; `now` is when the caller asks by its own."""

        async def work(connection: Connection) -> tuple[list[tuple[Any, ...]], float | None]:
            rows = await self._take(connection, hosts, urls_per_host) if hosts else []
            if any(row[10] is not None for row in rows):
                return rows, None
            found = await (await connection.execute(self._sql(statements.NEXT_DUE))).fetchone()
            return [], found[0] if found else None

        rows, seconds = await self._lending.run(work)
        if not rows:
            return LeaseReply((), None if seconds is None else now + max(0.0, seconds))
        return LeaseReply(tuple(self._leases(rows, now)))

    async def finish(
        self, lease: Lease, results: Sequence[Result], discovered: Sequence[Target], due: float, state: bytes = b""
    ) -> int:
        """End a lease; what it found is queued in the same transaction. Raises LeaseLost, and ValueError for other URLs."""
        if lease.token not in self._lent:
            raise LeaseLost(f"lease {lease.token} of {lease.host} has ended")
        host, entries = self._lent[lease.token]
        asked = {entry.target.url: entry for entry in entries}
        if any(result.url not in asked for result in results):
            raise ValueError(f"lease {lease.token} of {lease.host} does not hold these URLs")
        now, wanted = self._clock(), self._unsent(discovered)
        ending = Ending(
            token=lease.token,
            host=host,
            lent=len(entries),
            results=[
                (asked[each.url], each.outcome, max(0.001, each.retry_at - now) if each.retry_at else 0.0) for each in results
            ],
            discovered=wanted,
            rest=max(0.0, due - now) if math.isfinite(due) else 0.0,
            state=state or None,
        )
        try:
            new = await self._commits.commit(ending)
        except LeaseLost:
            self._sent.difference_update(target.url for target in wanted)
            raise LeaseLost(f"lease {lease.token} of {lease.host} has ended") from None
        finally:
            self._lent.pop(lease.token, None)
        return new

    async def extend(self, tokens: Sequence[int], until: float) -> tuple[int, ...]:
        """Let leases end not before a time of the caller's clock; those that have ended."""
        held = [token for token in tokens if token in self._lent]
        columns = {"tokens": held, "hosts": [self._lent[token][0] for token in held]}

        async def work(connection: Connection) -> set[int]:
            cursor = await connection.execute(
                self._sql(statements.EXTEND), {**packed(columns), "seconds": until - self._clock()}
            )
            return {row[0] for row in await cursor.fetchall()}

        kept = await self._lending.run(work) if held else set()
        return tuple(token for token in tokens if token not in kept)

    async def entries(self, wanted: EntryFilter, cursor: str = "", limit: int = 200) -> EntryPage:
        """The first queued targets that match, from a cursor on; those that are lent are among them."""
        found: list[Target] = []
        matching = read = 0
        matches, place = _matcher(wanted), _place(cursor)
        more = True
        while more and read < wanted.most_read:
            rows = await self._page(wanted.host, place, min(_PAGE, wanted.most_read - read) + 1)
            more = len(rows) > min(_PAGE, wanted.most_read - read)
            for host, target, entry in rows[: min(_PAGE, wanted.most_read - read)]:
                read += 1
                place = (host, entry.priority, entry.depth, entry.seq)
                if matches(target.url):
                    matching += 1
                    if matching <= limit:
                        found.append(target)
        return EntryPage(entries=tuple(found), matching=matching, read=read, cursor=" ".join(map(str, place)) if more else "")

    async def control(self, command: Command) -> ControlReply:
        """Do what a command says; all that was finished is on the server's disk already."""
        if isinstance(command, DropExcluded):
            return await self._drop(command)
        if isinstance(command, Retry):
            return await self._retry(command)
        if isinstance(command, Reprioritise):
            return await self._move(command)
        if isinstance(command, Close):
            await self._commits.close()
            await self._lending.close()
            await self._writing.close()
        return ControlReply()

    async def stats(self, hosts: int = 0) -> FrontierStats:
        """The counts of all workers together, with so many of the busiest hosts; times are of the caller's clock."""

        async def work(connection: Connection) -> tuple[Any, ...]:
            sums = await (await connection.execute(statements.SUMS)).fetchone()
            tallies = await connection.execute("select outcome, sum(number) from trasmallo_tallies group by outcome")
            outcomes = {Outcome(name): int(number) for name, number in await tallies.fetchall() if number}
            cursor = await connection.execute(statements.BUSIEST, {"most": hosts})
            busiest = await cursor.fetchall() if hosts else []
            clock = await (await connection.execute(self._sql("select {now}"))).fetchone()
            return sums, outcomes, busiest, clock

        sums, outcomes, busiest, clock = await self._lending.run(work)
        known, retries, leased, number = map(int, sums)
        done, ahead = sum(outcomes.values()), self._clock() - clock[0]
        return FrontierStats(
            known=known,
            queued=known - done - leased,
            leased=leased,
            done=done,
            hosts=number,
            retries=retries,
            outcomes=outcomes,
            busiest=tuple(
                HostState(name, int(queued), due + ahead if due else 0.0, held, Outcome(last) if last else None)
                for name, queued, due, held, last in busiest
            ),
        )

    async def has_work(self) -> bool:
        """Whether anything is queued or lent: the crawl is over when nothing is."""
        return (await self.work_left())[0]

    async def work_left(self) -> tuple[bool, int]:
        """Whether anything is queued, lent or to be relayed, and a number that grows whenever something is queued."""

        async def work(connection: Connection) -> tuple[bool, int]:
            found = await (await connection.execute(statements.WORK_LEFT)).fetchone()
            return (bool(found[0]), int(found[1])) if found else (False, 0)

        return await self._lending.run(work)

    async def to_relay(self, server: int, most: int, *, everything: bool = False) -> tuple[list[int], list[Target]]:
        """What is to be relayed to a server, with the numbers under which it is kept: of this worker, or of who is silent."""
        seconds = -1.0 if everything else self.lease_seconds / 4
        values = {"server": server, "worker": self._worker, "most": most, "seconds": seconds}

        async def work(connection: Connection) -> list[tuple[Any, ...]]:
            return await (await connection.execute(self._sql(statements.TO_SEND), values)).fetchall()

        rows = await self._lending.run(work)
        return [row[0] for row in rows], [target for row in rows for target in unpack_targets(row[1])]

    async def note_relayed(self, numbers: Sequence[int]) -> None:
        """Another server has what was kept under these numbers."""
        await self._lending.run(lambda connection: connection.execute(statements.SENT, {"ids": list(numbers)}))

    def _sql(self, statement: str) -> str:
        return statement.replace("{now}", self._now)

    async def _take(self, connection: Connection, hosts: int, urls: int) -> list[tuple[Any, ...]]:
        budget = hosts * urls
        if self._limited:
            row = await (await connection.execute(statements.TAKE_BUDGET, {"wanted": budget})).fetchone()
            budget = row[0] if row else budget
            self.budget_spent = not budget
            hosts, urls = (min(hosts, budget), 1) if budget < hosts * urls else (hosts, urls)
        if not hosts:
            # What dead workers hold of the budget comes back with it, or the crawl would wait for them for ever.
            await connection.execute(self._sql(statements.RECLAIM))
            return []
        values = {
            "hosts": hosts,
            "urls": urls,
            "worker": self._worker,
            "seconds": self.lease_seconds,
            "compared": _COMPARED,
        }
        rows = await (await connection.execute(self._sql(self._lease), values, binary=True)).fetchall()
        if self._limited:
            expired = sum({row[0]: row[4] for row in rows}.values())
            unused = budget - sum(row[10] is not None for row in rows) + expired
            await connection.execute(statements.BUDGET, {"number": unused})
        return rows

    def _leases(self, rows: list[tuple[Any, ...]], now: float) -> Iterator[Lease]:
        for host, group in groupby((row for row in rows if row[10] is not None), lambda row: row[0]):
            given = list(group)
            _, name, token, free_in, _, state, *_ = given[0]
            entries = [
                Entry(priority, depth, seq, attempts, target_of(url, depth, priority, packed))
                for *_, priority, depth, seq, attempts, url, packed in given
            ]
            self._lent[token] = host, entries
            targets, attempts = tuple(entry.target for entry in entries), tuple(entry.attempts for entry in entries)
            yield Lease(
                token, name, targets, attempts, min(now, now + free_in), state or b"", now + USABLE * self.lease_seconds
            )

    def _unsent(self, targets: Sequence[Target]) -> list[Target]:
        """The targets that were not sent lately and are admitted; from now on they were sent."""
        found = []
        for target in targets:
            if target.url not in self._sent:
                if len(self._sent) >= _REMEMBERED:
                    self._sent.clear()
                self._sent.add(target.url)
                if self._admits is None or self._admits(target):
                    found.append(target)
        return found

    async def _page(self, host: str, place: tuple[int, ...], limit: int) -> list[tuple[int, Target, Entry]]:
        condition = "host = %(only)s and" if host else ""
        statement = f"""select host, priority, depth, seq, attempts, url, about from trasmallo_queue
            where {condition} (host, priority, depth, seq) > (%(host)s, %(priority)s, %(depth)s, %(seq)s)
            order by host, priority, depth, seq limit %(limit)s"""  # noqa: S608 - a condition of ours, values are handed over
        values = dict(zip(("host", "priority", "depth", "seq"), place, strict=True))

        async def work(connection: Connection) -> list[tuple[Any, ...]]:
            cursor = await connection.execute(statement, {**values, "limit": limit, "only": host_number(host) if host else 0})
            return await cursor.fetchall()

        rows = await self._lending.run(work)
        targets = [target_of(url, depth, priority, packed) for _, priority, depth, _, _, url, packed in rows]
        return [
            (row[0], target, Entry(row[1], row[2], row[3], row[4], target)) for row, target in zip(rows, targets, strict=True)
        ]

    async def _drop(self, rule: DropExcluded) -> ControlReply:
        scope = Scope(CrawlConfig(scope="any", seeds=rule.seeds, exclude=rule.exclude, include=rule.include))
        counts: Counter[str] = Counter()
        first: dict[str, tuple[str, str]] = {}
        place, number = _place(""), 0
        while rows := await self._page("", place, _PAGE):
            host, _, last = rows[-1]
            place = (host, last.priority, last.depth, last.seq)
            dropped = []
            for host, target, entry in rows:
                if cause := scope.drops(target.url):
                    first.setdefault(cause.lower(), (cause, target.url))
                    counts[cause.lower()] += 1
                    dropped.append((host, entry))
            number += await self._commits.discard(dropped) if dropped else 0
        return ControlReply(number, tuple(Cause(*first[key], count) for key, count in counts.items()))

    async def _retry(self, command: Retry) -> ControlReply:
        """Queue ended targets again, unless they wait or are lent, as far as the counts of their outcomes go."""
        rest = {target.url: (target, outcome) for target, outcome in command.ended}

        async def work(connection: Connection) -> list[tuple[Target, Outcome]]:
            hosts = sorted({host_number(host_key(url)) for url in rest})
            await (await connection.execute(statements.LOCK_HOSTS, {"hosts": hosts})).fetchall()
            waiting = await connection.execute(
                "select url from trasmallo_queue where host = any(%s::bigint[]) and url = any(%s::text[])", (hosts, list(rest))
            )
            there = {row[0] for row in await waiting.fetchall()}
            tallies = await connection.execute("select outcome, sum(number) from trasmallo_tallies group by outcome")
            left = Counter({Outcome(name): int(number) for name, number in await tallies.fetchall()})
            chosen = [each for url, each in rest.items() if url not in there]
            left.subtract(outcome for _, outcome in chosen)
            chosen = [each for each in chosen if left[each[1]] >= 0]
            await self._commits.queue_again(connection, chosen)
            return chosen

        chosen = await self._writing.run(work)
        return ControlReply(len(chosen), outcomes=Counter(outcome for _, outcome in chosen))

    async def _move(self, command: Reprioritise) -> ControlReply:
        """Give queued targets other priorities, some hosts at a time; those that somebody holds keep theirs."""
        number, rest = 0, iter(command.priorities.items())
        while part := dict(islice(rest, _MOVED_TOGETHER)):
            number += await self._writing.run(partial(_move_part, part))
        return ControlReply(number)


async def _move_part(priorities: dict[str, int], connection: Connection) -> int:
    values = {"hosts": sorted({host_number(host_key(url)) for url in priorities}), "urls": list(priorities)}
    await (await connection.execute(statements.LOCK_HOSTS, values)).fetchall()
    held = {row[0] for row in await (await connection.execute(statements.HELD, values)).fetchall()}
    waiting = await (await connection.execute(statements.WAITING, values)).fetchall()
    moved = [(*key, priorities[url]) for *key, url in waiting if key[1] != priorities[url] and key[3] not in held]
    if moved:
        columns = zip(("hosts", "priorities", "depths", "seqs", "others"), zip(*moved, strict=True), strict=True)
        await connection.execute(statements.MOVE, {name: list(column) for name, column in columns})
    return len(moved)


def _place(cursor: str) -> tuple[int, ...]:
    return tuple(map(int, cursor.split())) if cursor else (-(1 << 63), -(1 << 31), -(1 << 31), 0)


def _matcher(wanted: EntryFilter) -> Callable[[str], bool]:
    text = wanted.text.lower()
    scope = Scope(CrawlConfig(scope="any", exclude=wanted.exclude)) if wanted.exclude else None
    return lambda url: text in url.lower() and (scope is None or bool(scope.refuses(url)))

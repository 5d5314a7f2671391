"""What leases end with, committed for many of them in one transaction: rows, results, what was found, and when hosts are due.

A worker's lines end leases all the time; those that end while a transaction is on its way are the next one. Everything in it
may be done twice: rows have numbers, URLs digests, and a token ends once.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from trasmallo.crawl.frontier.interface import LeaseLost
from trasmallo.crawl.shared import statements
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.packed_columns import packed
from trasmallo.crawl.shared.queued_targets import (
    ALL,
    Entry,
    Share,
    TargetColumns,
    about,
    columns_of,
    host_number,
    pack_targets,
    without,
)
from trasmallo.values.model import Fetch, Outcome, Target
from trasmallo.values.urls import host_key

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_MOST_LEASES = 1_000  # judgement: of one transaction
_MOST_MET = 200_000  # judgement: numbers of hosts, some 12 MB
_GATHERING = 0.02
"""Seconds that a transaction waits for others to join it. Judgement: nobody notices, and a busy worker makes fifty a second."""


class Dismissed(Exception):
    """A worker was silent for so long that others took its place; what it has not committed is asked for again."""


class RowBatch(NamedTuple):
    """Rows that are to be committed, the number of the first, and how much of which archive file they need."""

    rows: list[Fetch]
    first: int
    file: str
    size: int
    received: int


class RowSource(Protocol):
    """Who has the rows of pages: they are in the archive, on its disk, when `take` returns."""

    async def take(self) -> RowBatch:
        """All rows since the last call, when what they lead to is safe."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """A lease that ends: what became of its entries, with the seconds after which each is to be tried again (0: never)."""

    token: int
    host: int
    lent: int
    results: list[tuple[Entry, Outcome, float]]
    discovered: list[Target]
    rest: float
    state: bytes | None = None


class Commits:
    """Commits the endings of one worker's leases, and the rows of its pages."""

    def __init__(
        self,
        database: Database,
        worker: int,
        rows: RowSource | None,
        *,
        now: str,
        limited: bool,
        share: Share = ALL,
        met: set[int] | None = None,
    ) -> None:
        self._database = database
        self._worker = worker
        self._rows = rows
        self._now = now
        self._limited = limited
        self._share = share
        self._met = set() if met is None else met
        self._waiting: list[tuple[Ending, asyncio.Future[int]]] = []
        self._task: asyncio.Task[None] | None = None

    async def commit(self, ending: Ending) -> int:
        """How many of the targets that it discovered were new, when all of it is safe; raises LeaseLost and Dismissed."""
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append((ending, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return await done

    async def close(self) -> None:
        """Wait for what is on its way."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        await asyncio.sleep(_GATHERING if self._rows is not None else 0)
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST_LEASES], self._waiting[_MOST_LEASES:]
            try:
                rows = await self._rows.take() if self._rows is not None else None
                new = await self._database.run(partial(self._write, endings=[ending for ending, _ in batch], rows=rows))
            except BaseException as error:
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error if isinstance(error, Exception) else LeaseLost(str(error)))
                if not isinstance(error, Exception):
                    raise
                continue
            for ending, done in batch:
                if done.done():
                    continue
                if ending.token in new:
                    done.set_result(new[ending.token])
                else:
                    done.set_exception(LeaseLost())

    async def _write(self, connection: Connection, *, endings: Sequence[Ending], rows: RowBatch | None) -> dict[int, int]:
        """The new targets by the tokens that were valid."""
        if rows is not None:
            await self._put_rows(connection, rows)
        found = await _unknown(connection, columns_of(self._own(endings)))
        held = await lock_hosts(connection, found, {ending.host for ending in endings}, self._met)
        valid = [ending for ending in endings if held.get(ending.host) == ending.token]
        if len(valid) < len(endings):
            found = await _unknown(connection, columns_of(self._own(valid)))
        new = await _insert(connection, found, self._worker, self._now)
        if valid:
            await self._send(connection, valid)
            await self._release(connection, valid)
        return {ending.token: new if ending is valid[0] else 0 for ending in valid}

    def _own(self, endings: Sequence[Ending]) -> list[Target]:
        """What was found on hosts of this server."""
        found = [target for ending in endings for target in ending.discovered]
        return self._share.parted(found).get(self._share.number, [])

    async def _send(self, connection: Connection, endings: Sequence[Ending]) -> None:
        """Keep what was found on hosts of other servers, until it is relayed."""
        found = self._share.parted([target for ending in endings for target in ending.discovered])
        for server, targets in found.items():
            if server != self._share.number:
                values = {"server": server, "worker": self._worker, "targets": pack_targets(targets)}
                await connection.execute(statements.SEND.replace("{now}", self._now), values)

    async def _put_rows(self, connection: Connection, batch: RowBatch) -> None:
        values = {
            "worker": self._worker,
            "numbers": list(range(batch.first, batch.first + len(batch.rows))),
            "urls": [fetch.url for fetch in batch.rows],
            "ats": [fetch.at for fetch in batch.rows],
            "outcomes": [str(fetch.outcome) for fetch in batch.rows],
            "rows": [msgspec.msgpack.encode(fetch) for fetch in batch.rows],
        }
        last = batch.first + len(batch.rows) - 1
        told = {"worker": self._worker, "last": last, "received": batch.received, "file": batch.file, "size": batch.size}
        if not await (await connection.execute(statements.COMMIT_WORKER, told)).fetchone():
            raise Dismissed
        if batch.rows:
            await connection.execute(statements.PUT_ROWS, packed(values))

    async def _release(self, connection: Connection, endings: Sequence[Ending]) -> None:
        """End leases whose hosts are locked."""
        asked = [(ending, *result) for ending in endings for result in ending.results]
        deleted = await _delete(connection, [(ending.host, entry) for ending, entry, *_ in asked])
        asked = [each for each in asked if (each[0].host, each[1].seq) in deleted]
        again = [(ending.host, entry, seconds) for ending, entry, _, seconds in asked if seconds]
        await self._again(connection, again)
        outcomes = Counter(outcome for _, _, outcome, seconds in asked if not seconds)
        await self._tally(connection, outcomes, retries=len(again))
        ended = Counter(ending.host for ending, *_ in asked)
        ended.subtract(host for host, *_ in again)
        values = {
            "hosts": [ending.host for ending in endings],
            "gone": [ended[ending.host] for ending in endings],
            "last": [str(ending.results[-1][1]) if ending.results else None for ending in endings],
            "state": [ending.state for ending in endings],
            "rest": [ending.rest for ending in endings],
        }
        await connection.execute(statements.RELEASE.replace("{now}", self._now), packed(values))
        if self._limited:
            obtained = sum(number for outcome, number in outcomes.items() if outcome.obtained)
            unused = sum(ending.lent for ending in endings) - obtained
            await connection.execute(statements.BUDGET, {"number": unused})

    async def _again(self, connection: Connection, again: Sequence[tuple[int, Entry, float]]) -> None:
        if not again:
            return
        values = {
            "hosts": [host for host, *_ in again],
            "priorities": [entry.priority for _, entry, _ in again],
            "depths": [entry.depth for _, entry, _ in again],
            "urls": [entry.target.url for _, entry, _ in again],
            "abouts": [about(entry.target) for _, entry, _ in again],
            "attempts": [entry.attempts + 1 for _, entry, _ in again],
            "seconds": [seconds for *_, seconds in again],
        }
        await connection.execute(statements.QUEUE_AGAIN.replace("{now}", self._now), packed(values))

    async def _tally(self, connection: Connection, outcomes: Counter[Outcome], retries: int = 0) -> None:
        if outcomes:
            ordered = sorted((str(outcome), number) for outcome, number in outcomes.items())
            names, numbers = [name for name, _ in ordered], [number for _, number in ordered]
            await connection.execute(statements.TALLY, {"worker": self._worker, "outcomes": names, "numbers": numbers})
        if retries:
            values = {"worker": self._worker, "known": 0, "retries": retries}
            await connection.execute(statements.COUNT_WORKER, values)

    async def discard(self, dropped: Sequence[tuple[int, Entry]]) -> int:
        """End queued entries as out of scope; how many were still there."""

        async def work(connection: Connection) -> int:
            hosts = sorted({host for host, _ in dropped})
            await (await connection.execute(statements.LOCK_HOSTS, {"hosts": hosts})).fetchall()
            deleted = await _delete(connection, dropped)
            await self._tally(connection, Counter({Outcome.OUT_OF_SCOPE: len(deleted)}))
            await connection.execute(statements.TURNS, {"hosts": hosts})
            return len(deleted)

        return await self._database.run(work)

    async def queue_again(self, connection: Connection, ended: Sequence[tuple[Target, Outcome]]) -> None:
        """Queue targets whose hosts are locked; their outcomes count no more."""
        entries = [
            (host_number(host_key(target.url)), Entry(target.priority, target.depth, 0, 0, target), 0.0) for target, _ in ended
        ]
        await self._again(connection, entries)
        await self._tally(connection, Counter({outcome: -n for outcome, n in Counter(o for _, o in ended).items()}), len(ended))
        await connection.execute(statements.TURNS, {"hosts": sorted({host for host, *_ in entries})})


async def lock_hosts(connection: Connection, found: TargetColumns, others: set[int], met: set[int]) -> dict[int, int | None]:
    """Hold hosts to the end of the transaction, those of targets too; the tokens of their leases.

    Hosts that were `met` have their rows, unless another run began or that transaction failed: then all are made sure of.
    """
    new = {host: name for host, name in zip(found.hosts, found.names, strict=True) if host not in met}
    while True:
        if new:
            await connection.execute(statements.NEW_HOSTS, packed({"hosts": list(new), "names": list(new.values())}))
        values = packed({"hosts": sorted(others.union(found.hosts))})
        held = dict(await (await connection.execute(statements.LOCK_HOSTS, values, binary=True)).fetchall())
        if all(host in held for host in found.hosts):
            break
        met.clear()
        new = dict(zip(found.hosts, found.names, strict=True))
    if len(met) > _MOST_MET:
        met.clear()
    met.update(new)
    return held


async def add_targets(connection: Connection, targets: Sequence[Target], worker: int, now: str, met: set[int]) -> int:
    """Queue the targets whose URL was never added; how many those were. `met` are hosts whose rows are there."""
    found = await _unknown(connection, columns_of(targets))
    if not found.hosts:
        return 0
    await lock_hosts(connection, found, set(), met)
    return await _insert(connection, found, worker, now)


async def _unknown(connection: Connection, columns: TargetColumns) -> TargetColumns:
    """The targets that nobody added, as far as that can be seen without a lock."""
    if not columns.hosts:
        return columns
    values = packed({"hosts": columns.hosts, "digests": columns.digests})
    rows = await (await connection.execute(statements.KNOWN, values, binary=True)).fetchall()
    return without(columns, {row[0] for row in rows})


async def _insert(connection: Connection, columns: TargetColumns, worker: int, now: str) -> int:
    """Queue targets whose hosts are locked."""
    if not columns.hosts:
        return 0
    values = {name: column for name, column in columns._asdict().items() if name != "names"}
    row = await (await connection.execute(statements.ADD.replace("{now}", now), packed(values))).fetchone()
    new = int(row[0]) if row else 0
    await connection.execute(statements.COUNT_WORKER, {"worker": worker, "known": new, "retries": 0})
    return new


async def _delete(connection: Connection, entries: Sequence[tuple[int, Entry]]) -> set[tuple[int, int]]:
    """Take entries out of the queue; the hosts and numbers of those that were there."""
    if not entries:
        return set()
    values = {
        "hosts": [host for host, _ in entries],
        "priorities": [entry.priority for _, entry in entries],
        "depths": [entry.depth for _, entry in entries],
        "seqs": [entry.seq for _, entry in entries],
    }
    return set(await (await connection.execute(statements.DELETE, packed(values), binary=True)).fetchall())

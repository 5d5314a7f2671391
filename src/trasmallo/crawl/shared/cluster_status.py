"""Where a shared crawl stands, as anybody who knows its address may ask: workers, leases, rates, and why some idle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from trasmallo.crawl.shared.collection import WorkerRecord, join_records, read_all_workers
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import PARTITIONS, need_layout
from trasmallo.crawl.shared.server_list import open_databases, reach_all
from trasmallo.crawl.shared.statements import NOW
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Fetch

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_T = TypeVar("_T")
_ASK_SECONDS = 5.0  # judgement: who only looks does not wait for a server that is away
_CRAWL = f"select name, run, state, {NOW} - began, allowance, lease_seconds from trasmallo_crawl"  # noqa: S608 - the clock is ours
_HOSTS = f"""
select count(*), count(*) filter (where due is not null), count(*) filter (where token is not null),
    count(*) filter (where token is null and due <= {NOW}), coalesce(sum(queued), 0) from trasmallo_hosts
"""  # noqa: S608 - the clock is ours
# Servers have hosts by the lowest bits of their hash, so shares are told by others.
_SHARES = (
    "select mod(mod(host >> 20, %(parts)s) + %(parts)s, %(parts)s) as part, sum(queued) from trasmallo_hosts group by part"
)


class WorkerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A worker: where it runs, how many lines are at work, its pages and their rate in a second since it began.

    `state` is working, idle, ended, or gone for one that was not heard of; `idle` says why it has nothing to do: delay (hosts
    rest), empty (nothing is queued) or budget (the pages that the crawl may obtain are taken). `lag` are its rows that the
    first machine has not collected yet, `silent` the seconds since it was heard of.
    """

    worker: str
    machine: str
    process: int
    state: str
    idle: str
    lines: int
    busy: int
    leases: int
    rows: int
    rate: float
    lag: int
    silent: float


class ClusterStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A shared crawl. `waiting` addresses are queued or lent, of `hosts_left` hosts, of which some are due now.

    `imbalance` is the largest share of the queue over the mean, of the shares by host hash: 1 is even. `limited_by` says what
    keeps it from going faster, "" when nothing does.
    """

    address: str
    project: str
    run: str
    state: str
    seconds: float
    workers: list[WorkerStatus]
    known: int
    waiting: int
    hosts: int
    hosts_left: int
    hosts_leased: int
    hosts_due: int
    imbalance: float
    rate: float
    lag: int
    limited_by: str


def read_status(address: str) -> ClusterStatus:
    """Where the crawl at an address stands; raises ProjectError when nobody answers or there is none."""
    return _ask(address, _status)


def read_catalog(address: str, text: str = "", limit: int = 20) -> list[Fetch]:
    """The newest rows of the crawl at an address, those with a text in their URL."""

    async def work(databases: list[Database]) -> list[Fetch]:
        async def find(connection: Connection) -> list[tuple[Any, ...]]:
            cursor = await connection.execute(
                "select row from trasmallo_rows where position(lower(%s) in lower(url)) > 0 order by at desc limit %s",
                (text, limit),
            )
            return await cursor.fetchall()

        rows = [row for database in databases for row in await database.run(find)]
        found = [msgspec.msgpack.decode(row[0], type=decodable(Fetch)) for row in rows]
        return sorted(found, key=lambda fetch: -fetch.at)[:limit]

    return _ask(address, work)


def _ask(address: str, work: Callable[[list[Database]], Awaitable[_T]]) -> _T:
    async def ask() -> _T:
        async with open_databases(await reach_all(address, patience=_ASK_SECONDS), patience=_ASK_SECONDS) as databases:
            for database in databases:
                await need_layout(database)
            return await work(databases)

    return asyncio.run(ask())


async def _status(databases: list[Database]) -> ClusterStatus:
    name, run, state, seconds, allowance, lease_seconds = await databases[0].run(_crawl)
    parts = [await database.run(_counts) for database in databases]
    number, left, leased, due, waiting, known = (sum(column) for column in zip(*(part[0] for part in parts), strict=True))
    records = join_records(await read_all_workers(databases))
    workers = [_describe(record, lease_seconds) for record in records]
    sums = [share for _, shares in parts for share in shares]
    return ClusterStatus(
        address=" ".join(database.shown for database in databases),
        project=name,
        run=run,
        state=state,
        seconds=round(seconds, 1),
        workers=workers,
        known=known,
        waiting=waiting,
        hosts=number,
        hosts_left=left,
        hosts_leased=leased,
        hosts_due=due,
        imbalance=round(max(sums) * PARTITIONS * len(databases) / sum(sums), 2) if sum(sums) else 1.0,
        rate=round(sum(worker.rate for worker in workers if worker.state in ("working", "idle")), 2),
        lag=sum(worker.lag for worker in workers),
        limited_by=_limited_by(state, left - leased, due, allowance),
    )


async def _crawl(connection: Connection) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = await (await connection.execute(_CRAWL)).fetchone()
    assert row is not None, "tables have their row from the beginning"
    return row


async def _counts(connection: Connection) -> tuple[list[int], list[int]]:
    """Hosts, those that are left, leased and due, addresses that wait and that are known; and the shares of the queue."""
    hosts = await (await connection.execute(_HOSTS)).fetchone() or (0, 0, 0, 0, 0)
    shares = await (await connection.execute(_SHARES, {"parts": PARTITIONS})).fetchall()
    known = await (await connection.execute("select coalesce(sum(known), 0) from trasmallo_workers")).fetchone() or (0,)
    return [int(value) for value in (*hosts, *known)], [int(share) for _, share in shares]


def _describe(record: WorkerRecord, lease_seconds: float) -> WorkerStatus:
    state = "ended" if record.ended else "gone" if record.gone or record.silent > lease_seconds else ""
    return WorkerStatus(
        worker=f"{record.worker:x}",
        machine=record.name,
        process=record.process,
        state=state or ("idle" if record.idle and not record.busy else "working"),
        idle="" if state else record.idle,
        lines=record.lines,
        busy=record.busy,
        leases=record.leases,
        rows=record.rows,
        rate=round(record.rows / max(record.age, 1.0), 2),
        lag=record.lag,
        silent=round(record.silent, 1),
    )


def _limited_by(state: str, resting: int, due: int, allowance: int | None) -> str:
    """What keeps the crawl from going faster, in words."""
    if state != "running":
        return ""
    if allowance is not None and allowance <= 0:
        return "the limit of pages"
    return "politeness" if resting and not due else ""

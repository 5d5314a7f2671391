"""What the first machine of a shared crawl takes from its database: rows of all workers, in the order of each, once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.statements import NOW
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Fetch
from trasmallo.values.run_status import LineStatus

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_decode = msgspec.msgpack.Decoder(decodable(Fetch)).decode
_decode_lines = msgspec.msgpack.Decoder(decodable(list[LineStatus])).decode


class WorkerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A worker as the database knows it. `silent` are the seconds since it was heard of, `lag` its rows not collected yet."""

    worker: int
    name: str
    process: int
    lines: int
    local: bool
    age: float
    silent: float
    ended: bool
    gone: bool
    rows: int
    collected: int
    received: int
    busy: int
    idle: str
    file: str
    size: int
    leases: int = 0
    shown: list[LineStatus] = []

    @property
    def lag(self) -> int:
        """Rows that the first machine has not taken yet."""
        return self.rows - self.collected


async def read_workers(database: Database) -> list[WorkerRecord]:
    """All workers of the run, the eldest first."""

    async def work(connection: Connection) -> list[tuple[Any, ...]]:
        cursor = await connection.execute(
            f"""select w.worker, name, process, lines, local, {NOW} - joined, {NOW} - seen, ended, gone, rows, collected,
            received, busy, idle, file, size, coalesce(n, 0), shown from trasmallo_workers w left join
            (select worker, count(*) as n from trasmallo_hosts where token is not null group by worker) h using (worker)
            where name <> '' order by joined, w.worker"""  # noqa: S608 - the clock is ours
        )
        return await cursor.fetchall()

    fields = WorkerRecord.__struct_fields__
    return [
        WorkerRecord(**dict(zip(fields, (*row[:-1], _decode_lines(row[-1]) if row[-1] else []), strict=True)))
        for row in await database.run(work)
    ]


async def read_all_workers(databases: Sequence[Database]) -> list[list[WorkerRecord]]:
    """All workers as each server knows them."""
    return list(await asyncio.gather(*map(read_workers, databases)))


def join_records(servers: Sequence[Sequence[WorkerRecord]]) -> list[WorkerRecord]:
    """Each worker once: as the first server knows it, which it tells that it lives, with what it committed on all."""
    others: dict[int, list[WorkerRecord]] = {}
    for record in (record for records in servers[1:] for record in records):
        others.setdefault(record.worker, []).append(record)
    return [_join_record(record, others.get(record.worker, [])) for record in servers[0]]


def _join_record(first: WorkerRecord, others: Sequence[WorkerRecord]) -> WorkerRecord:
    file, size = max((record.file, record.size) for record in (first, *others))
    return msgspec.structs.replace(
        first,
        rows=first.rows + sum(record.rows for record in others),
        collected=first.collected + sum(record.collected for record in others),
        received=first.received + sum(record.received for record in others),
        leases=first.leases + sum(record.leases for record in others),
        file=file,
        size=size,
    )


async def read_rows(database: Database, worker: int, after: int, most: int) -> list[tuple[int, Fetch]]:
    """Rows of a worker behind a number, in their order, each with its number: one that nobody could commit leaves a gap."""

    async def work(connection: Connection) -> list[tuple[Any, ...]]:
        cursor = await connection.execute(
            "select number, row from trasmallo_rows where worker = %s and number > %s order by number limit %s",
            (worker, after, most),
        )
        return await cursor.fetchall()

    return [(number, _decode(row)) for number, row in await database.run(work)]


async def note_collected(database: Database, worker: int, number: int) -> None:
    """Rows of a worker up to a number are the first machine's."""
    await database.run(
        lambda connection: connection.execute(
            "update trasmallo_workers set collected = greatest(collected, %s) where worker = %s", (number, worker)
        )
    )


async def give_up(database: Database, worker: int) -> tuple[str, int] | None:
    """Let a worker that was silent too long commit no more; the file and size of its last commit, None when it has ended.

    Only this answer is the last: what was known of a worker before may be older than a commit.
    """

    async def work(connection: Connection) -> tuple[str, int] | None:
        cursor = await connection.execute(
            "update trasmallo_workers set gone = true, busy = 0 where worker = %s and not ended returning file, size", (worker,)
        )
        row = await cursor.fetchone()
        return (row[0], row[1]) if row else None

    return await database.run(work)

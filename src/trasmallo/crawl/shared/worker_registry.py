"""Workers of a shared crawl as its database knows them, and what they are told: settings by version, and whether to go on.

A worker has a number of its own for each life. It says every second that it lives, by the database's clock, and learns in the
same breath whether the crawl runs, pauses or is over, and which version of the settings holds.
"""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.commits import Dismissed
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import forget_run
from trasmallo.crawl.shared.statements import NOW
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import LineStatus

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_REGISTER = f"""
insert into trasmallo_workers(worker, name, process, lines, local, joined, seen) values (%s, %s, %s, %s, %s, {NOW}, {NOW})
on conflict do nothing
"""  # noqa: S608 - the clock is ours
_BEAT = f"""
update trasmallo_workers set seen = {NOW}, busy = %s, idle = %s, shown = %s where worker = %s and not gone returning worker
"""  # noqa: S608 - the clock is ours
_PUBLISH = f"""
update trasmallo_crawl set run = %s, state = 'running', version = version + 1, plan = %s, storage = %s, lease_seconds = %s,
    allowance = %s, servers = %s, place = %s, began = {NOW}
"""  # noqa: S608 - the clock is ours

State = Literal["running", "paused", "stopped", "finished"]


class SharedPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What all workers of a crawl are to do: its plan, its run's name, and the size at which a WARC file is closed."""

    plan: CrawlPlan
    run: str
    roll_at: int
    limited: bool = False


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl tells its workers."""

    state: State
    version: int
    lease_seconds: float
    storage: str
    run: str


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker says of itself: lines at work, why it idles ("" when it does not), and some of its lines."""

    busy: int = 0
    idle: str = ""
    lines: list[LineStatus] = []


async def register(database: Database, *, name: str, lines: int, local: bool, worker: int = 0) -> int:
    """The number of a worker that begins, the one that another server gave it; `local` when it is one of the first machine."""
    worker = worker or secrets.randbits(62)

    async def work(connection: Connection) -> None:
        await connection.execute(
            _REGISTER,
            (worker, name[:200], os.getpid(), lines, local),
        )

    await database.run(work)
    return worker


async def beat(database: Database, worker: int, said: Beat) -> Orders:
    """Say that a worker lives; raises Dismissed when it was given up."""

    async def work(connection: Connection) -> Orders:
        values = (said.busy, said.idle, msgspec.msgpack.encode(said.lines), worker)
        cursor = await connection.execute(
            _BEAT,
            values,
        )
        if not await cursor.fetchone():
            raise Dismissed
        return await _orders(connection)

    return await database.run(work)


async def leave(database: Database, worker: int) -> None:
    """Say that a worker has ended, with all that it brought committed."""
    await database.run(
        lambda connection: connection.execute(
            "update trasmallo_workers set ended = true, busy = 0, idle = '' where worker = %s", (worker,)
        )
    )


async def read_orders(database: Database) -> Orders:
    """What the crawl tells its workers now."""
    return await database.run(_orders)


async def read_plan(database: Database) -> SharedPlan:
    """The settings that hold now."""

    async def work(connection: Connection) -> bytes:
        row = await (await connection.execute("select plan from trasmallo_crawl")).fetchone()
        return bytes(row[0]) if row else b""

    return msgspec.msgpack.decode(await database.run(work), type=decodable(SharedPlan))


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """A crawl as its first machine publishes it; one that is `limited` obtains no page before `allow_pages` says how many.

    `servers` are the addresses of all servers without passwords, and `place` the number of the one that is told.
    """

    shared: SharedPlan
    storage: str
    lease_seconds: float
    limited: bool = False
    servers: tuple[str, ...] = ()
    place: int = 0


async def publish(database: Database, crawl: Publication) -> bool:
    """Have workers begin with a run, or go on with it; whether it is a new one, for which the tables were emptied."""
    plan = msgspec.msgpack.encode(crawl.shared)

    async def work(connection: Connection) -> bool:
        row = await (await connection.execute("select run, servers, place from trasmallo_crawl for update")).fetchone()
        is_new = row is None or row[0] != crawl.shared.run
        if row is not None and not is_new and row[1] and (tuple(row[1]), row[2]) != (crawl.servers, crawl.place):
            raise ProjectError(
                "the crawl at {address} has other servers, or in another order",
                "name them in `frontier` as before ({servers}), or start another run with: trasmallo run DIR --new",
                address=database.shown,
                servers=" ".join(row[1]),
            )
        if is_new:
            await forget_run(connection)
        await connection.execute(
            _PUBLISH,
            (
                crawl.shared.run,
                plan,
                crawl.storage,
                crawl.lease_seconds,
                0 if crawl.limited else None,
                list(crawl.servers),
                crawl.place,
            ),
        )
        return is_new

    return await database.run(work)


async def allow_pages(database: Database, pages: int) -> None:
    """Say how many pages a crawl may obtain in all; those of leases that are out count until they end.

    Who takes or gives back some of them waits for the crawl's row meanwhile, so none is counted twice or forgotten.
    """

    async def work(connection: Connection) -> None:
        await connection.execute("select from trasmallo_crawl for update")
        tallies = await connection.execute("select outcome, sum(number) from trasmallo_tallies group by outcome")
        obtained = sum(int(number) for name, number in await tallies.fetchall() if Outcome(name).obtained)
        lent = await connection.execute("select coalesce(sum(lent), 0) from trasmallo_hosts where token is not null")
        out = int((await lent.fetchone() or (0,))[0])
        await connection.execute("update trasmallo_crawl set allowance = %s", (max(0, pages - obtained - out),))

    await database.run(work)


async def change_plan(database: Database, shared: SharedPlan) -> None:
    """Publish other settings of the same run."""
    plan = msgspec.msgpack.encode(shared)
    await database.run(
        lambda connection: connection.execute("update trasmallo_crawl set plan = %s, version = version + 1", (plan,))
    )


async def order(database: Database, state: State, *, unless: State | None = None) -> None:
    """Tell all workers to run, pause or end; not when the crawl is in the state `unless`."""
    await database.run(
        lambda connection: connection.execute(
            "update trasmallo_crawl set state = %s where state is distinct from %s", (state, unless)
        )
    )


async def _orders(connection: Connection) -> Orders:
    row = await (await connection.execute("select state, version, lease_seconds, storage, run from trasmallo_crawl")).fetchone()
    assert row is not None, "tables have their row from the beginning"
    return Orders(state=row[0], version=row[1], lease_seconds=row[2], storage=row[3], run=row[4])

"""Tables of a shared crawl, their version, and whose they are.

Hosts, queue, seen set and rows of one crawl, and what was found for hosts of another server of it. The first three are
partitioned by the hash of the host, so that all that concerns a host lies together. Counts are kept by worker, so that two
workers never wait for each other to count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trasmallo.crawl.shared.database import Database
from trasmallo.values.errors import ProjectError, StoreTooNew

if TYPE_CHECKING:
    import psycopg

PARTITIONS = 8
"""Judgement: each is vacuumed alone, and planning still takes no time."""

_PARTITIONED = ("hosts", "queue", "seen")
_FIRST = """
create table trasmallo_crawl(
    one boolean primary key default true check (one),
    layout int not null, project text not null, name text not null, software text not null,
    run text not null default '', state text not null default 'stopped', cause text not null default '',
    version bigint not null default 0, plan bytea not null default '', storage text not null default '',
    lease_seconds float8 not null default 30, allowance bigint, began float8 not null default 0);
create sequence trasmallo_order;
create table trasmallo_workers(
    worker bigint primary key, name text not null, process int not null, lines int not null, local boolean not null,
    joined float8 not null, seen float8 not null, ended boolean not null default false, gone boolean not null default false,
    known bigint not null default 0, retries bigint not null default 0, received bigint not null default 0,
    rows bigint not null default 0, collected bigint not null default 0, busy int not null default 0,
    idle text not null default '', file text not null default '', size bigint not null default 0,
    shown bytea not null default '');
create table trasmallo_tallies(worker bigint, outcome text, number bigint not null, primary key (worker, outcome));
create table trasmallo_rows(
    worker bigint, number bigint, url text not null, at float8 not null, outcome text not null, row bytea not null,
    primary key (worker, number));
create table trasmallo_hosts(
    host bigint primary key, name text not null, free_at float8 not null default 0, due float8, token bigint, worker bigint,
    queued bigint not null default 0, lent int not null default 0, held bigint[], last text, state bytea)
    partition by hash (host);
create index on trasmallo_hosts(due);
create table trasmallo_queue(
    host bigint, priority int, depth int, seq bigint default nextval('trasmallo_order'), url text not null,
    about bytea not null, attempts int not null default 0, after float8 not null default 0,
    primary key (host, priority, depth, seq)) partition by hash (host);
create table trasmallo_seen(host bigint, digest bigint, primary key (host, digest)) partition by hash (host);
"""
_SEVERAL_SERVERS = """
alter table trasmallo_crawl add column servers text[] not null default '{}', add column place int not null default 0;
create table trasmallo_outbox(
    id bigint generated always as identity primary key, server int not null, worker bigint not null, at float8 not null,
    targets bytea not null);
"""
_LEARNED = """
create table trasmallo_learned(
    id bigint generated always as identity primary key, worker bigint not null, note bytea not null);
"""
_STEPS: tuple[str, ...] = (_FIRST, _SEVERAL_SERVERS, _LEARNED)
"""What leads from each layout to the next, the first from nothing; a step that was released is never changed."""

LAYOUT = len(_STEPS)
_TABLES = ("rows", "queue", "seen", "hosts", "tallies", "workers", "outbox", "learned")


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Who makes the tables: the project by an id of its own, its name, and the software with its version."""

    project: str
    name: str
    software: str


async def prepare_tables(database: Database, claim: Claim) -> None:
    """Make or migrate the tables for a project; raises ProjectError when they are another's, StoreTooNew for a later layout."""

    async def work(connection: psycopg.AsyncConnection[Any]) -> None:
        await connection.execute("select pg_advisory_xact_lock(7266377)")
        layout = await _layout(connection)
        if layout:
            await _check_owner(connection, claim, database.shown)
        _check_layout(layout, database.shown)
        for step in _STEPS[layout:]:
            await connection.execute(step)
        if not layout:
            await _partition(connection)
            values = (LAYOUT, claim.project, claim.name, claim.software)
            await connection.execute(
                "insert into trasmallo_crawl(layout, project, name, software) values (%s, %s, %s, %s)", values
            )
        await connection.execute(
            "update trasmallo_crawl set layout = %s, name = %s, software = %s", (LAYOUT, claim.name, claim.software)
        )

    await database.run(work)


async def need_layout(database: Database) -> str:
    """The software of the crawl whose tables are there, in this layout; raises ProjectError and StoreTooNew."""

    async def work(connection: psycopg.AsyncConnection[Any]) -> str:
        layout = await _layout(connection)
        if not layout:
            raise ProjectError(
                "there is no crawl at {address}",
                "start it on the first machine with: trasmallo run DIR",
                address=database.shown,
            )
        _check_layout(layout, database.shown)
        if layout < LAYOUT:
            raise ProjectError(
                "the tables at {address} are of an earlier version",
                "go on with the crawl on the first machine, which brings them up to date: trasmallo run DIR",
                address=database.shown,
            )
        return str((await (await connection.execute("select software from trasmallo_crawl")).fetchone() or ("",))[0])

    return await database.run(work)


async def need_tables(database: Database, software: str) -> None:
    """See that there is a crawl to join, of this layout and software; raises ProjectError and StoreTooNew."""
    theirs = await need_layout(database)
    if theirs != software:
        raise ProjectError(
            "the crawl at {address} is one of {theirs}, and this is {ours}",
            "install the same version on all machines",
            address=database.shown,
            theirs=theirs,
            ours=software,
        )


async def forget_run(connection: psycopg.AsyncConnection[Any]) -> None:
    """Empty the tables for another run."""
    await connection.execute("truncate " + ", ".join(f"trasmallo_{name}" for name in _TABLES))


async def _layout(connection: psycopg.AsyncConnection[Any]) -> int:
    """The version of the tables that are there, 0 for none."""
    found = await (await connection.execute("select to_regclass('trasmallo_crawl') is not null")).fetchone()
    if not found or not found[0]:
        return 0
    row = await (await connection.execute("select layout from trasmallo_crawl")).fetchone()
    return int(row[0]) if row else 0


def _check_layout(layout: int, address: str) -> None:
    if layout > LAYOUT:
        raise StoreTooNew(
            "the tables at {address} were made by a later version of trasmallo (layout {layout}, this one knows {known})",
            "update trasmallo",
            address=address,
            layout=layout,
            known=LAYOUT,
        )


async def _check_owner(connection: psycopg.AsyncConnection[Any], claim: Claim, address: str) -> None:
    row = await (await connection.execute("select project, name from trasmallo_crawl")).fetchone()
    if row and row[0] != claim.project:
        raise ProjectError(
            "the database {address} holds the crawl of another project ({name})",
            "make a database for this one and name it as `frontier` in [cluster]",
            address=address,
            name=row[1],
        )


async def _partition(connection: psycopg.AsyncConnection[Any]) -> None:
    for name in _PARTITIONED:
        options = " with (fillfactor = 70)" if name == "hosts" else ""
        for number in range(PARTITIONS):
            await connection.execute(
                f"create table trasmallo_{name}_{number} partition of trasmallo_{name} "
                f"for values with (modulus {PARTITIONS}, remainder {number}){options}"
            )

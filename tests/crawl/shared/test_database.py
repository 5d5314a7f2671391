"""Addresses and their secrets, and transactions that outlive their connection."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.postgres import Server, small_disk
from support.shared_tables import join, with_tables
from trasmallo.crawl.frontier import Close
from trasmallo.crawl.shared.database import Database, check_address, connect_once, shown_address
from trasmallo.values.errors import ConfigError, ProjectError, StoreFull
from trasmallo.values.model import Target


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:s3cret@db.example:5433/corpus", "postgresql://me@db.example:5433/corpus"),
        ("postgresql://me:s3:cr@et@db/corpus", "postgresql://me@db/corpus"),
        ("postgres://db/corpus?sslmode=require&password=s3cret", "postgres://db/corpus?sslmode=require"),
        ("postgresql://me:s3cret@[broken/x", "postgresql://me@[broken/x"),
        ("postgresql://[broken/x?password=s3cret", "postgresql://[broken/x?"),
        ("host=db password = 's3 cret' user=me", "host=db  user=me"),
    ],
)
def test_a_password_is_never_shown(address: str, shown: str) -> None:
    assert shown_address(address) == shown


@pytest.mark.parametrize(
    "address",
    ["", "mysql://me:s3cret@db/x", "db.example", "postgresql://db:port/x", "postgresql://a b/x", "host=db password=s3cret"],
)
def test_what_is_no_address_is_told_without_its_password(address: str) -> None:
    with pytest.raises(ConfigError, match="postgresql://user@host/database") as told:
        check_address(address)
    assert "s3cret" not in str(told.value)


@pytest.mark.parametrize("address", ["postgresql://me:s3cret%zz@db/x", "postgresql://db/x?password=s3cret%zz"])
def test_an_address_that_cannot_be_read_is_told_without_its_password(address: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(ProjectError, match="percent-encoded") as told:
        asyncio.run(connect_once(address))
    assert "s3cret" not in str(told.value)


def test_a_server_that_is_not_there_is_told_with_the_repair() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(ProjectError, match="start PostgreSQL there") as told:
        asyncio.run(connect_once("postgresql://me:s3cret@127.0.0.1:1/nothing"))
    assert "s3cret" not in str(told.value)


def test_a_transaction_is_done_again_when_its_connection_breaks(database: str, postgres: Server) -> None:
    tries = []

    async def work(connection: Any) -> int:
        tries.append(1)
        await connection.execute("create table if not exists t(n int)")
        await connection.execute("insert into t values (1)")
        if len(tries) < 3:
            await connection.execute("select pg_terminate_backend(pg_backend_pid())")
        return (await (await connection.execute("select count(*) from t")).fetchone())[0]

    async def run() -> int:
        opened = Database(database, patience=20.0)
        try:
            return await opened.run(work)
        finally:
            await opened.close()

    assert asyncio.run(run()) == 1, "what was cut short was taken back"
    assert len(tries) == 3


def test_a_mistake_is_told_at_once(database: str) -> None:
    async def run() -> None:
        opened = Database(database)
        try:
            await opened.run(lambda connection: connection.execute("select nothing from nowhere"))
        finally:
            await opened.close()

    with pytest.raises(ProjectError, match="nowhere"):
        asyncio.run(run())


def test_a_full_disk_of_the_database_is_told_and_loses_nothing(postgres: Server) -> None:
    with small_disk(12) as disk:
        address = postgres.make_database(place=disk.folder)

        async def fill(opened: Database) -> int:
            frontier = await join(opened, address)
            added = 0
            try:
                with pytest.raises(
                    StoreFull, match=r"the disk of the database .* is full: free space there .* nothing .* lost"
                ):
                    for first in range(0, 10**6, 2_000):
                        numbers = range(first, first + 2_000)
                        added += await frontier.add([Target(f"http://h{n % 50}.example/{n:0>200}") for n in numbers])
                disk.resize(64)
                assert (await frontier.stats()).known == added, "what was told to be stored is there, and nothing else"
                return await frontier.add([Target("http://one.more.example/")])
            finally:
                await frontier.control(Close())

        assert asyncio.run(with_tables(address, fill)) == 1
        postgres.drop_database(address)
        postgres.forget_place(disk.folder)

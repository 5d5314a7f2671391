"""Whose the tables are, and of which version."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from support.shared_tables import CLAIM, value, with_tables
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import LAYOUT, PARTITIONS, need_tables, prepare_tables
from trasmallo.values.errors import ProjectError, StoreTooNew


def test_tables_are_made_once_and_partitioned(database: str) -> None:
    async def work(opened: Database) -> tuple[int, int]:
        await prepare_tables(opened, CLAIM)
        parts = await value(opened, "select count(*) from pg_inherits where inhparent = 'trasmallo_queue'::regclass")
        return parts, await value(opened, "select layout from trasmallo_crawl")

    assert asyncio.run(with_tables(database, work)) == (PARTITIONS, LAYOUT)


def test_the_database_of_another_project_is_refused(database: str) -> None:
    other = msgspec.structs.replace(CLAIM, project="p2", name="other")
    with pytest.raises(ProjectError, match=r"another project \(test\).*make a database"):
        asyncio.run(with_tables(database, lambda opened: prepare_tables(opened, other)))


def test_a_newer_layout_is_refused_by_all(database: str) -> None:
    async def work(opened: Database) -> None:
        await opened.run(lambda connection: connection.execute("update trasmallo_crawl set layout = 99"))
        for check in (prepare_tables(opened, CLAIM), need_tables(opened, CLAIM.software)):
            with pytest.raises(StoreTooNew, match="update trasmallo"):
                await check

    asyncio.run(with_tables(database, work))


def test_a_worker_of_another_version_is_refused(database: str) -> None:
    with pytest.raises(ProjectError, match="install the same version"):
        asyncio.run(with_tables(database, lambda opened: need_tables(opened, "trasmallo/0.0.1")))


def test_a_database_without_a_crawl_cannot_be_joined(database: str) -> None:
    async def run() -> None:
        opened = Database(database)
        try:
            await need_tables(opened, CLAIM.software)
        finally:
            await opened.close()

    with pytest.raises(ProjectError, match=r"no crawl at .* trasmallo run DIR"):
        asyncio.run(run())


def test_tables_of_an_earlier_layout_are_brought_up_to_date_by_the_first_machine_alone(database: str) -> None:
    async def work(opened: Database) -> None:
        async def go_back(connection: Any) -> None:
            await connection.execute("drop table trasmallo_outbox, trasmallo_learned")
            await connection.execute("alter table trasmallo_crawl drop column servers, drop column place")
            await connection.execute("update trasmallo_crawl set layout = 1")

        await opened.run(go_back)
        with pytest.raises(ProjectError, match="of an earlier version: go on with the crawl on the first machine"):
            await need_tables(opened, CLAIM.software)
        await prepare_tables(opened, CLAIM)
        await need_tables(opened, CLAIM.software)
        assert await value(opened, "select count(*) from trasmallo_outbox, trasmallo_learned") == 0

    asyncio.run(with_tables(database, work))

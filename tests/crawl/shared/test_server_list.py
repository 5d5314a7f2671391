"""One or several servers by the address of any of them."""

from __future__ import annotations

import asyncio

import pytest

from support.postgres import Server
from support.shared_tables import CLAIM, with_tables
from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import prepare_tables
from trasmallo.crawl.shared.postgres_frontier import PostgresFrontier
from trasmallo.crawl.shared.server_list import addresses_of, all_addresses, open_databases, open_frontier, reach_all
from trasmallo.crawl.shared.worker_registry import Publication, SharedPlan, publish
from trasmallo.values.errors import ConfigError, ProjectError


def publication(run: str, servers: tuple[str, ...], place: int) -> Publication:
    plan = SharedPlan(plan=CrawlPlan(config=CrawlConfig()), run=run, roll_at=5)
    return Publication(shared=plan, storage="/mnt/x", lease_seconds=9.0, servers=servers, place=place)


def test_servers_are_named_with_blanks_between_them() -> None:
    assert addresses_of("postgresql://a@b/c") == ("postgresql://a@b/c",)
    assert addresses_of(" postgresql://a@b/c  postgresql://a@d/c ") == ("postgresql://a@b/c", "postgresql://a@d/c")
    with pytest.raises(ConfigError, match="names a server twice: name each"):
        addresses_of("postgresql://a@b/c postgresql://a:x@b/c")
    for wrong in ("", "postgresql://a@b/c nowhere"):
        with pytest.raises(ConfigError, match="no address of a shared frontier"):
            addresses_of(wrong)


def test_any_server_tells_of_all_and_another_order_is_refused(postgres: Server, database: str) -> None:
    addresses = [database, postgres.make_database()]

    async def work() -> None:
        async with open_databases(addresses) as databases:
            for place, opened in enumerate(databases):
                await prepare_tables(opened, CLAIM)
                await publish(opened, publication("r1", tuple(addresses), place))
            assert await reach_all(addresses[1]) == addresses
            for servers, place in ((addresses[::-1], 1), (addresses, 1), (addresses[:1], 0)):
                with pytest.raises(ProjectError, match="other servers, or in another order: name them in `frontier` as before"):
                    await publish(databases[0], publication("r1", tuple(servers), place))
            await publish(databases[0], publication("r2", tuple(addresses[:1]), 0))
            assert await all_addresses(addresses[0]) == addresses[:1]

    asyncio.run(work())


def test_one_server_needs_no_list(database: str) -> None:
    async def work(_opened: Database) -> list[str]:
        return await all_addresses(database)

    assert asyncio.run(with_tables(database, work)) == [database]
    assert isinstance(open_frontier([database], worker=1), PostgresFrontier)

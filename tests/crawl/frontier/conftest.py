"""The same tests on every frontier: the embedded one, and the one in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from trasmallo.crawl.frontier import Close, EmbeddedFrontier, Frontier
from trasmallo.crawl.frontier.interface import LeaseReply

T = TypeVar("T")
Do = Callable[[Coroutine[Any, Any, T]], T]


@pytest.fixture
def do() -> Iterator[Any]:
    """Runs a coroutine to its end."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(params=["embedded", "postgresql", "two servers"])
def frontier(request: pytest.FixtureRequest, tmp_path: Path, do: Do[Any]) -> Iterator[Frontier]:
    """A frontier whose leases end after 100 seconds of the time that `lease` is called with."""
    if request.param == "embedded":
        opened: Frontier = EmbeddedFrontier(tmp_path / "frontier", lease_seconds=100.0)
        yield opened
    else:
        addresses = [request.getfixturevalue("database")]
        if request.param == "two servers":
            addresses.append(request.getfixturevalue("postgres").make_database())
        opened = do(_shared(addresses))
        yield opened
    do(opened.control(Close()))


async def _shared(addresses: list[str]) -> Frontier:
    from trasmallo.crawl.shared.database import Database
    from trasmallo.crawl.shared.layout import Claim, prepare_tables
    from trasmallo.crawl.shared.worker_registry import register

    databases = list(map(Database, addresses))
    worker = 0
    for database in databases:
        await prepare_tables(database, Claim(project="p", name="test", software="trasmallo"))
        worker = await register(database, name="tester", lines=1, local=True, worker=worker)
        await database.run(_make_clock)
    return _virtual_time(addresses, worker, databases)


async def _make_clock(connection: Any) -> None:
    await connection.execute("create table test_clock(at float8)")
    await connection.execute("insert into test_clock values (0)")


def _virtual_time(addresses: list[str], worker: int, databases: list[Any]) -> Frontier:
    """A frontier whose servers' clocks, and the worker's, are what `lease` is called with."""
    from trasmallo.crawl.shared.server_list import open_frontier

    at = [0.0]
    made = open_frontier(addresses, worker=worker, lease_seconds=100.0, clock=lambda: at[0], now="(select at from test_clock)")
    lease, control = made.lease, made.control

    async def lease_at(now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
        at[0] = now
        for database in databases:
            await database.run(lambda connection: connection.execute("update test_clock set at = %s", (now,)))
        return await lease(now, hosts, urls_per_host)

    async def control_all(command: Any) -> Any:
        if isinstance(command, Close):
            for database in databases:
                await database.close()
        return await control(command)

    made.lease, made.control = lease_at, control_all  # type: ignore[method-assign]
    return made

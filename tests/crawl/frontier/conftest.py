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


@pytest.fixture(params=["embedded", "postgresql"])
def frontier(request: pytest.FixtureRequest, tmp_path: Path, do: Do[Any]) -> Iterator[Frontier]:
    """A frontier whose leases end after 100 seconds of the time that `lease` is called with."""
    if request.param == "embedded":
        opened: Frontier = EmbeddedFrontier(tmp_path / "frontier", lease_seconds=100.0)
        yield opened
    else:
        opened = do(_shared(request.getfixturevalue("database")))
        yield opened
    do(opened.control(Close()))


async def _shared(address: str) -> Frontier:
    from trasmallo.crawl.shared.database import Database
    from trasmallo.crawl.shared.layout import Claim, prepare_tables
    from trasmallo.crawl.shared.worker_registry import register

    database = Database(address)
    await prepare_tables(database, Claim(project="p", name="test", software="trasmallo"))
    worker = await register(database, name="tester", lines=1, local=True)

    async def make_clock(connection: Any) -> None:
        await connection.execute("create table test_clock(at float8)")
        await connection.execute("insert into test_clock values (0)")

    await database.run(make_clock)
    return _VirtualTime(address, worker, database)


def _VirtualTime(address: str, worker: int, database: Any) -> Frontier:  # noqa: N802 - a class that is made late
    from trasmallo.crawl.shared.postgres_frontier import PostgresFrontier

    class VirtualTime(PostgresFrontier):
        """Whose server's clock, and the worker's, are what `lease` is called with."""

        at = 0.0

        async def lease(self, now: float, hosts: int = 1, urls_per_host: int = 1) -> LeaseReply:
            self.at = now
            await database.run(lambda connection: connection.execute("update test_clock set at = %s", (now,)))
            return await super().lease(now, hosts, urls_per_host)

        async def control(self, command: Any) -> Any:
            if isinstance(command, Close):
                await database.close()
            return await super().control(command)

    made = VirtualTime(address, worker=worker, lease_seconds=100.0, clock=lambda: made.at, now="(select at from test_clock)")
    return made

"""A shared crawl without a project: its tables, workers by number, and frontiers with short leases."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from trasmallo.crawl.shared.commits import RowBatch
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.layout import Claim, prepare_tables
from trasmallo.crawl.shared.postgres_frontier import PostgresFrontier
from trasmallo.crawl.shared.worker_registry import register
from trasmallo.values.model import Fetch, Locator, Outcome
from trasmallo.values.software import SOFTWARE

T = TypeVar("T")
CLAIM = Claim(project="p1", name="test", software=SOFTWARE)


async def with_tables(address: str, work: Callable[[Database], Awaitable[T]]) -> T:
    """What `work` gives with the tables made."""
    database = Database(address, patience=5.0)
    try:
        await prepare_tables(database, CLAIM)
        return await work(database)
    finally:
        await database.close()


async def join(database: Database, address: str, **options: Any) -> PostgresFrontier:
    """The frontier of a new worker."""
    worker = await register(database, name="tester", lines=2, local=False)
    return PostgresFrontier(address, worker=worker, **options)


async def value(database: Database, statement: str) -> Any:
    """The one value that a statement gives."""

    async def work(connection: Any) -> Any:
        return (await (await connection.execute(statement)).fetchone())[0]

    return await database.run(work)


class Rows:
    """One row with each commit."""

    def __init__(self) -> None:
        self.taken = 0

    async def take(self) -> RowBatch:
        self.taken += 1
        fetch = Fetch(f"http://a.example/{self.taken}", 1.0, Outcome.FETCHED, 200, locator=Locator("f", 0, 9))
        return RowBatch([fetch], self.taken, "f", 9 * self.taken, 100 * self.taken)

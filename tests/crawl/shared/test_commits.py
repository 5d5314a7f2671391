"""What leases end with is one transaction with the rows of their pages; a worker that was given up commits nothing."""

from __future__ import annotations

import asyncio

import pytest

from support.leasing import pages
from support.shared_crawl import Rows, join, value, with_tables
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.shared.collection import give_up, read_rows
from trasmallo.crawl.shared.commits import Dismissed
from trasmallo.crawl.shared.database import Database
from trasmallo.values.model import Locator, Outcome


def test_rows_are_committed_with_the_leases_that_brought_them(database: str) -> None:
    async def work(opened: Database) -> None:
        rows = Rows()
        frontier = await join(opened, database, rows=rows)
        await frontier.add([*pages("a.example", 1), *pages("b.example", 1)])
        leases = (await frontier.lease(0.0, 2)).leases
        ends = [frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0) for lease in leases]
        await asyncio.gather(*ends)
        assert rows.taken == 1, "both in one transaction"
        worker = await value(opened, "select worker from trasmallo_workers")
        (row,) = await read_rows(opened, worker, 0, 10)
        assert row.locator == Locator("f", 0, 9)
        assert await value(opened, "select array[rows, size, received] from trasmallo_workers") == [1, 9, 100]
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))


def test_a_worker_that_was_given_up_commits_nothing(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database, rows=Rows())
        await frontier.add(pages("a.example", 1))
        (lease,) = (await frontier.lease(0.0)).leases
        await give_up(opened, await value(opened, "select worker from trasmallo_workers"))
        with pytest.raises(Dismissed):
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        assert await value(opened, "select count(*) from trasmallo_rows") == 0
        assert await value(opened, "select count(*) from trasmallo_queue") == 1
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))

"""Rows are collected once, in the order of each worker, and workers are told with what lags."""

from __future__ import annotations

import asyncio

from support.leasing import pages
from support.shared_tables import Rows, join, with_tables
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.shared.collection import give_up, note_collected, read_rows, read_workers
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.worker_registry import leave
from trasmallo.values.model import Outcome


def test_what_was_collected_does_not_lag(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database, rows=Rows())
        await frontier.add(pages("a.example", 3))
        for _ in range(3):
            (lease,) = (await frontier.lease(0.0)).leases
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        (record,) = await read_workers(opened)
        assert (record.rows, record.lag, record.ended, record.gone) == (3, 3, False, False)
        rows = await read_rows(opened, record.worker, 1, 10)
        assert [(number, row.url[-1]) for number, row in rows] == [(2, "2"), (3, "3")]
        await note_collected(opened, record.worker, 3)
        await note_collected(opened, record.worker, 2)
        assert (await read_workers(opened))[0].lag == 0
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))


def test_who_is_given_up_is_cut_where_its_last_commit_ends(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database, rows=Rows())
        await frontier.add(pages("a.example", 1))
        (known,) = await read_workers(opened)
        (lease,) = (await frontier.lease(0.0)).leases
        await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        assert (known.file, await give_up(opened, known.worker)) == ("", ("f", 9)), "not where it was when it was looked at"
        await leave(opened, known.worker)
        assert await give_up(opened, known.worker) is None, "who has ended is cut nowhere"
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))

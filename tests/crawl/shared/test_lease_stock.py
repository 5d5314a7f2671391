"""Leases at hand: lines get them without waiting, others get them back."""

from __future__ import annotations

import asyncio
import time

from support.leasing import pages
from support.shared_tables import join, value, with_tables
from trasmallo.crawl.frontier import Close, DropExcluded, Result
from trasmallo.crawl.frontier.interface import ControlReply
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.lease_stock import LeaseStock
from trasmallo.values.model import Outcome


def test_leases_are_at_hand_and_given_back_at_the_end(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database)
        stock, arrived = LeaseStock(frontier, 4, time.time), asyncio.Event()
        stock.wake = arrived.set
        await stock.add([target for number in range(9) for target in pages(f"h{number}.example", 1)])
        assert (await stock.lease(time.time())).leases == (), "nobody waits for the database"
        filling = asyncio.create_task(stock.run())
        await arrived.wait()
        (lease,) = (await stock.lease(time.time())).leases
        assert stock.idle == ""
        assert await value(opened, "select count(*) from trasmallo_hosts where token is not null") >= 4
        assert await stock.extend([lease.token], time.time() + 60) == ()
        await stock.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)
        assert await stock.control(DropExcluded(("h",))) == ControlReply(), "the first machine drops"
        await stock.control(Close())
        assert await value(opened, "select count(*) from trasmallo_hosts where token is not null") == 0
        assert await value(opened, "select count(*) from trasmallo_queue") == 8

    asyncio.run(with_tables(database, work))


def test_why_nothing_is_at_hand_is_told(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database)
        stock, woken = LeaseStock(frontier, 4, time.time), asyncio.Event()
        stock.wake = woken.set
        filling = asyncio.create_task(stock.run())
        await stock.lease(time.time())
        await woken.wait()
        assert stock.idle == "empty"
        await frontier.add(pages("a.example", 2))
        (lease,) = (await frontier.lease(time.time())).leases
        await frontier.finish(lease, [], [], time.time() + 60)
        woken.clear()
        await stock.lease(time.time())
        await woken.wait()
        assert stock.idle == "delay"
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)
        await stock.control(Close())

    asyncio.run(with_tables(database, work))


def test_lines_that_wait_do_not_count_the_whole_crawl_at_every_look(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier, now = await join(opened, database), [0.0]
        stock = LeaseStock(frontier, 4, lambda: now[0])
        assert (await stock.stats(1)).known == 0
        await frontier.add(pages("a.example", 2))
        assert (await stock.stats(1)).known == 0
        now[0] = 6.0
        stats = await stock.stats(1)
        assert (stats.known, len(stats.busiest)) == (2, 1)
        await stock.control(Close())

    asyncio.run(with_tables(database, work))

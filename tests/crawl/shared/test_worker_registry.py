"""Workers join with the address alone, hear orders, and are dismissed when another run begins."""

from __future__ import annotations

import asyncio

import pytest

from support.leasing import pages
from support.shared_tables import join, value, with_tables
from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.commits import Dismissed
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.worker_registry import (
    Beat,
    Publication,
    SharedPlan,
    allow_pages,
    beat,
    change_plan,
    order,
    publish,
    read_orders,
    read_plan,
    register,
)
from trasmallo.values.model import Outcome


def plan_of(run: str, *exclude: str) -> SharedPlan:
    config = CrawlConfig(seeds=("http://a.example/",), exclude=exclude, contact="me@example.org")
    return SharedPlan(plan=CrawlPlan(config=config, software="trasmallo/1"), run=run, roll_at=5)


def test_settings_and_orders_reach_workers_by_version(database: str) -> None:
    async def work(opened: Database) -> None:
        assert await publish(opened, Publication(shared=plan_of("r1"), storage="/mnt/x", lease_seconds=9.0))
        worker = await register(opened, name="machine", lines=3, local=False)
        first = await beat(opened, worker, Beat(busy=2))
        assert (first.state, first.storage, first.lease_seconds, first.run) == ("running", "/mnt/x", 9.0, "r1")
        assert await read_plan(opened) == plan_of("r1")
        await change_plan(opened, plan_of("r1", "sport"))
        await order(opened, "paused")
        second = await beat(opened, worker, Beat())
        assert (second.state, second.version) == ("paused", first.version + 1)
        assert (await read_plan(opened)).plan.config.exclude == ("sport",)
        assert not await publish(opened, Publication(shared=plan_of("r1"), storage="/mnt/x", lease_seconds=9.0))
        assert (await read_orders(opened)).state == "running"
        assert await publish(opened, Publication(shared=plan_of("r2"), storage="/mnt/x", lease_seconds=9.0))
        with pytest.raises(Dismissed):
            await beat(opened, worker, Beat())

    asyncio.run(with_tables(database, work))


def test_a_limit_of_pages_counts_what_was_obtained_and_what_is_lent(database: str) -> None:
    async def work(opened: Database) -> None:
        await publish(opened, Publication(shared=plan_of("run"), storage="/s", lease_seconds=9.0, limited=True))
        frontier = await join(opened, database, limited=True)
        await frontier.add([*pages("a.example", 3), *pages("b.example", 3)])
        assert (await frontier.lease(0.0)).leases == (), "nothing before it is known how many"
        await allow_pages(opened, 5)
        first, second = (await frontier.lease(0.0, 2)).leases
        await frontier.finish(first, [Result(first.targets[0].url, Outcome.FETCHED)], [], 0.0)
        await allow_pages(opened, 5)
        assert await value(opened, "select allowance from trasmallo_crawl") == 3
        await frontier.finish(second, [Result(second.targets[0].url, Outcome.MISSING)], [], 0.0)
        assert await value(opened, "select allowance from trasmallo_crawl") == 4
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))

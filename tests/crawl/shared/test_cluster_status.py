"""Where a shared crawl stands, for anybody with its address."""

from __future__ import annotations

import asyncio

from support.leasing import pages
from support.shared_crawl import Rows, join, with_tables
from trasmallo.config import CrawlConfig
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.cluster_status import read_catalog, read_status
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.worker_registry import Publication, SharedPlan, publish
from trasmallo.values.model import Outcome


def test_workers_leases_and_limits_are_told(database: str) -> None:
    async def work(opened: Database) -> None:
        shared = SharedPlan(plan=CrawlPlan(config=CrawlConfig()), run="r1", roll_at=5)
        await publish(opened, Publication(shared=shared, storage="/mnt/x", lease_seconds=30.0))
        frontier = await join(opened, database, rows=Rows(), clock=lambda: 0.0)
        await frontier.add([*pages("a.example", 3), *pages("b.example", 2)])
        for lease in (await frontier.lease(0.0, 2)).leases:
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 500.0)
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))
    status = read_status(database)
    assert (status.run, status.state, status.known, status.waiting, status.hosts_left) == ("r1", "running", 5, 3, 2)
    assert (status.hosts_due, status.hosts_leased, status.limited_by, status.lag) == (0, 0, "politeness", 2)
    assert status.imbalance >= 1.0
    (worker,) = status.workers
    assert (worker.machine, worker.state, worker.rows) == ("tester", "working", 2)
    assert [row.url for row in read_catalog(database, "EXAMPLE/2")] == ["http://a.example/2"]

"""A worker that cannot join says why, in one line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from support.shared_tables import with_tables
from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.database import Database
from trasmallo.pipeline.shared_worker import SharedWorker, WorkerOptions, place_plan
from trasmallo.values.errors import ConfigError, ProjectError


def test_a_crawl_that_does_not_run_cannot_be_joined(database: str) -> None:
    async def work(_opened: Database) -> None:
        await SharedWorker(WorkerOptions(address=database), lambda _: None).run()

    with pytest.raises(ProjectError, match="no crawl runs at .* trasmallo run DIR"):
        asyncio.run(with_tables(database, work))


def test_a_wrong_address_is_told() -> None:
    with pytest.raises(ConfigError, match="postgresql://user@host/database"):
        asyncio.run(SharedWorker(WorkerOptions(address="nowhere"), lambda _: None).run())


def test_what_a_worker_learns_lies_in_its_own_folder_not_where_it_was_started(tmp_path: Path) -> None:
    plan = place_plan(CrawlPlan(config=CrawlConfig()), tmp_path, 4)
    places = [plan.frontier, plan.traps, plan.scope_log, plan.robots, plan.probes]
    assert [place for place in places if Path(place).parent != tmp_path] == []

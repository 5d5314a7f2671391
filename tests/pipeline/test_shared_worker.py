"""A worker that cannot join says why, in one line."""

from __future__ import annotations

import asyncio

import pytest

from support.shared_crawl import with_tables
from trasmallo.crawl.shared.database import Database
from trasmallo.pipeline.shared_worker import SharedWorker, WorkerOptions
from trasmallo.values.errors import ConfigError, ProjectError


def test_a_crawl_that_does_not_run_cannot_be_joined(database: str) -> None:
    async def work(_opened: Database) -> None:
        await SharedWorker(WorkerOptions(address=database), lambda _: None).run()

    with pytest.raises(ProjectError, match="no crawl runs at .* trasmallo run DIR"):
        asyncio.run(with_tables(database, work))


def test_a_wrong_address_is_told() -> None:
    with pytest.raises(ConfigError, match="postgresql://user@host/database"):
        asyncio.run(SharedWorker(WorkerOptions(address="nowhere"), lambda _: None).run())

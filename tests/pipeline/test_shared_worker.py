"""A worker that cannot join says why, in one line."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.postgres import running_server
from support.shared_tables import with_tables
from support.waiting import until
from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlPlan
from trasmallo.crawl.shared.cluster_status import read_status
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.worker_registry import Publication, SharedPlan, publish
from trasmallo.pipeline.shared_worker import SharedWorker, WorkerOptions, place_plan
from trasmallo.values.errors import ConfigError, ProjectError
from trasmallo.values.software import SOFTWARE


def test_a_crawl_that_does_not_run_cannot_be_joined(database: str) -> None:
    async def work(_opened: Database) -> None:
        await SharedWorker(WorkerOptions(address=database), lambda _: None).run()

    with pytest.raises(ProjectError, match="no crawl runs at .* trasmallo run DIR"):
        asyncio.run(with_tables(database, work))


def test_a_wrong_address_is_told() -> None:
    with pytest.raises(ConfigError, match="postgresql://user@host/database"):
        asyncio.run(SharedWorker(WorkerOptions(address="nowhere"), lambda _: None).run())


def test_a_second_ctrl_c_ends_a_worker_whose_database_is_away(tmp_path: Path) -> None:
    plan = SharedPlan(plan=CrawlPlan(config=CrawlConfig(lines=2), software=SOFTWARE), run="run", roll_at=1_000_000)
    publication = Publication(shared=plan, storage=str(tmp_path), lease_seconds=30.0)
    with running_server() as server:
        address = server.make_database()
        asyncio.run(with_tables(address, lambda opened: publish(opened, publication)))
        command = [sys.executable, "-P", "-m", "trasmallo", "worker", address]
        worker = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: [each.idle for each in read_status(address).workers] == ["empty"], "the worker to join")
            server.kill()
            worker.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                worker.wait(1)
            worker.send_signal(signal.SIGINT)
            assert worker.wait(10) == -signal.SIGINT
        finally:
            worker.kill()
            worker.wait()


def test_what_a_worker_learns_lies_in_its_own_folder_not_where_it_was_started(tmp_path: Path) -> None:
    plan = place_plan(CrawlPlan(config=CrawlConfig()), tmp_path, 4)
    places = [plan.frontier, plan.traps, plan.scope_log, plan.robots, plan.probes]
    assert [place for place in places if Path(place).parent != tmp_path] == []

"""The page of the machines that share a crawl."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from support.leasing import pages
from support.shared_tables import join, with_tables
from trasmallo import config, config_text
from trasmallo.crawl.frontier import Close
from trasmallo.crawl.shared.database import Database
from web.conftest import Client


def test_a_project_of_one_machine_says_how_others_join(enter: Callable[..., Client], played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "own")
    client = enter(tmp_path / "own")
    assert client.json("/p/own/cluster")["status"] is None
    assert "trasmallo worker" in client.page("/p/own/cluster")


def test_workers_and_hosts_are_shown(enter: Callable[..., Client], played: Path, tmp_path: Path, database: str) -> None:
    shutil.copytree(played, tmp_path / "own")
    path = tmp_path / "own" / config.FILE_NAME
    cluster = config.ClusterConfig(frontier=database, storage=str(tmp_path))
    config_text.write(msgspec.structs.replace(config.load(path), cluster=cluster), path)

    async def work(opened: Database) -> None:
        frontier = await join(opened, database)
        await frontier.add(pages("a.example", 2))
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))
    client = enter(tmp_path / "own")
    told = client.json("/p/own/cluster")["status"]
    assert (told["known"], told["hosts_left"], told["workers"][0]["machine"]) == (2, 1, "tester")
    assert "Servidores que quedan" in client.page("/p/own/cluster", headers={"Accept-Language": "es"})

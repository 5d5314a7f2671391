"""The commands of a shared crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from support.command_line import Done, hurried
from support.leasing import pages
from support.shared_crawl import Rows, join, with_tables
from trasmallo.crawl.frontier import Close, Result
from trasmallo.crawl.shared.database import Database
from trasmallo.values.model import Outcome

Command = Callable[..., Done]


def test_a_wrong_address_is_one_line_without_the_password(trasmallo: Command) -> None:
    done = trasmallo("worker", "mysql://me:s3cret@db/x")
    assert done.code == 2
    assert "postgresql://user@host/database" in done.err
    assert "s3cret" not in done.out + done.err


def test_a_project_of_one_machine_has_no_cluster(trasmallo: Command, tmp_path: Path) -> None:
    project = hurried(tmp_path / "project", ("http://a.example/",))
    done = trasmallo("cluster", project.folder)
    assert done.code == 2
    assert "`frontier` in [cluster]" in done.err


def test_the_crawl_is_shown_to_whoever_has_its_address(trasmallo: Command, database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database, rows=Rows())
        await frontier.add(pages("a.example", 2))
        (lease,) = (await frontier.lease(0.0)).leases
        await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))
    told = trasmallo("cluster", database, "--json").value()
    assert (told["known"], told["waiting"], told["workers"][0]["machine"]) == (2, 1, "tester")
    assert "1 hosts left" in trasmallo("cluster", database).out
    (row,) = trasmallo("cluster", database, "--pages", "5", "--json").rows()
    assert row["url"] == "http://a.example/1"
    assert "http://a.example/1" in trasmallo("cluster", database, "--pages", "5").out

"""What leases end with is one transaction with the rows of their pages; a worker that was given up commits nothing."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import pytest

from support.leasing import pages
from support.shared_tables import Rows, join, value, with_tables
from trasmallo.crawl.frontier import Close, LeaseLost, Result
from trasmallo.crawl.shared.collection import give_up, read_rows
from trasmallo.crawl.shared.commits import Commits, Dismissed, Ending, RowBatch
from trasmallo.crawl.shared.database import Database, Work
from trasmallo.crawl.shared.queued_targets import Entry, host_number
from trasmallo.crawl.shared.statements import NOW
from trasmallo.values.model import Locator, Outcome

T = TypeVar("T")


class AnswerLost(Database):
    """A database whose connection breaks when a transaction was committed: it is done again, as nobody knows."""

    async def run(self, work: Work[T]) -> T:
        await super().run(work)
        return await super().run(work)


class ClosedArchive(Rows):
    """Rows of an archive that has no file open from the second commit on."""

    async def take(self) -> RowBatch:
        batch = await super().take()
        return batch if self.taken == 1 else batch._replace(rows=[], first=2, file="", size=0)


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
        ((_, row),) = await read_rows(opened, worker, 0, 10)
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


def test_a_commit_whose_answer_was_lost_counts_once(database: str) -> None:
    async def work(opened: Database) -> None:
        frontier = await join(opened, database)
        await frontier.add(pages("a.example", 1))
        (lease,) = (await frontier.lease(0.0)).leases
        worker, seq = (
            await value(opened, "select worker from trasmallo_workers"),
            await value(opened, "select seq from trasmallo_queue"),
        )
        lossy = AnswerLost(database)
        commits = Commits(lossy, worker, Rows(), now=NOW, limited=False)
        (target,) = lease.targets
        entry = Entry(target.priority, target.depth, seq, 0, target)
        ending = Ending(
            token=lease.token,
            host=host_number(lease.host),
            lent=1,
            results=[(entry, Outcome.FETCHED, 0.0)],
            discovered=pages("b.example", 2),
            rest=0.0,
        )
        with pytest.raises(LeaseLost):
            await commits.commit(ending)
        assert [number for number, _ in await read_rows(opened, worker, 0, 10)] == [1]
        stats = await frontier.stats()
        assert (stats.known, stats.queued, stats.leased, stats.outcomes) == (3, 2, 0, {Outcome.FETCHED: 1})
        await lossy.close()
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))


def test_what_was_committed_of_a_file_stays_when_none_is_open(database: str) -> None:
    """Else all files of a worker whose storage refused the next one would be removed as if nothing in them counted."""

    async def work(opened: Database) -> None:
        frontier = await join(opened, database, rows=ClosedArchive())
        await frontier.add(pages("a.example", 2))
        for _ in range(2):
            (lease,) = (await frontier.lease(0.0)).leases
            await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], [], 0.0)
        assert await give_up(opened, await value(opened, "select worker from trasmallo_workers")) == ("f", 9)
        await frontier.control(Close())

    asyncio.run(with_tables(database, work))

"""What workers of a shared crawl learn from each other."""

from __future__ import annotations

import asyncio

from support.shared_tables import value, with_tables
from trasmallo.crawl.shared.database import Database
from trasmallo.crawl.shared.learned_notes import LearnedNotes


def test_what_one_worker_tells_all_others_hear_once(database: str) -> None:
    async def work(opened: Database) -> None:
        one, two, late = (LearnedNotes(opened, number) for number in (1, 2, 3))
        assert await one.exchange([b"a", b"\x00\xff"]) == []
        assert await two.exchange([b"c"]) == [b"a", b"\x00\xff"]
        assert await two.exchange([]) == []
        assert await one.exchange([]) == [b"c"]
        assert await late.exchange([]) == [b"a", b"\x00\xff", b"c"], "who joins later learns from what was told"

    asyncio.run(with_tables(database, work))


def test_the_last_notes_are_kept(database: str) -> None:
    async def work(opened: Database) -> None:
        notes = LearnedNotes(opened, 1)
        for _ in range(7):
            await notes.exchange([b"x"] * 500)
        assert await value(opened, "select count(*) from trasmallo_learned") == 3_000
        assert len(await LearnedNotes(opened, 2).exchange([])) == 200, "some at a time"

    asyncio.run(with_tables(database, work))

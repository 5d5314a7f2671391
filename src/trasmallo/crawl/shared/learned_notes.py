"""What workers of a shared crawl learn from each other: notes of pages, in the first database, in the order in which they came.

A note is some kilobytes of msgpack, as a ranker tells it. The last ones are kept, so that a worker that joins learns from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trasmallo.crawl.shared import statements
from trasmallo.crawl.shared.database import Database

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.AsyncConnection[Any]

_KEPT = 3_000  # notes, as many as a window has; some 10 MB
_READ_TOGETHER = 200  # judgement: notes that are learned from at once, some 50 ms


class LearnedNotes:
    """What one worker tells the others, and hears of them."""

    def __init__(self, database: Database, worker: int) -> None:
        self._database = database
        self._worker = worker
        self._heard = 0

    async def exchange(self, told: Sequence[bytes]) -> list[bytes]:
        """Tell these; the next ones that others told since the last call."""

        async def work(connection: Connection) -> list[tuple[int, bytes]]:
            if told:
                await connection.execute(statements.TEACH, {"worker": self._worker, "notes": list(told)})
                await connection.execute(statements.FORGET_LEARNED, {"kept": _KEPT})
            values = {"worker": self._worker, "heard": self._heard, "most": _READ_TOGETHER}
            return await (await connection.execute(statements.LEARN, values)).fetchall()

        rows = await self._database.run(work)
        if rows:
            self._heard = rows[-1][0]
        return [bytes(note) for _, note in rows]

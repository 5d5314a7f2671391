"""Batches of things that came at about the same time and are worked on together.

A line that brings a page waits here a moment for the others. One write then keeps many pages, and code that does the same thing
to many pages in a row stays in the processor's caches: on the test web each page costs a third less than when every line does
all of its work alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


class Batcher(Generic[Given, Made]):
    """Makes batches: calls `work` with what was brought since the last time, `most` at once; it gives one result for each."""

    def __init__(self, work: Callable[[Sequence[Given]], Sequence[Made]], most: int) -> None:
        self._work = work
        self._most = most
        self._waiting: list[tuple[Given, asyncio.Future[Made]]] = []
        self._turn: asyncio.Handle | None = None

    async def bring(self, given: Given) -> Made:
        """What became of it; an error of the work is everybody's who waited for it."""
        made = self.hand_in(given)
        self._call()
        return await made

    def hand_in(self, given: Given) -> asyncio.Future[Made]:
        """What will become of it: it is worked on with the next that is brought, or when somebody waits for it."""
        made: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self._waiting.append((given, made))
        if len(self._waiting) >= self._most:
            self._call()
        return made

    async def work_soon(self, made: asyncio.Future[Made]) -> Made:
        """What became of something that was handed in: all that waits is worked on when whoever is ready has handed in, too."""
        self._call()
        return await made

    def close(self) -> None:
        """Work on nothing any more; who still waits must be cancelled."""
        if self._turn is not None:
            self._turn.cancel()
        self._waiting.clear()

    def _call(self) -> None:
        if self._turn is None and self._waiting:
            self._turn = asyncio.get_running_loop().call_soon(self._take_turn)

    def _take_turn(self) -> None:
        self._turn = None
        if self._waiting:
            self._work_on_some()
            self._call()

    def _work_on_some(self) -> None:
        batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
        try:
            results = self._work([given for given, _ in batch])
        except Exception as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)


def all_made(each: Iterable[Made | asyncio.Future[Made]]) -> list[Made]:
    """Of what was made at once and what was handed in, all that is there; what was given up or went wrong is not."""
    return [made for one in each for made in (_results(one) if isinstance(one, asyncio.Future) else (one,))]


def _results(made: asyncio.Future[Made]) -> tuple[Made, ...]:
    if made.done() and not made.cancelled() and made.exception() is None:
        return (made.result(),)
    return ()

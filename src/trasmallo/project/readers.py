"""The hall's side of the worker processes: hands out batches, watches the clock, and survives whatever a page does.

A page that a worker did not survive is read once more alone; when that worker dies too, the page is dropped with the cause.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from trasmallo import errors
from trasmallo.errors import ProjectError
from trasmallo.events import Dropped, Emit, Studied
from trasmallo.model import Drop, Fetch
from trasmallo.project.messages import HEAD, Batch, Began, Done, Said, Setup, Summary, Trouble, decode_said, encode
from trasmallo.project.parts import write_part
from trasmallo.project.reading import page_row
from trasmallo.project.rows import TABLES

_LARGEST_BATCH = 64
_STARTING = 60.0
"""Seconds a fresh worker may take to import what it needs, on top of the first page's time."""


class ReaderCounts(msgspec.Struct):
    """Documents since the readers began, and pages that gave none."""

    studied: int = 0
    dropped: int = 0


class Readers:
    """Worker processes behind one queue: 0 `workers` is one a core, None is none. `next_part` names parts so that they sort."""

    def __init__(self, setup: Setup, workers: int | None, emit: Emit, next_part: Callable[[], str]) -> None:
        self.counts = ReaderCounts()
        self.reading: dict[int, str] = {}
        self._setup = setup
        self._workers = 0 if workers is None else workers or os.cpu_count() or 1
        self._emit = emit
        self._next_part = next_part
        self._queue: deque[Fetch] = deque()
        self._alone: deque[Fetch] = deque()
        self._wake = asyncio.Condition()
        self._closing = False

    @property
    def waiting(self) -> int:
        """Pages not given to a worker yet."""
        return len(self._queue) + len(self._alone)

    async def put(self, pages: Iterable[Fetch]) -> None:
        """Queue pages for reading."""
        async with self._wake:
            self._queue.extend(pages)
            self._wake.notify_all()

    async def close(self) -> None:
        """No more pages will come; `run` ends when the queue is empty."""
        async with self._wake:
            self._closing = True
            self._wake.notify_all()

    async def run(self) -> None:
        """Work until closed and empty; cancelling it kills the workers and loses no finished part."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._workers):
                group.create_task(self._keep_reading(number))

    async def _keep_reading(self, number: int) -> None:
        worker: _Worker | None = None
        try:
            while pages := await self._next_pages():
                worker = worker or await _Worker.start(self._setup)
                self.reading[number] = pages[0].url
                if not await self._read(worker, pages):
                    worker = None
                self.reading.pop(number, None)
        finally:
            if worker:
                await worker.end()

    async def _next_pages(self) -> tuple[Fetch, ...]:
        """A share of the queue, so that all workers have something to do; empty when it is over."""
        async with self._wake:
            await self._wake.wait_for(lambda: self._queue or self._alone or self._closing)
            if self._alone:
                return (self._alone.popleft(),)
            share = min(_LARGEST_BATCH, -(-len(self._queue) // self._workers))
            return tuple(self._queue.popleft() for _ in range(share))

    async def _read(self, worker: _Worker, pages: tuple[Fetch, ...]) -> bool:
        """Have a batch read; False when the worker did not survive it."""
        try:
            done = await worker.read(Batch(self._next_part(), pages))
        except _Died as death:
            await self._after_death(pages, death)
            return False
        self._tell(done.summaries)
        return True

    async def _after_death(self, pages: tuple[Fetch, ...], death: _Died) -> None:
        culprit = pages[death.index]
        if len(pages) == 1:
            self._drop(culprit, death)
            return
        async with self._wake:
            self._alone.append(culprit)
            self._queue.extendleft(reversed([page for page in pages if page is not culprit]))
            self._wake.notify_all()

    def _drop(self, page: Fetch, death: _Died) -> None:
        row = page_row(page, drop=death.drop, cause=death.cause)
        tables: dict[str, list[msgspec.Struct]] = {name: [] for name in TABLES}
        write_part(Path(self._setup.parts), self._next_part(), tables | {"pages": [row]})
        self._tell((Summary(page.url, "", 0, death.drop, death.cause),))

    def _tell(self, summaries: Iterable[Summary]) -> None:
        for summary in summaries:
            if summary.drop:
                self.counts.dropped += 1
                self._emit(Dropped(url=summary.url, reason=summary.drop, cause=summary.cause))
            else:
                self.counts.studied += 1
                self._emit(Studied(url=summary.url, title=summary.title, words=summary.words))


class _Died(Exception):
    def __init__(self, index: int, drop: Drop, cause: str) -> None:
        super().__init__(cause)
        self.index = index
        self.drop = drop
        self.cause = cause


class _Worker:
    """One worker process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process, seconds: float) -> None:
        self._process = process
        self._seconds = seconds
        self._patience = seconds + _STARTING

    @classmethod
    async def start(cls, setup: Setup) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "trasmallo.project.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        worker = cls(process, setup.clean.seconds)
        worker._pipe_in.write(encode(setup))
        return worker

    @property
    def _pipe_in(self) -> asyncio.StreamWriter:
        assert self._process.stdin is not None
        return self._process.stdin

    async def read(self, batch: Batch) -> Done:
        """The end of a batch; raises _Died with the page at which the worker was lost."""
        index = 0
        try:
            self._pipe_in.write(encode(batch))
            await self._pipe_in.drain()
            while True:
                said = await asyncio.wait_for(self._hear(), self._patience)
                if isinstance(said, Done):
                    return said
                index, self._patience = _page_of(said), self._seconds
        except TimeoutError:
            await self.kill()
            raise _Died(index, Drop.TOO_SLOW, f"more than {self._seconds:g} s") from None
        except (asyncio.IncompleteReadError, OSError):
            await self.kill()
            raise _Died(index, Drop.BROKEN, f"the reading process died ({_ending(self._process.returncode)})") from None
        except BaseException:
            await self.kill()
            raise

    async def _hear(self) -> Said:
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(HEAD.size)
        return decode_said(await self._process.stdout.readexactly(HEAD.unpack(head)[0]))

    async def end(self) -> None:
        """Let it go: it ends when its input does."""
        self._pipe_in.close()
        await self._process.wait()

    async def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            self._process.kill()
        self._pipe_in.close()
        await self._process.wait()


def _page_of(said: Began | Trouble) -> int:
    """The page a worker turned to; its troubles are ours."""
    if isinstance(said, Trouble):
        kind = getattr(errors, said.error, ProjectError)
        raise kind(said.problem, said.repair)
    return said.index


def _ending(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit {code}"

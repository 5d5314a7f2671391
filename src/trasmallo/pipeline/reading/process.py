"""A reading process and its pipes: handed one batch after the other, watched by the clock, and survived by who started it."""

from __future__ import annotations

import asyncio
import math
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from trasmallo.pipeline.reading.messages import (
    CONVERTER_KILLED,
    OUT_OF_MEMORY,
    Asked,
    Batch,
    Began,
    PageSummary,
    PartDone,
    Said,
    Setup,
    TextBatch,
    decode_said,
)
from trasmallo.processes import hear, pipe_to, say, start_program
from trasmallo.results.rows import PageRow
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import Drop
from trasmallo.values.pipes import Trouble
from trasmallo.values.process_ends import ending, memory_kills
from trasmallo.values.run_status import AgentStatus, PageInReading
from trasmallo.values.working_time import WorkingTime

_DYING = 5.0  # judgement: seconds until a dying process has told how
_STARTING = 60.0
"""Seconds a fresh worker may take to import what it needs, on top of the first page's time."""


class BatchReader(Protocol):
    """Who reads batches, wherever that is: a process of this machine, or one that a cluster finds a place for."""

    @property
    def worn(self) -> bool:
        """Whether the next batch is for another one."""

    @property
    def ready_at(self) -> float:
        """When its first page began, by the monotonic clock; infinity before."""

    @property
    def status(self) -> AgentStatus:
        """What it is doing."""

    @property
    def reading(self) -> PageInReading | None:
        """The page it is at; None when it waits."""

    @property
    def idle(self) -> float:
        """Seconds for which it has waited; 0 while it is at work."""

    async def read(self, batch: Batch | TextBatch) -> PartDone:
        """The end of a batch; raises Died with the page at which its process was lost, or NotStarted."""

    async def end(self) -> None:
        """Let it go."""


class NotStarted(Exception):
    """A worker ended before it turned to its first page; the message is its last line, or how it was `killed`."""

    def __init__(self, said: str, *, killed: bool, needs_memory: bool = False) -> None:
        super().__init__(said)
        self.killed = killed
        self.needs_memory = needs_memory

    @classmethod
    def ended(cls, code: int | None, lines: list[str]) -> NotStarted:
        """Of a process that ended with this code and said these lines."""
        killed = code is not None and code < 0
        needs_memory = code == OUT_OF_MEMORY or "".join(lines[-1:]).startswith("MemoryError")
        return cls(ending(code) if killed or not lines else lines[-1], killed=killed, needs_memory=needs_memory)


class Died(Exception):
    """A worker was lost at a page; `is_the_pages` is whether that is the page's own doing, and would happen again."""

    def __init__(self, index: int, drop: Drop, cause: str, *, is_the_pages: bool = False) -> None:
        super().__init__(cause)
        self.index = index
        self.drop = drop
        self.cause = cause
        self.is_the_pages = is_the_pages


class ToldReader:
    """What is told of a reader, by the status that it keeps."""

    status: AgentStatus

    @property
    def reading(self) -> PageInReading | None:
        """The page it is at, the first of its batch where no more is known; None when it waits."""
        now = self.status
        return None if now.work == "waiting" else PageInReading(now.what, now.since, now.more)

    @property
    def idle(self) -> float:
        """Seconds for which it has waited; 0 while it is at work."""
        return time.time() - self.status.since if self.status.work == "waiting" else 0.0


class ReadingProcess(ToldReader):
    """One worker process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process, seconds: float) -> None:
        self._process = process
        self._seconds = seconds
        self._patience = seconds + _STARTING
        self._granted = WorkingTime(process.pid, self._patience)
        self._began = False
        self._memory_kills = memory_kills()
        self.worn = False
        self.ready_at = math.inf  # by the monotonic clock: it has to import much before its first page begins
        self.status = AgentStatus(process=process.pid, work="waiting", since=time.time())

    @classmethod
    async def start(cls, setup: Setup) -> ReadingProcess:
        """A process that reads as the setup says."""
        worker = cls(await start_program("trasmallo.pipeline.reading.worker", heard=True), setup.clean.seconds)
        with suppress(BrokenPipeError):  # killed at once; the first batch will tell how
            worker._say(setup)
        return worker

    def _is(self, work: str, what: str = "", more: int = 0) -> None:
        self.status = AgentStatus(process=self._process.pid, work=work, what=what, since=time.time(), more=more)

    @property
    def _pipe_in(self) -> asyncio.StreamWriter:
        return pipe_to(self._process)

    async def read(self, batch: Batch | TextBatch) -> PartDone:
        """The end of a batch; raises Died with the page at which the worker was lost."""
        index = 0
        self._wait(self._patience)
        try:
            self._say(batch)
            await self._pipe_in.drain()
            while True:
                said = await self._hear_in_time()
                if isinstance(said, PartDone):
                    self.worn = said.worn
                    return said
                began = _page_of(said)
                if not (began.studying and self._began and began.index == index):
                    self._wait(self._seconds)
                self.ready_at = min(self.ready_at, time.monotonic())
                index, self._patience, self._began = began.index, self._seconds, True
                if index < len(batch.pages):
                    work = "studying" if began.studying else "reading"
                    self._is(work, batch.pages[index].url, len(batch.pages) - index - 1)
        except TimeoutError:
            await self.kill()
            raise Died(index, Drop.TOO_SLOW, f"more than {self._seconds:g} s", is_the_pages=True) from None
        except (asyncio.IncompleteReadError, OSError):
            await self._last_breath()
            raise await self._death(index) from None
        except UNDECODABLE as nonsense:
            await self.kill()
            raise Died(index, Drop.BROKEN, f"the reading process talked nonsense ({nonsense})") from None
        except BaseException:
            await self.kill()
            raise
        finally:
            self._is("waiting")

    def _say(self, message: Asked) -> None:
        say(self._process, message)

    def _wait(self, seconds: float) -> None:
        """Have it say something within so many seconds from now."""
        self._granted = WorkingTime(self._process.pid, seconds)

    async def _hear_in_time(self) -> Said:
        """What it says next; raises TimeoutError when its time is over."""
        hearing = asyncio.ensure_future(self._hear())
        try:
            # Not wait_for: in Python 3.11 it forgets a cancellation that comes together with the answer.
            while not (await asyncio.wait({hearing}, timeout=self._granted.left))[0]:
                if self._granted.is_over():
                    raise TimeoutError
            return hearing.result()
        finally:
            hearing.cancel()

    async def _hear(self) -> Said:
        return decode_said(await hear(self._process.stdout))

    async def _last_breath(self) -> None:
        """Its pipe is closed, so it is dying; how it does is worth a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_DYING):
                await self._process.wait()
        await self.kill()

    async def _death(self, index: int) -> Died | NotStarted:
        code = self._process.returncode
        if not self._began:
            assert self._process.stderr is not None
            lines = (await self._process.stderr.read()).decode(errors="replace").strip().splitlines()
            return NotStarted.ended(code, lines)
        if code == OUT_OF_MEMORY:
            return Died(index, Drop.TOO_BIG, "more memory than a reading process may have", is_the_pages=True)
        if code == CONVERTER_KILLED:
            return Died(index, Drop.BROKEN, "the converter was killed")
        if code != -signal.SIGKILL:
            return Died(index, Drop.BROKEN, f"the reading process died ({ending(code)})")
        if memory_kills() > self._memory_kills:
            return Died(index, Drop.TOO_BIG, "the system killed the reading process for want of memory")
        return Died(index, Drop.BROKEN, "the reading process was killed")

    async def end(self) -> None:
        """Let it go: it ends when its input does."""
        self._pipe_in.close()
        await self._process.wait()

    async def kill(self) -> None:
        """End it at once."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._pipe_in.close()
        await self._process.wait()


def summaries_of(part: Path) -> Iterator[PageSummary]:
    """What a worker wrote and did not live to tell."""
    for line in (part / "pages.jsonl").read_bytes().splitlines():
        page = msgspec.json.decode(line, type=decodable(PageRow))
        yield PageSummary(page.url, page.title, page.words, page.drop, page.cause)


def _page_of(said: Began | Trouble) -> Began:
    """The page a worker turned to; its troubles are ours."""
    if isinstance(said, Trouble):
        said.throw()
    return said

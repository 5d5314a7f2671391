"""Workers of a shared crawl on its first machine: processes, started again when they die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec

from trasmallo.events import Emit, Warned
from trasmallo.pipeline.shared_worker import WorkerOptions
from trasmallo.processes import first_trouble, hear, pipe_to, say, start_program
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import ProjectError
from trasmallo.values.pipes import Trouble
from trasmallo.values.process_ends import ending

PROGRAM = "trasmallo.pipeline.shared_worker"
"""The module that is run."""

_MOST_DEATHS = 3  # judgement: more deaths soon after each start are no accident
_SHORT_LIFE = 30.0  # judgement: seconds; on a busy machine it takes ten to start and fail, and who lived longer has worked
_SECONDS_TO_END = 10.0  # judgement: a worker gives back what it holds in less


class LocalWorkers:
    """A process for each number of lines; the address reaches them over a pipe, so that no list of processes shows it."""

    def __init__(self, address: str, lines: Sequence[int], emit: Emit, *, program: str = PROGRAM) -> None:
        self._address = address
        self._program = program
        self._lines = lines
        self._emit = emit
        self._living: dict[int, float] = {}

    def living(self) -> list[tuple[int, float]]:
        """The processes that live, and since when."""
        return list(self._living.items())

    def owns(self, process: int, *, local: bool) -> bool:
        """Whether a worker is a living process of ours."""
        return local and process in self._living

    async def run(self) -> None:
        """Keep them at work until all have ended; cancelling it ends them."""
        try:
            async with asyncio.TaskGroup() as group:
                for lines in self._lines:
                    group.create_task(self._tend(lines))
        except BaseExceptionGroup as troubles:
            raise first_trouble(troubles) from None

    async def _tend(self, lines: int) -> None:
        deaths = 0
        while deaths < _MOST_DEATHS:
            began = time.monotonic()
            death = await self._work(lines)
            if not death:
                return
            deaths = 1 if time.monotonic() - began > _SHORT_LIFE else deaths + 1
            self._emit(Warned(message=f"a process that crawls died ({death}), another one takes its place"))
        raise ProjectError(
            "processes that crawl die again and again ({death})", "run again; all that was stored is there", death=death
        )

    async def _work(self, lines: int) -> str:
        """One process to its end: "" when it ended well, or how it died."""
        process = await start_program(self._program, heard=False)
        self._living[process.pid] = time.time()
        try:
            say(process, WorkerOptions(address=self._address, lines=lines, local=True))
            try:
                msgspec.msgpack.decode(await hear(process.stdout), type=decodable(Trouble)).throw()
            except (asyncio.IncompleteReadError, OSError, *UNDECODABLE):
                await process.wait()
        finally:
            del self._living[process.pid]
            await _end(process)
        return "" if process.returncode == 0 else ending(process.returncode)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let a process go: it ends when its input does, and soon."""
    pipe_to(process).close()
    try:
        async with asyncio.timeout(_SECONDS_TO_END):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()

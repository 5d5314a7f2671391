"""A process that makes tables, and its pipes: asked for one task after the other, and replaced when it dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.events import Emit
from trasmallo.pipeline.table_worker import Made, Make, TableSetup, Told, decode_table_said
from trasmallo.processes import hear, pipe_to, say, start_program
from trasmallo.results.table_tasks import TableTask
from trasmallo.values.decodable import UNDECODABLE
from trasmallo.values.pipes import Trouble
from trasmallo.values.process_ends import ending

_PROGRAM = "trasmallo.pipeline.table_worker"


class MakerDied(Exception):
    """Who made a table was lost; the message says how."""


class TaskMaker(Protocol):
    """Who makes tables, wherever that is: a process of this machine, or one that a cluster finds a place for."""

    @property
    def process(self) -> int:
        """The number of its process."""

    async def make(self, task: TableTask, tell: Emit) -> None:
        """Make a table or the index, and tell what happens meanwhile; raises MakerDied."""

    async def end(self) -> None:
        """Let it go at once; what it had made is in place."""


class MakerPlace(msgspec.Struct, frozen=True):
    """What a maker works on: a run's folder, its settings, and which of several makers it is."""

    run: str
    study: StudyConfig
    number: int

    def setup(self, process: int) -> TableSetup:
        """What a process is told first."""
        return TableSetup(self.run, self.study, str(Path(self.run) / "spill" / f"{self.number + 1}-{process}"))


StartMaker = Callable[[MakerPlace], Awaitable[TaskMaker]]
"""Makes who makes tables."""


class TableProcess:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.process = process.pid

    @classmethod
    async def start(cls, place: MakerPlace) -> TableProcess:
        """A process that makes tables of a run."""
        process = await start_program(_PROGRAM, heard=False)
        with suppress(OSError):  # killed at once; the first task will tell
            say(process, place.setup(process.pid))
        return cls(process)

    async def make(self, task: TableTask, tell: Emit) -> None:
        """Have a task done; raises MakerDied when the process died at it."""
        try:
            say(self._process, Make(task))
            while not isinstance(said := decode_table_said(await hear(self._process.stdout)), Made):
                if isinstance(said, Trouble):
                    said.throw()
                assert isinstance(said, Told)
                tell(said.event)
        except (asyncio.IncompleteReadError, OSError, *UNDECODABLE):
            await self.end()
            raise MakerDied(ending(self._process.returncode)) from None

    async def end(self) -> None:
        """End it at once; what it had made is in place."""
        with suppress(ProcessLookupError):
            self._process.kill()
        pipe_to(self._process).close()
        await self._process.wait()

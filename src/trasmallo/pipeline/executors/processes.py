"""Work on a corpus by processes of this machine."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from trasmallo.pipeline.executors.interface import CorpusStep
from trasmallo.pipeline.executors.steps import do_step
from trasmallo.pipeline.reading.messages import Setup
from trasmallo.pipeline.reading.process import ReadingProcess
from trasmallo.pipeline.table_process import MakerPlace, TableProcess


class ProcessExecutor:
    """At most so many `agents` at the same time; they are ended by who asked for them, so there is nothing to close."""

    shared = False

    def __init__(self, agents: int) -> None:
        self._agents = agents

    def size(self) -> int:
        """How many are at work at most."""
        return self._agents

    async def start_reader(self, setup: Setup) -> ReadingProcess:
        """A process that reads."""
        return await ReadingProcess.start(setup)

    async def start_maker(self, place: MakerPlace) -> TableProcess:
        """A process that makes tables."""
        return await TableProcess.start(place)

    def run(self, step: CorpusStep) -> None:
        """Do a step here."""
        do_step(step)

    def close(self) -> None:
        """Nothing is left."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

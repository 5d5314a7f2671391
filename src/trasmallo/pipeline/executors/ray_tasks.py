"""What runs in the workers of a Ray cluster: a batch of pages, a table, a step of a run.

Messages are those of our own processes, as msgpack: what comes back from where hostile pages were read is decoded into known
structs or refused. A page is still read in a capped child of the worker, which watches its time; the child is kept for the next
batch, as it is on one machine. A batch whose part is in place was read before the worker died, and is only told.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import socket
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import msgspec

from trasmallo.events import AnyEvent, Event
from trasmallo.pipeline.executors.interface import CorpusStep
from trasmallo.pipeline.executors.steps import do_step
from trasmallo.pipeline.reading.messages import Batch, PartDone, Setup, TextBatch
from trasmallo.pipeline.reading.process import Died, NotStarted, ReadingProcess, summaries_of
from trasmallo.pipeline.table_process import MakerPlace
from trasmallo.results.table_tasks import TableMaker, TableTask
from trasmallo.store.run_folders import open_run
from trasmallo.study.morphology import prepare
from trasmallo.study.word_lists import needs_lexicon
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ProjectError, TrasmalloError
from trasmallo.values.model import Drop
from trasmallo.values.pipes import Trouble
from trasmallo.values.software import SOFTWARE


class BatchTask(msgspec.Struct, frozen=True):
    """A batch to be read, by which version of ours, and whether by a `fresh` process."""

    software: str
    setup: Setup
    batch: Batch | TextBatch
    fresh: bool


class LostAt(msgspec.Struct, frozen=True, tag=True):
    """The process that read was lost at a page; see `Died`."""

    index: int
    drop: Drop
    cause: str
    is_the_pages: bool


class NeverBegan(msgspec.Struct, frozen=True, tag=True):
    """The process that should read ended before its first page; see `NotStarted`."""

    said: str
    killed: bool
    needs_memory: bool


BatchResult = PartDone | LostAt | NeverBegan | Trouble


class BatchEnd(msgspec.Struct, frozen=True):
    """How a batch ended, and in which process."""

    result: BatchResult
    process: int


class MakerTask(msgspec.Struct, frozen=True):
    """A table to be made, or the index, for one of the makers of a run, by which version of ours."""

    software: str
    place: MakerPlace
    task: TableTask


class MakerEnd(msgspec.Struct, frozen=True):
    """What happened while a table was made, in which process, and what the project's misfortune is, if there is one."""

    events: tuple[AnyEvent, ...]
    process: int
    trouble: Trouble | None = None


class StepTask(msgspec.Struct, frozen=True):
    """A step of a run, by which version of ours."""

    software: str
    step: CorpusStep


class StepEnd(msgspec.Struct, frozen=True):
    """How a step ended."""

    trouble: Trouble | None = None


def read_batch(message: bytes) -> bytes:
    """Read a batch into its part."""
    task = msgspec.msgpack.decode(message, type=decodable(BatchTask))
    return msgspec.msgpack.encode(BatchEnd(_kept_reader().read(task), os.getpid()))


def run_step(message: bytes) -> bytes:
    """Do a step of a run."""
    task = msgspec.msgpack.decode(message, type=decodable(StepTask))
    try:
        check_node(task.software, Path(task.step.run))
        do_step(task.step)
    except TrasmalloError as error:
        return msgspec.msgpack.encode(StepEnd(Trouble.of(error)))
    return msgspec.msgpack.encode(StepEnd())


class MakerActor:
    """One of the makers of a run's tables; what one has read for a table is at hand for the next."""

    def __init__(self) -> None:
        self._maker: TableMaker | None = None
        self._held = ExitStack()
        atexit.register(self.close)
        self._events: list[Event] = []

    def make(self, message: bytes) -> bytes:
        """Make a table or the index."""
        task = msgspec.msgpack.decode(message, type=decodable(MakerTask))
        trouble = None
        try:
            check_node(task.software, Path(task.place.run))
            self._made_for(task.place).make(task.task)
        except TrasmalloError as error:
            trouble = Trouble.of(error)
        events, self._events[:] = tuple(self._events), ()
        return msgspec.msgpack.encode(MakerEnd(events, os.getpid(), trouble))  # type: ignore[arg-type]

    def close(self) -> None:
        """Let go what it has at hand."""
        self._held.close()

    def _made_for(self, place: MakerPlace) -> TableMaker:
        if self._maker is None:
            scratch = Path(place.setup(os.getpid()).scratch)
            made = TableMaker(open_run(Path(place.run)), place.study, scratch, self._events.append)
            self._maker = self._held.enter_context(made)
        return self._maker


def check_node(software: str, folder: Path) -> None:
    """Refuse work that this machine cannot do as the others do it."""
    if software != SOFTWARE:
        raise ProjectError(
            "{host} has {own} installed, not {software}",
            "install the same version on all machines of the Ray cluster",
            host=socket.gethostname(),
            own=SOFTWARE,
            software=software,
        )
    if not folder.is_dir():
        raise ProjectError(
            "{host} does not see {folder}",
            "mount the project's folder on all machines of the Ray cluster under the same path",
            host=socket.gethostname(),
            folder=folder,
        )


class KeptReader:
    """The child of a worker that reads pages, kept from one batch to the next of the same setup."""

    def __init__(self) -> None:
        import uvloop

        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._setup: Setup | None = None
        self._process: ReadingProcess | None = None

    def read(self, task: BatchTask) -> BatchResult:
        """How a batch ended."""
        try:
            check_node(task.software, Path(task.setup.archive))
            if needs_lexicon(task.setup.study):
                prepare(task.setup.language)  # compiled once a machine; a page has not the time for it
            return self._runner.run(self._read(task))
        except TrasmalloError as error:
            return Trouble.of(error)

    async def _read(self, task: BatchTask) -> BatchResult:
        written = Path(task.setup.parts) / task.batch.name
        if written.exists():
            return PartDone(tuple(summaries_of(written)))
        if self._process is None or task.fresh or self._setup != task.setup:
            await self._end()
            self._process, self._setup = await ReadingProcess.start(task.setup), task.setup
        process, self._process = self._process, None  # kept only when it survives
        try:
            done = await process.read(task.batch)
        except Died as death:
            if written.exists():
                return PartDone(tuple(summaries_of(written)))
            return LostAt(death.index, death.drop, death.cause, death.is_the_pages)
        except NotStarted as failure:
            return NeverBegan(str(failure), failure.killed, failure.needs_memory)
        self._process = process
        if done.worn:
            await self._end()
        return done

    def close(self) -> None:
        """Let the child go."""
        self._runner.run(self._end())
        self._runner.close()

    async def _end(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            await process.end()


@cache
def _kept_reader() -> KeptReader:
    """The one of this worker: Ray runs one task at a time in it."""
    reader = KeptReader()
    atexit.register(reader.close)
    return reader

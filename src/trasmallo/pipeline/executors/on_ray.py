"""Work on a corpus by a Ray cluster: batches and steps are tasks, makers of tables are actors.

Ray finds them places, and runs again what died with a worker or a machine; see `ray_tasks` for what runs there. The project's
folder must be seen by all machines under the same path, and the same version of trasmallo be installed there.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self

import msgspec

from trasmallo.events import Emit
from trasmallo.pipeline.executors import ray_tasks
from trasmallo.pipeline.executors.interface import CorpusStep
from trasmallo.pipeline.executors.ray_tasks import (
    BatchEnd,
    BatchTask,
    LostAt,
    MakerEnd,
    MakerTask,
    NeverBegan,
    StepEnd,
    StepTask,
)
from trasmallo.pipeline.reading.messages import Batch, PartDone, Setup, TextBatch
from trasmallo.pipeline.reading.process import Died, NotStarted, ToldReader
from trasmallo.pipeline.table_process import MakerDied, MakerPlace
from trasmallo.results.table_tasks import TableTask
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ProjectError
from trasmallo.values.pipes import Trouble
from trasmallo.values.run_status import AgentStatus
from trasmallo.values.software import SOFTWARE

LOCAL = "local"
"""The address that starts Ray on this machine, on loopback, as long as the work lasts."""

_TRIES = 10  # judgement: times that Ray runs again what died with its worker or machine
_STARTS = 3  # judgement: on a machine that others keep busy Ray loses patience with its own processes, 30 s
_LOOK = 2.0  # judgement: seconds for which the size of the cluster is believed
_STORE = 80_000_000  # bytes, about the least that Ray takes; what travels are names of files and texts of some pages


class RayExecutor:
    """Work on the cluster at an address (`ray://host:port`, `host:port`, `auto`) or LOCAL; connects when first asked."""

    shared = True

    def __init__(self, address: str, agents: int) -> None:
        self._address = address
        self._agents = agents
        self._ray: Any = None
        self._read: Any = None
        self._step: Any = None
        self._maker: Any = None
        self._looked_at = 0.0
        self._size = 0

    def size(self) -> int:
        """Cores of the cluster, as of some seconds ago."""
        if not self._size or time.monotonic() - self._looked_at > _LOOK:
            with _telling_of_cuts():
                self._size = int(self._connected().cluster_resources().get("CPU", 0)) or 1
            self._looked_at = time.monotonic()
        return self._size

    async def start_reader(self, setup: Setup) -> RayReader:
        """Who reads by tasks; its first one is read by a fresh process."""
        return RayReader(self._connected(), self._read, setup)

    async def start_maker(self, place: MakerPlace) -> RayMaker:
        """Who makes tables in an actor."""
        ray = self._connected()
        with _telling_of_cuts():
            return RayMaker(ray, self._maker.remote(), place)

    def run(self, step: CorpusStep) -> None:
        """Do a step as a task."""
        ray = self._connected()
        message = msgspec.msgpack.encode(StepTask(SOFTWARE, step))
        try:
            with _telling_of_cuts():
                end = msgspec.msgpack.decode(ray.get(self._step.remote(message)), type=decodable(StepEnd))
        except ray.exceptions.RayError as error:
            raise _failed(error) from None
        if end.trouble is not None:
            end.trouble.throw()

    def close(self) -> None:
        """Leave the cluster; Ray ends what is still at work for us."""
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _connected(self) -> Any:
        """Ray, connected."""
        if self._ray is None:
            ray = _connect(self._address, self._agents)
            task = ray.remote(num_cpus=1, max_retries=_TRIES)
            self._read, self._step = task(ray_tasks.read_batch), task(ray_tasks.run_step)
            actor = ray.remote(num_cpus=1, max_restarts=_TRIES, max_task_retries=_TRIES)
            self._maker = actor(ray_tasks.MakerActor)
            self._ray = ray
        return self._ray


def _connect(address: str, agents: int) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told what runs here
    try:
        import ray
    except ImportError:
        raise ProjectError("Ray is not installed", "install it with: pip install 'trasmallo[cluster]'") from None
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "critical"}
    if address == LOCAL:
        options |= {"num_cpus": agents, "include_dashboard": False, "object_store_memory": _STORE}
        options |= {"_node_ip_address": "127.0.0.1"}
    for tries_left in reversed(range(_STARTS if address == LOCAL else 1)):
        try:
            ray.init(address=address, **options)
        except Exception as error:  # Ray raises bare ones too
            ray.shutdown()  # ends what it has started
            if not tries_left:
                raise _unreachable(address, error) from None
        else:
            break
    return ray


def _unreachable(address: str, error: Exception) -> ProjectError:
    return ProjectError(
        "no Ray cluster can be used at {address} ({reason})",
        "start one there with `ray start --head`, or change `corpus` in [cluster]",
        address=address,
        reason=_first_line(error),
    )


class RayReader(ToldReader):
    """Reads batches as tasks of a cluster, one after the other."""

    worn = False
    ready_at = 0.0  # how long a worker took to begin is not known here

    def __init__(self, ray: Any, task: Any, setup: Setup) -> None:
        self._ray = ray
        self._task = task
        self._setup = setup
        self._fresh = True
        self.status = AgentStatus(process=0, work="waiting", since=time.time())

    async def read(self, batch: Batch | TextBatch) -> PartDone:
        """The end of a batch; raises what a process of this machine would."""
        message = msgspec.msgpack.encode(BatchTask(SOFTWARE, self._setup, batch, self._fresh))
        work = "studying" if isinstance(batch, TextBatch) else "reading"
        self._is(self.status.process, work, batch.pages[0].url, len(batch.pages) - 1)
        try:
            with _telling_of_cuts():
                end = msgspec.msgpack.decode(await _result(self._ray, self._task.remote(message)), type=decodable(BatchEnd))
        except self._ray.exceptions.RayError as error:
            raise NotStarted(_first_line(error), killed=_is_lost(self._ray, error)) from None
        finally:
            self._is(self.status.process, "waiting")
        self._fresh = False
        self._is(end.process, "waiting")
        return _done(end)

    async def end(self) -> None:
        """Nothing is kept: the cluster has places again by itself."""

    def _is(self, process: int, work: str, what: str = "", more: int = 0) -> None:
        self.status = AgentStatus(process=process, work=work, what=what, since=time.time(), more=more)


class RayMaker:
    """Makes tables in an actor of a cluster."""

    def __init__(self, ray: Any, actor: Any, place: MakerPlace) -> None:
        self._ray = ray
        self._actor = actor
        self._place = place
        self.process = 0

    async def make(self, task: TableTask, tell: Emit) -> None:
        """Have a table made; raises MakerDied when Ray could not bring the actor back."""
        message = msgspec.msgpack.encode(MakerTask(SOFTWARE, self._place, task))
        try:
            with _telling_of_cuts():
                answer = await _result(self._ray, self._actor.make.remote(message))
                end = msgspec.msgpack.decode(answer, type=decodable(MakerEnd))
        except self._ray.exceptions.RayError as error:
            raise MakerDied(_first_line(error)) from None
        self.process = end.process
        for event in end.events:
            tell(event)
        if end.trouble is not None:
            end.trouble.throw()

    async def end(self) -> None:
        """Let the actor go; one that cannot be reached any more is gone."""
        with suppress(ConnectionError):
            self._ray.kill(self._actor)


async def _result(ray: Any, reference: Any) -> bytes:
    """What a task gives; when nobody waits for it any more, it is ended."""
    try:
        return bytes(await asyncio.wrap_future(reference.future()))
    except asyncio.CancelledError:
        ray.cancel(reference, force=True)
        raise


def _done(end: BatchEnd) -> PartDone:
    result = end.result
    if isinstance(result, Trouble):
        result.throw()
    if isinstance(result, LostAt):
        raise Died(result.index, result.drop, result.cause, is_the_pages=result.is_the_pages)
    if isinstance(result, NeverBegan):
        raise NotStarted(result.said, killed=result.killed, needs_memory=result.needs_memory)
    return result


def _is_lost(ray: Any, error: Exception) -> bool:
    """Whether a worker or machine was lost as often as Ray tries; an error of a task's own code is no loss."""
    return not isinstance(error, ray.exceptions.RayTaskError)


@contextmanager
def _telling_of_cuts() -> Iterator[None]:
    """When the head of a cluster behind `ray://` is gone, Ray's client raises what the network does: no file is at fault."""
    try:
        yield
    except ConnectionError as error:
        raise _failed(error) from None


def _failed(error: Exception) -> ProjectError:
    return ProjectError(
        "the Ray cluster could not do a part of the work ({reason})",
        "look at its machines, then give the same command again; all that was stored is there",
        reason=_first_line(error),
    )


def _first_line(error: BaseException) -> str:
    """What an error says, in one line; the last one where it tells how it came to it."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return (lines[-1].strip() if lines else type(error).__name__)[:200]

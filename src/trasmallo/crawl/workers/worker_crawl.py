"""A crawl in several processes, each with a share of the hosts, and the coordinator's care for them.

A process that dies is started again and goes on from its frontier; when that happens again and again and brings no page
meanwhile, the crawl ends with an error, and nothing that was stored is lost.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence

from trasmallo.config import CrawlConfig
from trasmallo.crawl.live import describe_process
from trasmallo.crawl.local_crawl import CrawlCounts
from trasmallo.crawl.queue_search import QueueAnswer, QueueQuestion
from trasmallo.crawl.workers.coordinator import Coordinator
from trasmallo.crawl.workers.messages import Ended, Message, Reply, Report, SearchReply, Start, decode_reply
from trasmallo.events import Emit, Warned
from trasmallo.processes import first_trouble, hear, pipe_to, start_program
from trasmallo.values.decodable import UNDECODABLE
from trasmallo.values.errors import ProjectError
from trasmallo.values.pipes import Trouble, encode
from trasmallo.values.process_ends import ending
from trasmallo.values.run_status import AgentStatus, HostStatus, LineStatus
from trasmallo.values.urls import host_key

_MOST_PROCESSES = 8  # judgement: one coordinator keeps up with so many
_LINES_A_PROCESS = 16
"""Fewer lines leave a process idle most of the time: it costs its start and brings nothing."""

_MOST_DEATHS = 3  # judgement: more deaths in a row without a page between them are no accident
_SECONDS_TO_END = 10.0  # judgement: a worker writes its journal in less


def number_of_processes(config: CrawlConfig, agents: int) -> int:
    """How many processes a new run's crawl has: as configured, or one an agent while there are 16 lines for each; 8 at most."""
    wanted = config.processes or min(agents, _lines_at_work(config) // _LINES_A_PROCESS)
    return max(1, min(wanted, config.lines, _MOST_PROCESSES))


def _lines_at_work(config: CrawlConfig) -> int:
    """How many lines can be at work at once: where only the seeds' hosts are asked, no more than these allow."""
    if config.scope != "host":
        return config.lines
    return min(config.lines, len(set(map(host_key, config.seeds))) * config.lines_per_host)


class WorkerCrawl:
    """The processes of one crawl; each runs the module `program`."""

    def __init__(self, program: str, starts: Sequence[Start], coordinator: Coordinator, emit: Emit) -> None:
        self._program = program
        self._starts = starts
        self._coordinator = coordinator
        self._emit = emit
        self._began = time.time()
        self._living: dict[int, int] = {}
        self._ended = False

    async def run(self) -> None:
        """Crawl until all workers have ended; cancelling it ends them at once."""
        try:
            async with asyncio.TaskGroup() as group:
                for start in self._starts:
                    group.create_task(self._tend(start))
        except BaseExceptionGroup as troubles:
            raise first_trouble(troubles) from None
        finally:
            self._ended = True

    def stop(self) -> None:
        """End the downloads."""
        self._coordinator.end(at_once=True)

    async def counts(self) -> CrawlCounts:
        """The counts of all workers."""
        return self._coordinator.counts()

    def lines(self, limit: int) -> list[LineStatus]:
        """The lines of the live view."""
        return [] if self._ended else self._coordinator.lines(limit)

    def agents(self) -> list[AgentStatus]:
        """The process we are in, which coordinates, and those that crawl."""
        if self._ended:
            return []
        crawling = [describe_process(process, self._coordinator.lines_of(worker)) for worker, process in self._living.items()]
        return [AgentStatus(process=os.getpid(), work="coordinating", since=self._began), *crawling]

    async def hosts(self, limit: int) -> list[HostStatus]:
        """The hosts of the live view."""
        hosts = self._coordinator.hosts(limit)
        return [host for host in hosts if host.queued] if self._ended else hosts

    def limit(self) -> str:
        """The limit that ended the crawl."""
        return self._coordinator.limit

    def offline(self) -> str:
        """That there is no network, for any of the workers."""
        return self._coordinator.offline

    async def sync(self) -> None:
        """The processes write their journals themselves; here only the time is looked at."""
        self._coordinator.look()

    async def change_scope(self, exclude: Sequence[str], include: Sequence[str]) -> None:
        """Have all processes move their borders."""
        self._coordinator.change_scope(exclude, include)

    def pause(self, *, paused: bool) -> None:
        """Have all processes pause."""
        self._coordinator.pause(paused=paused)

    async def search(self, question: QueueQuestion) -> QueueAnswer:
        """Ask all processes."""
        return await self._coordinator.search(question)

    async def _tend(self, start: Start) -> None:
        """Have a worker crawled to its end, by more than one process if need be."""
        deaths = 0
        while deaths < _MOST_DEATHS:
            rows, death = await self._crawl(start)
            if not death:
                return
            deaths = 1 if rows else deaths + 1
            self._emit(Warned(message=f"a process that crawls died ({death}), another one goes on with its hosts"))
        raise ProjectError(
            "processes that crawl die again and again ({death})", "run again; all that was stored is there", death=death
        )

    async def _crawl(self, start: Start) -> tuple[int, str]:
        """One process: how many rows it brought, and "" when it ended well, or how it died."""
        rows = 0
        process = await start_program(self._program, heard=False)
        pipe = pipe_to(process)
        self._living[start.worker] = process.pid

        def deliver(message: Message) -> None:
            if not pipe.is_closing():
                pipe.write(encode(message))

        try:
            deliver(start)
            self._coordinator.join(start.worker, deliver)
            while isinstance(answer := await _next_answer(process), Report | SearchReply):
                if isinstance(answer, SearchReply):
                    self._coordinator.found(answer)
                else:
                    rows += len(answer.rows)
                    self._coordinator.take(start.worker, answer)
        finally:
            self._coordinator.leave(start.worker)
            await _end(process)
            del self._living[start.worker]
        if isinstance(answer, Trouble):
            answer.throw()
        return rows, "" if isinstance(answer, Ended) else ending(process.returncode)


async def _next_answer(process: asyncio.subprocess.Process) -> Reply | None:
    """What a process says next; None when it has died, or talks nonsense, which comes to the same."""
    try:
        return decode_reply(await hear(process.stdout))
    except (asyncio.IncompleteReadError, OSError, *UNDECODABLE):
        return None


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let a process go: it ends when its input does, and soon."""
    pipe_to(process).close()
    try:
        async with asyncio.timeout(_SECONDS_TO_END):
            await _drained(process)
    except TimeoutError:
        process.kill()
        await process.wait()


async def _drained(process: asyncio.subprocess.Process) -> None:
    """Its end; what it still says is for nobody, but a full pipe would stop it."""
    assert process.stdout is not None
    while await process.stdout.read(1 << 16):
        pass
    await process.wait()

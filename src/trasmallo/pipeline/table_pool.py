"""The processes that make the tables of a finished run: each does what is best begun next, and one that dies is replaced."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from trasmallo.config import StudyConfig
from trasmallo.events import Emit, Warned
from trasmallo.pipeline.balance import Load, split
from trasmallo.pipeline.table_process import MakerDied, MakerPlace, StartMaker, TableProcess, TaskMaker
from trasmallo.processes import first_trouble
from trasmallo.results.table_tasks import INDEX, TableTask, next_task, plan_tasks
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import ProjectError
from trasmallo.values.run_status import AgentStatus

_MOST_DEATHS = 3  # judgement: more deaths in a row without a table between them are no accident
_BEAT = 1.0  # judgement: seconds between two signs of life while a table takes long

Show = Callable[[Sequence[AgentStatus]], None]
"""Shows what each process is doing."""


class TablePool:
    """Makes all tables of a run and its index with `agents` processes. `show` is called when one turns to something else.

    `start` makes who makes them: a process of this machine unless told otherwise. The index is made by so many parts at once.
    """

    def __init__(
        self, run: Run, study: StudyConfig, agents: int, emit: Emit, show: Show, start: StartMaker = TableProcess.start,
        *, index_parts: int = 1,
    ) -> None:  # fmt: skip
        self._run = run
        self._study = study
        self._emit = emit
        self._show = show
        self._start_maker = start
        self._waiting = plan_tasks(study, index_parts)
        self._agents = split(Load(agents=agents, tables=len(self._waiting))).tables
        self._begun: dict[str, int] = {}
        self._made: set[str] = set()
        self._status: dict[int, AgentStatus] = {}
        self._makers: dict[int, TaskMaker] = {}
        self._changed = asyncio.Condition()

    def make(self) -> None:
        """Start the processes and have all made; all of them are gone then."""
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._make())

    async def _make(self) -> None:
        showing: asyncio.Task[None] | None = None
        try:
            for maker in range(self._agents):
                await self._start(maker)
            showing = asyncio.create_task(self._keep_showing())
            async with asyncio.TaskGroup() as group:
                for maker in range(self._agents):
                    group.create_task(self._tend(maker))
        except BaseExceptionGroup as troubles:
            raise first_trouble(troubles) from None
        finally:
            if showing is not None:
                showing.cancel()
            await asyncio.gather(*(maker.end() for maker in self._makers.values()))

    async def _tend(self, maker: int) -> None:
        """Have one process after the other do what is to do, until all is done."""
        deaths = 0
        while (task := await self._next(maker)) is not None:
            self._is(maker, *(("indexing", "") if task.name.startswith(INDEX) else ("making a table", task.name)))
            try:
                await self._makers[maker].make(task, self._emit)
            except MakerDied as died:
                death = str(died)
            else:
                deaths = 0
                await self._finish(task)
                continue
            deaths += 1
            if deaths == _MOST_DEATHS:
                raise ProjectError(
                    "processes that make tables die again and again ({death})",
                    "run again; all that was stored is there",
                    death=death,
                )
            self._emit(Warned(message=f"a process that makes tables died ({death}), another one goes on"))
            self._waiting.insert(0, task)
            await self._start(maker)

    async def _next(self, maker: int) -> TableTask | None:
        """What a process does next, when it may; None when all is done or begun."""
        self._is(maker, "waiting")
        async with self._changed:
            while self._waiting:
                task = next_task(self._waiting, self._made, self._begun, maker)
                if task is not None:
                    self._waiting.remove(task)
                    self._begun[task.name] = maker
                    return task
                await self._changed.wait()
        return None

    async def _finish(self, task: TableTask) -> None:
        async with self._changed:
            self._made.add(task.name)
            self._changed.notify_all()

    async def _start(self, maker: int) -> None:
        """Who is one of the makers, the first one or another."""
        self._makers[maker] = await self._start_maker(MakerPlace(str(self._run.folder), self._study, maker))

    def _is(self, maker: int, work: str, what: str = "") -> None:
        now = AgentStatus(process=self._makers[maker].process, work=work, what=what, since=time.time())
        self._status[maker] = now
        self._show([status for _, status in sorted(self._status.items())])

    async def _keep_showing(self) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            self._show([status for _, status in sorted(self._status.items())])

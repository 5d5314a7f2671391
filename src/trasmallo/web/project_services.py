"""Services that an app keeps for its projects: begun and ended as the projects' settings say, looked at every few seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Generic, TypeVar

from trasmallo.config import Config
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.values.errors import TrasmalloError

_LOOK_SECONDS = 5.0
"""Between two looks at the projects. Judgement: who changes a setting waits as long for what it does."""

ServiceT = TypeVar("ServiceT")


class Begun(Generic[ServiceT]):
    """A service with the task that runs it, and what must be closed after it."""

    def __init__(self, service: ServiceT, task: asyncio.Task[None], stack: AsyncExitStack | None = None) -> None:
        self.service = service
        self.task = task
        self._stack = stack or AsyncExitStack()

    async def close(self) -> None:
        """End it."""
        self.task.cancel()
        with suppress(asyncio.CancelledError, Exception):  # what ended it is over
            await self.task
        await self._stack.aclose()


class ProjectServices(Generic[ServiceT]):
    """The services of all projects of an app that want one; `begin` gets a project's name and settings."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        is_wanted: Callable[[Project], bool],
        begin: Callable[[str, Config], Awaitable[Begun[ServiceT]]],
    ) -> None:
        self._workspace = workspace
        self._is_wanted = is_wanted
        self._begin = begin
        self._begun: dict[str, tuple[Config, Begun[ServiceT]]] = {}

    @property
    def running(self) -> dict[str, ServiceT]:
        """The services that run, by their projects' names."""
        return {name: begun.service for name, (_, begun) in self._begun.items() if not begun.task.done()}

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Keep them while the block lasts."""
        looking = asyncio.create_task(self._keep_looking())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            for name in list(self._begun):
                await self._end(name)

    async def look(self) -> None:
        """Begin and end services as the projects say now."""
        wanted = await asyncio.to_thread(self._wanted)
        for name, (config, begun) in list(self._begun.items()):
            if begun.task.done() or wanted.get(name) != config:
                await self._end(name)
        for name in wanted.keys() - self._begun.keys():
            with suppress(TrasmalloError, OSError):  # another program has it in hand, or it is damaged: the next look tries
                self._begun[name] = wanted[name], await self._begin(name, wanted[name])

    async def _keep_looking(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(_LOOK_SECONDS)

    def _wanted(self) -> dict[str, Config]:
        found: dict[str, Config] = {}
        for name in self._workspace.names():
            with suppress(TrasmalloError, OSError):
                project = Project.open(self._workspace.folder(name))
                if self._is_wanted(project):
                    found[name] = project.config
        return found

    async def _end(self, name: str) -> None:
        await self._begun.pop(name)[1].close()

"""The gate at which hubs of feeds call: it lies beside the app's guard, since hubs have no token and know another name of it.

It is there only for projects that say their public address, and only while the app takes changes. Behind it the path of a
subscription holds a key that nobody can guess, and what is pushed must be signed (`crawl.websub.door`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from urllib.parse import quote, unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trasmallo.config import Config
from trasmallo.crawl.websub import BODY_LIMIT, HEADERS
from trasmallo.project.hub_service import HubService
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.values.errors import TrasmalloError

PATH = "/websub/"
"""What the paths begin with at which hubs call; the project's name follows."""

_LOOK_SECONDS = 5.0
"""Between two looks at the projects. Judgement: who writes down an address waits as long for the first request."""


class _Served:
    """A project whose hubs are answered: its service, the settings it was begun with, and its task."""

    def __init__(self, service: HubService, config: Config, task: asyncio.Task[None], stack: AsyncExitStack) -> None:
        self.service = service
        self.config = config
        self.task = task
        self._stack = stack

    async def close(self) -> None:
        self.task.cancel()
        with suppress(asyncio.CancelledError, Exception):  # what ended it is over
            await self.task
        await self._stack.aclose()


class Hubs:
    """The services of all projects of an app that say a public address; they are begun and ended as the projects say."""

    def __init__(self, workspace: Workspace, *, clock: Callable[[], float] = time.time, takes_in: bool = True) -> None:
        self._workspace = workspace
        self._clock = clock
        self._takes_in = takes_in
        self._served: dict[str, _Served] = {}

    def service(self, name: str) -> HubService | None:
        """The service of a project, None when it has none."""
        served = self._served.get(name)
        return served.service if served else None

    @asynccontextmanager
    async def serving(self, _app: object = None) -> AsyncIterator[None]:
        """Serve while the block lasts."""
        looking = asyncio.create_task(self._keep_looking())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            for name in list(self._served):
                await self._served.pop(name).close()

    async def look(self) -> None:
        """Begin and end services as the projects say now."""
        wanted = await asyncio.to_thread(self._wanted)
        for name, served in list(self._served.items()):
            if served.task.done() or wanted.get(name) != served.config:
                await self._served.pop(name).close()
        for name in wanted.keys() - self._served.keys():
            with suppress(TrasmalloError, OSError):  # another program keeps its subscriptions, or it is damaged
                self._served[name] = await self._begin(name, wanted[name])

    async def _keep_looking(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(_LOOK_SECONDS)

    def _wanted(self) -> dict[str, Config]:
        found: dict[str, Config] = {}
        for name in self._workspace.names():
            with suppress(TrasmalloError, OSError):
                config = Project.open(self._workspace.folder(name)).config
                if config.web.public_address:
                    found[name] = config
        return found

    async def _begin(self, name: str, config: Config) -> _Served:
        callback = f"{config.web.public_address}{PATH}{quote(name, safe='')}"
        folder = self._workspace.folder(name)
        async with AsyncExitStack() as stack:
            made = HubService(folder, config, callback, clock=self._clock, takes_in=self._takes_in)
            service = await stack.enter_async_context(made)
            return _Served(service, config, asyncio.create_task(service.run()), stack.pop_all())


class HubGate:
    """Answers hubs, and lets everybody else go on to the guard."""

    def __init__(self, app: ASGIApp, hubs: Hubs) -> None:
        self._app = app
        self._hubs = hubs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        path = scope.get("path", "") if scope["type"] == "http" else ""
        service = self._hubs.service(unquote(path.removeprefix(PATH))) if path.startswith(PATH) else None
        if service is None:
            await self._app(scope, receive, send)
            return
        await (await _answer(service, Request(scope, receive)))(scope, receive, send)


async def _answer(service: HubService, request: Request) -> Response:
    body = await _body(request)
    if body is None:
        return Response(status_code=413, headers=dict(HEADERS))
    status, content = service.answer(request.method, request.url.query, request.headers.items(), body)
    return Response(content, status, headers=dict(HEADERS))


async def _body(request: Request) -> bytes | None:
    """The body of a request, None when it is too large; nothing is kept beyond that."""
    body = bytearray()
    with suppress(ClientDisconnect):
        async for piece in request.stream():
            body += piece
            if len(body) > BODY_LIMIT:
                return None
    return bytes(body)

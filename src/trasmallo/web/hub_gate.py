"""The gate at which hubs of feeds call: it lies beside the app's guard, since hubs have no token and know another name of it.

It is there only for projects that say their public address, and only while the app takes changes. Behind it the path of a
subscription holds a key that nobody can guess, and what is pushed must be signed (`crawl.websub.door`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from urllib.parse import quote, unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trasmallo.config import Config
from trasmallo.crawl.websub import BODY_LIMIT, HEADERS
from trasmallo.project.hub_service import HubService
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.project_services import Begun, ProjectServices

PATH = "/websub/"
"""What the paths begin with at which hubs call; the project's name follows."""


class Hubs:
    """The services of all projects of an app that say a public address."""

    def __init__(self, workspace: Workspace, *, clock: Callable[[], float] = time.time, takes_in: bool = True) -> None:
        self._workspace = workspace
        self._clock = clock
        self._takes_in = takes_in
        self._services = ProjectServices(workspace, is_wanted=_has_address, begin=self._begin)
        self.serving, self.look = self._services.serving, self._services.look

    def service(self, name: str) -> HubService | None:
        """The service of a project, None when it has none."""
        return self._services.running.get(name)

    async def _begin(self, name: str, config: Config) -> Begun[HubService]:
        callback = f"{config.web.public_address}{PATH}{quote(name, safe='')}"
        folder = self._workspace.folder(name)
        async with AsyncExitStack() as stack:
            made = HubService(folder, config, callback, clock=self._clock, takes_in=self._takes_in)
            service = await stack.enter_async_context(made)
            return Begun(service, asyncio.create_task(service.run()), stack.pop_all())


def _has_address(project: Project) -> bool:
    return bool(project.config.web.public_address)


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

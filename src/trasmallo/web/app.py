"""The app put together: its pages, its guard, its files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from trasmallo.project.file_watch import FileWatch
from trasmallo.project.readable import readable_folder
from trasmallo.project.workspace import Workspace
from trasmallo.values.errors import NotFound, TrasmalloError, UsageError
from trasmallo.web import openapi
from trasmallo.web.file_watches import file_watches
from trasmallo.web.guard import AppDoor, Guard
from trasmallo.web.hub_gate import HubGate, Hubs
from trasmallo.web.live import Watchers, stream
from trasmallo.web.long_questions import LONG_BYTES
from trasmallo.web.pages import UPLOAD, Page, routes
from trasmallo.web.pool import ResultPool
from trasmallo.web.project_services import ProjectServices
from trasmallo.web.rendering import HERE, show_error, show_json
from trasmallo.web.views import all_pages


def build(workspace: Workspace, door: AppDoor, hubs: Hubs | None = None, long_bytes: int = LONG_BYTES) -> Starlette:
    """The app over some projects. Requests are at most 16 MB, answers take at most a minute.

    Where it takes changes, hubs of the projects' feeds are served too, unless others are given. Questions about all words of
    runs with so many bytes of tokens are asked as jobs.
    """
    pages, hubs = all_pages(), hubs or Hubs(workspace)
    app = Starlette(
        routes=[
            *routes(pages),
            Route("/api/openapi.json", _document(pages)),
            Route("/p/{project}/live/events", _events),
            Mount("/static", _Files(directory=HERE / "static")),
        ],
        middleware=[Middleware(HubGate, hubs=hubs), Middleware(Guard, door=door)],
        lifespan=None if door.read_only else _serving(hubs, file_watches(workspace)),
        exception_handlers={HTTPException: _refused, Exception: _failed},
        max_body_size=UPLOAD,
    )
    app.state.workspace, app.state.door, app.state.watchers = workspace, door, Watchers(silent=door.read_only)
    app.state.pool, app.state.unscheduled, app.state.long_bytes = ResultPool(), {}, long_bytes
    return app


class _Files(StaticFiles):
    """Our own files: browsers keep them, but ask each time whether they changed."""

    def file_response(self, *arguments: object, **options: object) -> Response:
        response = super().file_response(*arguments, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def _document(pages: list[Page]) -> Callable[[Request], Awaitable[Response]]:
    async def document(_request: Request) -> Response:
        return show_json(openapi.describe(pages))

    return document


async def _events(request: Request) -> Response:
    """The live state of a project, as long as somebody looks."""
    try:
        state = request.app.state
        folder = await to_thread.run_sync(
            readable_folder, state.workspace.folder(request.path_params["project"]), state.door.user
        )
    except TrasmalloError as error:
        return show_error(request, error)
    return StreamingResponse(stream(request.app.state.watchers.of(folder)), media_type="text/event-stream")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return show_error(request, NotFound("there is no {path}", "begin at /", path=request.scope["path"][:200]))
    return show_error(request, UsageError(error.detail, "see /api/openapi.json for what can be asked"), error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    repair = "please report what you did, with the lines that the app printed"
    return show_error(request, UsageError("the app made a mistake ({error})", repair, error=type(error).__name__), 500)


def _serving(hubs: Hubs, watches: ProjectServices[FileWatch]) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """What goes on beside the app while it serves: hubs are answered, folders and mailboxes are watched."""

    @asynccontextmanager
    async def serving(_app: object) -> AsyncIterator[None]:
        async with hubs.serving(), watches.serving():
            yield

    return serving

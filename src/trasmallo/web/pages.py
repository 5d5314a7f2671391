"""Pages of the app: each a function from a question to an answer, both frozen structs.

    pages = Pages()

    @pages.get("/p/{project}/tables/{table}", "table.html")
    def show_table(visit: Visit, question: TableQuestion) -> TableAnswer:
        "The rows of a result table."

The question is read from the path and the query and checked against its struct. The answer is rendered with the template, or
is the JSON of the same address under `/api` (or where `Accept` says so). Both structs and the docstring make the OpenAPI
document, so a page cannot be there without its twin. Functions run in threads: they may read files and ask DuckDB.
"""

from __future__ import annotations

import asyncio
import functools
import shlex
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar, get_origin, get_type_hints
from urllib.parse import quote, urlencode

import anyio.to_thread
import msgspec
from msgspec import Meta
from starlette.datastructures import ImmutableMultiDict, State, UploadFile
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from trasmallo.project.jobs import JobKind, JobOptions
from trasmallo.project.project import Project
from trasmallo.project.readable import readable_folder
from trasmallo.project.scoped_names import split_name
from trasmallo.project.workspace import Workspace
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import NoResults, NotFound, StoreError, TrasmalloError, UsageError
from trasmallo.web.guard import STORED_PAGE, AppDoor
from trasmallo.web.long_questions import LongQuestion, ask, is_long
from trasmallo.web.pool import ResultPool
from trasmallo.web.rendering import PageAnswer, show, show_error, show_json, show_unrun, wants_json, words_of
from trasmallo.web.words import Words

_SCOPED = [
    [name]
    for name in ("find", "kwic", "list", "laws", "export", "rank", "keyness", "word", "sketch", "trend", "compare", "report")
]
"""Commands that answer in a scope."""

SECONDS = 60.0
"""The longest time for an answer; an export that streams may take longer. Judgement: nobody waits longer."""

UPLOAD = 16 << 20
"""Bytes of the largest request. Judgement: room for the largest page of the extension (`project.inbox`) in JSON."""

FORM_KEY = "form_key"

Json = Annotated[object, Meta(extra_json_schema={"description": "JSON of whatever shape."})]
"""JSON of whatever shape in a question."""

Work = TypeVar("Work", bound=Callable[..., object])
"""A function of a page, from a visit and a question to an answer; registering one keeps its type."""


class Visit:
    """One request, as a page's function sees it."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.workspace: Workspace = request.app.state.workspace
        self.door: AppDoor = request.app.state.door
        self.pool: ResultPool = request.app.state.pool
        self.read_only = self.door.read_only

    @functools.cached_property
    def words(self) -> Words:
        """What the visitor reads."""
        return words_of(self._request)

    @property
    def state(self) -> State:
        """What lives as long as the app."""
        state: State = self._request.app.state
        return state

    def project(self, name: str, *, waits: bool = True) -> Project:
        """The project of an address; raises NotFound, or ConfigError when its file is broken.

        A scope that takes long to be made ready is made so by a job: BeingMadeReady names it, unless nothing `waits` for that.
        """
        project = Project.open(self.workspace.folder(name), user=self.door.user)
        scope = split_name(name)[1]
        found = project.subcorpus(scope) if scope else project
        if scope and waits and not self.read_only and self._takes_long(project, found):
            raise BeingMadeReady(name, found.start_job("subcorpus"))
        return found

    def _takes_long(self, project: Project, scoped: Project) -> bool:
        """Whether a scope of a project takes long to be made ready."""
        return not project.restricted and not scoped.is_ready and is_long(project.run_named(), self.long_bytes)

    @property
    def long_bytes(self) -> int:
        """From how many bytes of tokens on questions about all words are asked as jobs."""
        return int(self.state.long_bytes)

    def long(self, project: Project, kind: JobKind, options: JobOptions, run: str = "") -> LongQuestion | None:
        """A question that takes long, with the job that asks it; None for one that is answered at once."""
        if not is_long(project.run_named(run), self.long_bytes):
            return None
        return ask(project, kind, options, run)

    def folder(self, name: str) -> Path:
        """The folder that the pages of a project are read from: its own, or one with what the visitor may read."""
        return readable_folder(self.workspace.folder(name), self.door.user)


class ActionResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an action: where to look now, `said` in words (a key, said.<key>), and a `detail` for programs."""

    goto: str
    said: str = ""
    detail: str = ""


class Download(msgspec.Struct, frozen=True):
    """A file that streams: its name, its media type and its bytes. `inline` is a stored page, shown in a sandbox."""

    name: str
    media: str
    octets: Iterator[bytes]
    inline: bool = False


class BeingMadeReady(Exception):
    """The scope of an address is made ready by a job of this number; the page can be seen when that has ended."""

    def __init__(self, project: str, number: int) -> None:
        super().__init__(project)
        self.project, self.number = project, number


class Again(Exception):
    """A form that cannot be taken: its page is shown again with what was typed and what is wrong with it."""

    def __init__(self, template: str, answer: PageAnswer, error: TrasmalloError, status: int = 422) -> None:
        super().__init__(template)
        self.template, self.answer, self.error, self.status = template, answer, error, status


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page or an action: what answers it, and what its question and answer are."""

    method: str
    path: str
    template: str
    work: Callable[..., object]
    question: type[msgspec.Struct]
    answer: type

    @property
    def api_path(self) -> str:
        """Where its JSON twin is."""
        return "/api" + self.path if self.path != "/" else "/api/projects"


class Pages:
    """A family of pages, as a module of `views` makes it."""

    def __init__(self) -> None:
        self.all: list[Page] = []

    def get(self, path: str, template: str = "") -> Callable[[Work], Work]:
        """A page that is looked at; without a template it is JSON or a Download."""
        return self._register("GET", path, template)

    def post(self, path: str, template: str = "") -> Callable[[Work], Work]:
        """An action: a form of our own pages, or JSON with a Bearer token. It answers with Done, or raises Again."""
        return self._register("POST", path, template)

    def _register(self, method: str, path: str, template: str) -> Callable[[Work], Work]:
        def register(work: Work) -> Work:
            hints = get_type_hints(work)
            page = Page(
                method=method, path=path, template=template, work=work, question=hints["question"], answer=hints["return"]
            )
            self.all.append(page)
            return work

        return register


def routes(pages: list[Page]) -> list[Route]:
    """Every page at its address and its twin under /api."""
    found = []
    for page in pages:
        endpoint = functools.partial(_serve, page)
        found.append(Route(page.path, endpoint, methods=[page.method], name=""))
        if not page.path.startswith("/api"):
            found.append(Route(page.api_path, endpoint, methods=[page.method], name=""))
    return found


async def _serve(page: Page, request: Request) -> Response:
    try:
        question = await _question(page, request)
        async with asyncio.timeout(SECONDS):
            answer = await anyio.to_thread.run_sync(page.work, Visit(request), question, abandon_on_cancel=True)
    except BeingMadeReady as job:
        return _until_ready(request, job)
    except NoResults as error:
        return show_error(request, error) if wants_json(request) or not page.template else show_unrun(request)
    except (StoreError, FileNotFoundError) as error:
        return show_error(request, _cause(request, error))
    except TrasmalloError as error:
        return show_error(request, error)
    except Again as again:
        return show_error(request, again.error, again.status) if wants_json(request) else _again(request, again)
    except TimeoutError:
        return show_error(request, UsageError("the answer took too long", "ask for less"), 503)
    except ClientDisconnect:  # who has gone reads no answer, and nothing went wrong
        return Response(status_code=400)
    return _answered(page, request, question, answer)


def _until_ready(request: Request, job: BeingMadeReady) -> Response:
    """Where somebody waits for a scope: its job, which leads on to what was asked for."""
    if wants_json(request):
        repair = "ask again when job {number} has ended"
        return show_error(request, UsageError("the subcorpus is being made ready", repair, number=job.number), 503)
    query = request.scope["query_string"].decode("latin-1")
    asked = quote(request.scope["path"]) + (f"?{query}" if query else "")
    return RedirectResponse(f"/p/{quote(job.project, safe='')}/jobs?{urlencode({'number': job.number, 'to': asked})}", 303)


def _cause(request: Request, error: StoreError | FileNotFoundError) -> TrasmalloError:
    """What is wrong with files: nothing but that somebody deleted the project meanwhile, where it is not there any more."""
    if name := request.path_params.get("project"):
        try:
            request.app.state.workspace.folder(name)
        except NotFound as removed:
            return removed
    if not isinstance(error, StoreError):
        raise error
    return error


def _again(request: Request, again: Again) -> Response:
    return show(request, again.template, again.answer, None, again.status)


def _answered(page: Page, request: Request, question: object, answer: object) -> Response:
    if isinstance(answer, Download):
        return _download(answer)
    if isinstance(answer, PageAnswer):
        answer = _in_scope(answer, split_name(getattr(question, "project", ""))[1])
    if isinstance(answer, ActionResult):
        return show_json(answer) if wants_json(request) else _elsewhere(answer)
    return (
        show(request, page.template, answer, question)
        if isinstance(answer, PageAnswer) and page.template
        else show_json(answer)
    )


def _in_scope(answer: PageAnswer, scope: str) -> PageAnswer:
    """An answer whose command and Python ask in the same scope, where that command can."""
    if not scope or answer.command.split()[1:2] not in _SCOPED:
        return answer
    python = answer.python.replace("').", f"').subcorpus({scope!r}).", 1)
    return msgspec.structs.replace(answer, command=f"{answer.command} --scope {shlex.quote(scope)}", python=python)


def _elsewhere(done: ActionResult) -> Response:
    told = urlencode({name: text for name, text in (("said", done.said), ("detail", done.detail)) if text})
    joint = "&" if "?" in done.goto else "?"
    return RedirectResponse(done.goto + (joint + told if told else ""), 303)


def _download(file: Download) -> Response:
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    if file.inline:
        headers = {"Content-Security-Policy": STORED_PAGE}
    return StreamingResponse(_in_thread(file.octets), media_type=file.media, headers=headers)


async def _in_thread(octets: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await anyio.to_thread.run_sync(next, octets, None)) is not None:
        yield piece


async def _question(page: Page, request: Request) -> msgspec.Struct:
    values = _fields(page.question, request.query_params) if page.method == "GET" else await _body(page, request)
    try:
        return msgspec.convert(values | request.path_params, decodable(page.question), strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("what was asked does not fit ({error})", "correct that part", error=error) from None


async def _body(page: Page, request: Request) -> dict[str, object]:
    """The fields of a form of ours, or of a JSON object; a form must bring the key that only our pages know."""
    if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
        return _json_object(await request.body())
    async with request.form(max_files=20, max_fields=20_000, max_part_size=UPLOAD) as form:
        given = [(name, await _text(value)) for name, value in form.multi_items()]
    texts, door = ImmutableMultiDict(given), request.app.state.door
    if not request.state.bearer and texts.get(FORM_KEY) != door.key("form"):
        raise UsageError("this form is not from here", "load the page again and send it once more")
    return _fields(page.question, texts)


async def _text(value: str | UploadFile) -> str:
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    raw = await value.read()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("{name} is not UTF-8", "save it as UTF-8", name=value.filename) from None


def _json_object(body: bytes) -> dict[str, object]:
    try:
        return msgspec.json.decode(body or b"{}", type=dict[str, object])
    except msgspec.DecodeError as error:
        raise UsageError(
            "the body is no JSON object ({error})", "send an object with the fields of the form", error=error
        ) from None
    except UnicodeDecodeError:
        raise UsageError("the body is not UTF-8", "send JSON in UTF-8") from None
    except RecursionError:
        raise UsageError("the body has values inside values too deep", "send an object with the fields of the form") from None


def _fields(kind: type[msgspec.Struct], given: ImmutableMultiDict[str, str]) -> dict[str, object]:
    """Parameters as plain values: all of them where the struct has a list, a mapping where it has one, else the last."""
    found: dict[str, object] = {}
    for name, hint in get_type_hints(kind).items():
        if get_origin(hint) is dict:
            found[name] = {key.partition(".")[2]: value for key, value in given.items() if key.startswith(name + ".")}
        elif name in given:
            found[name] = given.getlist(name) if get_origin(hint) in (tuple, list) else given[name]
    return found

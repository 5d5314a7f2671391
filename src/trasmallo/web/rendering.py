"""Rendering of answers: as a page to people, as JSON to programs. Both say the same, since both are made of one struct."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
import msgspec
from starlette.requests import Request
from starlette.responses import Response

from trasmallo import config
from trasmallo.project.scoped_names import split_name
from trasmallo.project.scopes import scope_text, split_as_of
from trasmallo.results.dates import TIMES, as_told, local
from trasmallo.store import run_folders
from trasmallo.store.run_folders import SNAPSHOTS
from trasmallo.store.subcorpora import Scope, saved_scopes
from trasmallo.values.errors import ConfigError, NotFound, ProjectBusy, ProjectChanged, StoreError, TrasmalloError
from trasmallo.web import navigation
from trasmallo.web.words import Words, choose

HERE = Path(__file__).parent
LANGUAGE_COOKIE = "trasmallo-language"
_LONGEST_SHOWN = 300
"""Characters of a text of strangers that a page shows. Judgement: some lines."""

_MOMENTS = 50
"""Runs and snapshots that the head of each page offers. Judgement: a list that can be looked over; others can be typed."""

_JSON = "application/json"


class PageAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says; its fields are its JSON twin.

    `command` and `python` do the same without a browser; `heading` is the page's title where a word does not do.
    """

    command: str = ""
    python: str = ""
    heading: str = ""


class Deed(msgspec.Struct, frozen=True):
    """What does without a browser what a button does."""

    command: str = ""
    python: str = ""


class ErrorAnswer(msgspec.Struct, frozen=True):
    """What went wrong, in the shape of the command line's `--json`."""

    error: ErrorDetail


class ErrorDetail(msgspec.Struct, frozen=True):
    """The problem and its repair; `kind` is the error's name.

    `code` is the problem with names instead of its values, which does not differ from case to case; `arguments` are the values.
    """

    kind: str
    problem: str
    repair: str
    code: str = ""
    arguments: Mapping[str, str | int | float] = {}

    @classmethod
    def of(cls, error: TrasmalloError) -> ErrorDetail:
        """What is told of an error."""
        problem, repair = error.said
        return cls(type(error).__name__, problem, repair, problem.code, problem.arguments)


def wants_json(request: Request) -> bool:
    """Whether a program asks: under /api, or by saying that it accepts JSON and not HTML."""
    accepted = request.headers.get("accept", "")
    return request.scope["path"].startswith("/api/") or (_JSON in accepted and "text/html" not in accepted)


def words_of(request: Request) -> Words:
    """The language of the person who asks: chosen in the address, before, or in the browser."""
    asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    return Words(choose(asked, request.headers.get("accept-language", "")))


def show(request: Request, template: str, answer: PageAnswer, question: object = None, status: int = 200) -> Response:
    """An answer as whoever asks can read it."""
    if wants_json(request):
        return show_json(answer, status)
    context = {"it": answer, "q": question} | _surroundings(request)
    language = words_of(request).language
    response = Response(_environment().get_template(template).render(context), status, media_type="text/html")
    if request.query_params.get("lang") == language:
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=365 * 86_400, samesite="lax", httponly=True)
    return response


def show_json(answer: object, status: int = 200) -> Response:
    """Any value as JSON; a sentence is its text."""
    return Response(msgspec.json.encode(as_told(answer)), status, media_type=_JSON)


def show_error(request: Request, error: TrasmalloError, status: int = 0) -> Response:
    """One line that ends with the repair; `status` is that of the error's kind unless said."""
    status = status or _status(error)
    detail = ErrorDetail.of(error)
    if wants_json(request):
        return show_json(ErrorAnswer(detail), status)
    context = {"it": detail, "q": None, "status": status} | _surroundings(request)
    return Response(_environment().get_template("error.html").render(context), status, media_type="text/html")


def show_unrun(request: Request) -> Response:
    """The page of results where there are none yet: what to do about it, with the button that does it."""
    surroundings = _surroundings(request)
    place = next(
        (entry.key for entry in navigation.entries(str(surroundings["project"])) if entry.address == surroundings["path"]), ""
    )
    context = {"it": PageAnswer(), "q": None, "place": place or "tables"} | surroundings
    return Response(_environment().get_template("unrun.html").render(context), media_type="text/html")


def _status(error: TrasmalloError) -> int:
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, ProjectBusy | ProjectChanged | ConfigError):
        return 409
    return 507 if isinstance(error, StoreError) else 400


def _surroundings(request: Request) -> dict[str, object]:
    """What every template may use besides its answer; who was not let in is told of no project."""
    words = words_of(request)
    state = request.app.state if getattr(request.state, "inside", False) else None
    project = request.path_params.get("project", "") if "path_params" in request.scope else ""
    door = getattr(state, "door", None)
    return {
        "t": words,
        "now": time.time(),
        "path": quote(request.scope["path"]),
        "query": request.scope["query_string"].decode("latin-1"),
        "project": project,
        **_scope_of(state, project),
        "projects": state.workspace.names() if state else (),
        "form_key": door.key("form") if door else "",
        "read_only": bool(door and door.read_only),
        "navigation": navigation.entries(project),
        "places": navigation.places(project),
        "said": request.query_params.get("said", ""),
        "with_query": lambda **changes: _with_query(request, changes),
    }


def _scope_of(state: Any, project: str) -> dict[str, object]:
    """The scope that the pages of a project are asked in, and those that were saved."""
    name, scope = split_name(project)
    saved: dict[str, Scope] = {}
    if state and project:
        with suppress(TrasmalloError):
            saved = saved_scopes(state.workspace.folder(project))
    told = {name: scope_text(one) for name, one in saved.items()}
    text, as_of = split_as_of(scope)
    return {
        "whole_project": name,
        "scope": scope,
        "scope_text": text,
        "as_of": as_of,
        "as_of_names": _as_of_names(state, project),
        "scopes": told | _own_language(state, project),
    }


def _as_of_names(state: Any, project: str) -> list[str]:
    """The latest runs and snapshots, as of which can be asked."""
    if not (state and project):
        return []
    with suppress(TrasmalloError, OSError):
        folder = state.workspace.folder(project)
        return [run.name for place in ("runs", SNAPSHOTS) for run in run_folders.find(folder / place)][::-1][:_MOMENTS]
    return []


def _own_language(state: Any, project: str) -> dict[str, str]:
    """The scope that people ask for first, the documents in the project's own language; none where nobody knows."""
    if not (state and project):
        return {}
    with suppress(TrasmalloError, OSError):
        return {f"language={config.load(state.workspace.folder(project) / config.FILE_NAME).language}": ""}
    return {}


def _with_query(request: Request, changes: dict[str, object]) -> str:
    """The address with some parameters changed; None takes one out."""
    pairs: list[tuple[str, object]] = [
        (name, value) for name, value in request.query_params.multi_items() if name not in changes and name != "said"
    ]
    for name, value in changes.items():
        if value is not None:
            pairs += [(name, each) for each in (value if isinstance(value, list | tuple) else [value])]
    return quote(request.scope["path"]) + ("?" + urlencode(pairs) if pairs else "")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["combined"] = lambda one, other: one | other
    environment.filters |= {"plain": plain, "day": local, "size": size}
    environment.filters |= {"quoted": lambda text: quote(text, safe=""), "builtins": partial(msgspec.to_builtins, enc_hook=str)}
    environment.globals["moments"] = TIMES
    return environment


def plain(text: object, most: int = _LONGEST_SHOWN) -> str:
    """A text that strangers wrote, on one line: without marks that turn the writing round or cannot be seen, cut at `most`."""
    shown = str(text)[: most + 1]
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    return shown[:most] + "…" if len(shown) > most else shown


def size(octets: float) -> str:
    """A number of bytes, as people write it."""
    for unit in ("B", "kB", "MB", "GB"):
        if octets < 1_000:
            return f"{octets:.0f} {unit}" if unit == "B" else f"{octets:.1f} {unit}"
        octets /= 1_000
    return f"{octets:.1f} TB"

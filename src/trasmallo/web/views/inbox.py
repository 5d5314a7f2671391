"""Pages and marks that the browser extension sends to a project."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.project import inbox
from trasmallo.values.errors import UsageError
from trasmallo.web.pages import ActionResult, Json, Pages, Visit
from trasmallo.web.views.focus import ANSWERS
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()


class SentForm(msgspec.Struct, frozen=True):
    """A page as the extension sends it; `project` may be "" when only one is known."""

    url: Annotated[str, Meta(max_length=20_000)]
    html: Annotated[str, Meta(max_length=16_000_000)]
    project: Line = ""
    title: Annotated[str, Meta(max_length=10_000)] = ""
    language: Line = ""
    filter: Json = None


class SentMark(msgspec.Struct, frozen=True):
    """What the extension's user says of the page in front; `project` may be "" when only one is known."""

    url: Annotated[str, Meta(max_length=20_000)]
    answer: Literal["yes", "no", "none"]
    project: Line = ""


class MarkedAnswer(msgspec.Struct, frozen=True):
    """The project that has the mark now, and the page's address as crawls know it."""

    project: str
    url: str


class SentAnswer(msgspec.Struct, frozen=True):
    """The project that has the page now, and the page's size in bytes."""

    project: str
    size: int


@pages.post("/api/pages")
def take_page(visit: Visit, question: SentForm) -> SentAnswer:
    """Take a page into a project, as the extension's *send to project* does; it is studied when asked for."""
    name = question.project or _only(visit)
    written = msgspec.json.encode(question.filter).decode() if question.filter is not None else ""
    page = inbox.SentPage(question.url, question.html, question.title, question.language, written)
    return SentAnswer(name, inbox.receive(visit.workspace.folder(name), page))


@pages.post("/api/marks")
def take_mark(visit: Visit, question: SentMark) -> MarkedAnswer:
    """Take a mark into a project, as the extension's buttons *on topic* and *off topic* do."""
    name = question.project or _only(visit)
    return MarkedAnswer(name, visit.project(name).mark(question.url, ANSWERS[question.answer]).url)


@pages.post("/p/{project}/sent")
def study_sent(visit: Visit, question: ProjectQuestion) -> ActionResult:
    """Study the pages that were sent to a project, as a run of their own."""
    visit.project(question.project).start_import()
    return ActionResult(goto=address_of(question.project) + "/live")


def _only(visit: Visit) -> str:
    names = visit.workspace.names()
    if len(names) != 1:
        raise UsageError(
            "it is not said for which project the page is", "choose one of {names}", names=", ".join(names[:20]) or "none yet"
        )
    return names[0]

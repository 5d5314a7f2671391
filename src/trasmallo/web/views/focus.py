"""The focus of a crawl: its topics, how well it keeps to them, its best hubs, and marks."""

from __future__ import annotations

import shlex
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.crawl.focus import Mark
from trasmallo.crawl.focus_report import FocusReport
from trasmallo.project.focus import TopicShown
from trasmallo.values.urls import canonical
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()

_MARKS_SHOWN = 50  # judgement: the last ones are those that a person remembers
ANSWERS = {"yes": True, "no": False, "none": None}
"""What the words of a mark mean."""


class FocusAnswer(PageAnswer, frozen=True, kw_only=True):
    """Topics, what the latest crawl brought of them, and the last marks."""

    topics: list[TopicShown]
    report: FocusReport
    marks: list[Mark]
    marked: int


class TopicForm(msgspec.Struct, frozen=True):
    """What the next crawl is to keep to: words, a document a line, a search; without all of them the topic is forgotten."""

    project: str
    words: Line = ""
    like: Annotated[str, Meta(max_length=10_000)] = ""
    search: Line = ""
    name: Annotated[str, Meta(min_length=1, max_length=80)] = "topic"


class MarkForm(msgspec.Struct, frozen=True):
    """What is said of a page; none takes it back."""

    project: str
    url: Line
    answer: Literal["yes", "no", "none"]


@pages.get("/p/{project}/focus", "focus.html")
def show_focus(visit: Visit, question: ProjectQuestion) -> FocusAnswer:
    """How well the latest crawl keeps to its topics."""
    project = visit.project(question.project)
    marks = project.marks()
    return FocusAnswer(
        topics=project.topics(),
        report=project.focus(),
        marks=marks[: -_MARKS_SHOWN - 1 : -1],
        marked=len(marks),
        command=shlex.join(["trasmallo", "focus", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).focus()\n",
    )


@pages.post("/p/{project}/focus/topic")
def set_topic(visit: Visit, question: TopicForm) -> ActionResult:
    """Say what the next crawl is to keep to."""
    project = visit.project(question.project)
    # Addresses alone: neither files of this machine nor its standard input.
    like = [canonical(line.strip()) for line in question.like.splitlines() if line.strip()]
    words, search = question.words.split(), question.search.strip()
    if words or like or search:
        project.topic(*words, like=like, search=search, name=question.name)
    else:
        project.remove_topic(question.name)
    return ActionResult(goto=address_of(question.project) + "/focus", said="topic")


@pages.post("/p/{project}/focus/mark")
def mark(visit: Visit, question: MarkForm) -> ActionResult:
    """Say whether a page is on topic; a run takes it up within seconds."""
    visit.project(question.project).mark(question.url, ANSWERS[question.answer])
    return ActionResult(goto=address_of(question.project) + "/focus", said="marked")

"""The deep web of a project: what was rendered and why, its forms, and hosts that want a log-in."""

from __future__ import annotations

import shlex
from typing import Literal

import msgspec

from trasmallo.crawl.deep_web_report import DeepWebReport
from trasmallo.project.deep_web import FormShown, LoginShown
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import Line, ProjectQuestion, address_of

pages = Pages()

_FORMS_SHOWN = 200  # judgement: as many as a person looks through


class DeepWebAnswer(PageAnswer, frozen=True, kw_only=True):
    """What the latest crawl found behind scripts and forms, and the log-ins that are kept (never their secrets)."""

    report: DeepWebReport
    forms: list[FormShown]
    logins: list[LoginShown]


class SwitchForm(msgspec.Struct, frozen=True):
    """Whether the next run may ask a form."""

    project: str
    action: Line
    answer: Literal["on", "off"]


@pages.get("/p/{project}/deep-web", "deep_web.html")
def show_deep_web(visit: Visit, question: ProjectQuestion) -> DeepWebAnswer:
    """What the latest crawl found behind scripts, forms and log-ins."""
    project = visit.project(question.project)
    return DeepWebAnswer(
        report=msgspec.structs.replace(project.deep_web(), forms=()),
        forms=project.forms()[:_FORMS_SHOWN],
        logins=project.logins(),
        command=shlex.join(["trasmallo", "forms", str(project.folder)]),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).deep_web()\n",
    )


@pages.post("/p/{project}/deep-web/form")
def switch_form(visit: Visit, question: SwitchForm) -> ActionResult:
    """Let the next run ask a form, or take that back."""
    visit.project(question.project).switch_forms([question.action], remove=question.answer == "off")
    return ActionResult(goto=address_of(question.project) + "/deep-web", said="form")

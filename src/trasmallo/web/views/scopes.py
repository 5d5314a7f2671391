"""The scope that a project is asked about, chosen once: from then on it stands in the address of every page."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.project.scoped_names import scoped_name
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.views.projects import address_of

pages = Pages()


class ScopeQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A scope as it is typed, "" for all documents, and the address `to` return to, of a page of the same project."""

    project: str
    text: Annotated[str, Meta(max_length=2_000)] = ""
    to: Annotated[str, Meta(max_length=10_000)] = ""


@pages.get("/p/{project}/scope")
def choose_scope(visit: Visit, question: ScopeQuestion) -> ActionResult:
    """Ask about some documents of a project from now on; raises UsageError for what is no scope."""
    name, text = scoped_name(question.project, ""), question.text.strip()
    if text:
        visit.project(name).subcorpus(text)
    begins = (address_of(question.project), f"/p/{question.project}")  # as browsers and as people write it
    rest = next((question.to.removeprefix(begin) for begin in begins if question.to.startswith(begin)), "")
    return ActionResult(goto=address_of(scoped_name(name, text)) + (rest if rest.startswith("/") else ""))

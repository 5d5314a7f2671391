"""The scope that a project is asked about, chosen once: from then on it stands in the address of every page."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.project.scoped_names import scoped_name
from trasmallo.project.scopes import joined_as_of, split_as_of
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.views.projects import address_of

pages = Pages()


class ScopeQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A scope as it is typed, "" for all documents, and the address `to` return to, of a page of the same project.

    `as_of` is the run, snapshot or date whose results answer, "" the collection as it is.
    """

    project: str
    text: Annotated[str, Meta(max_length=2_000)] = ""
    as_of: Annotated[str, Meta(max_length=200)] = ""
    to: Annotated[str, Meta(max_length=10_000)] = ""


@pages.get("/p/{project}/scope")
def choose_scope(visit: Visit, question: ScopeQuestion) -> ActionResult:
    """Ask about some documents of a project from now on; raises UsageError for what is no scope."""
    name, text = scoped_name(question.project, ""), question.text.strip()
    text = joined_as_of(text, question.as_of.strip() or split_as_of(text)[1])
    if text:
        visit.project(name).subcorpus(text)
    begins = (address_of(question.project), f"/p/{question.project}")  # as browsers and as people write it
    rest = next((question.to.removeprefix(begin) for begin in begins if question.to.startswith(begin)), "")
    return ActionResult(goto=address_of(scoped_name(name, text)) + (rest if rest.startswith("/") else ""))

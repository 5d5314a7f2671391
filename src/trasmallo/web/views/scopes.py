"""The scope that a project is asked about, chosen once: from then on it stands in the address of every page."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.project.scoped_names import scoped_name, split_name
from trasmallo.project.scopes import joined_as_of, scope_text, split_as_of
from trasmallo.store.subcorpora import Scope
from trasmallo.values.errors import TrasmalloError
from trasmallo.web.long_questions import is_long
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.views.projects import ProjectQuestion, address_of

pages = Pages()

_SOON_BYTES = 5 << 20
"""Bytes of tokens up to which a scope is made while the visitor waits, some 500,000 words. Calibrated on the demo, whose 560 kB
took .3 s of CPU."""


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


@pages.get("/p/{project}/begin")
def begin(visit: Visit, question: ProjectQuestion) -> ActionResult:
    """Where a project is first looked at: its documents in its own language, where it has others as well.

    Nobody waits long for that: while a large scope is made ready by a job, all documents are shown.
    """
    name = question.project
    try:
        scope = "" if split_name(name)[1] else _own_language(visit, visit.project(name))
        if not scope:
            return ActionResult(goto=address_of(name))
        scoped = visit.project(scoped_name(name, scope), waits=False)
        if scoped.is_ready or not is_long(visit.project(name).run_named(), min(_SOON_BYTES, visit.long_bytes)):
            return ActionResult(goto=address_of(scoped_name(name, scope)))
        if not (visit.read_only or scoped.restricted):
            scoped.start_job("subcorpus")
            return ActionResult(goto=address_of(name), said="scope_later")
    except TrasmalloError:  # the page of the project says what is wrong with it
        pass
    return ActionResult(goto=address_of(name))


def _own_language(visit: Visit, project: Project) -> str:
    """The scope of a project's own language, "" where that is all of it, and while a run changes what belongs to it."""
    if holder(project.folder):
        return ""
    with visit.pool.tables(project) as tables:
        languages = tables.tally("pages", "language", ("drop=",))
    own = project.config.language
    return scope_text(Scope(languages=(own,))) if own in languages and len(languages) > 1 else ""

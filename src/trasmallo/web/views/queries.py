"""Corpus queries that were saved by name, and the history of those that were asked: looked through, asked again, forgotten."""

from __future__ import annotations

import shlex
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.scoped_names import scoped_name, split_name
from trasmallo.store.kept_queries import KeptQuery
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import UsageError
from trasmallo.web.breadcrumb import HitSelection
from trasmallo.web.pages import ActionResult, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.concordance import options_of
from trasmallo.web.views.tables import within

pages = Pages()

_SHOWN = 200
"""Queries of the history that a page shows; `matching` finds the others. Judgement: some screens."""

QueryName = Annotated[str, Meta(max_length=80)]


class QueriesQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The queries of a project with a text in them or in their names."""

    project: str
    matching: Annotated[str, Meta(max_length=1_000)] = ""


class SavingQuestion(HitSelection, frozen=True, kw_only=True):
    """A query as the concordance shows it, to be saved under a name."""

    name: QueryName = ""


class NamedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A saved query."""

    project: str
    name: QueryName = ""


class QueriesAnswer(PageAnswer, frozen=True, kw_only=True):
    """The saved queries by their names and the history with the latest first; `number` is how many that has in all."""

    project: str
    saved: tuple[KeptQuery, ...] = ()
    history: tuple[KeptQuery, ...] = ()
    number: int = 0
    matching: str = ""

    def place(self, kept: KeptQuery) -> str:
        """Where a query is asked again: in its own scope, unless another one is chosen."""
        whole, chosen = split_name(self.project)
        return within(scoped_name(whole, chosen or kept.scope), f"concordance?{urlencode(selection_of(kept).pairs())}")

    def fields(self, kept: KeptQuery) -> dict[str, str]:
        """What a form that removes a query sends."""
        return {"name": kept.name}


def selection_of(kept: KeptQuery) -> HitSelection:
    """The choice of hits of a query, as pages and forms send it."""
    told = kept.options | {"sort": tuple(filter(None, str(kept.options.get("sort", "")).split(",")))}
    return msgspec.convert({"project": "", "query": kept.query} | told, decodable(HitSelection), strict=False)


@pages.get("/p/{project}/queries", "queries.html")
def show_queries(visit: Visit, question: QueriesQuestion) -> QueriesAnswer:
    """The corpus queries that were saved, and those that were asked last."""
    project = visit.project(question.project)
    history = _matching(project.query_history(), question.matching)
    words = ["trasmallo", "queries", str(project.folder)]
    words += ["--matching", question.matching] if question.matching else []
    return QueriesAnswer(
        project=question.project,
        saved=tuple(_matching(project.saved_queries(), question.matching)),
        history=tuple(history[:_SHOWN]),
        number=len(history),
        matching=question.matching,
        command=shlex.join(words),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).saved_queries()\n",
    )


@pages.post("/p/{project}/queries/save")
def save_query(visit: Visit, question: SavingQuestion) -> ActionResult:
    """Save a query with its choice of hits under a name."""
    if not question.name.strip():
        raise UsageError("the query has no name", "write one beside the button")
    project = visit.project(question.project)
    project.save_query(question.name.strip(), question.query, **msgspec.structs.asdict(options_of(question, 0)))
    return ActionResult(goto=within(question.project, "queries"), said="query_saved")


@pages.post("/p/{project}/queries/remove")
def remove_query(visit: Visit, question: NamedQuestion) -> ActionResult:
    """Forget a saved query."""
    visit.project(question.project).remove_query(question.name)
    return ActionResult(goto=within(question.project, "queries"), said="query_removed")


@pages.post("/p/{project}/queries/forget")
def forget_history(visit: Visit, question: NamedQuestion) -> ActionResult:
    """Forget what was asked; saved queries stay."""
    number = visit.project(question.project).forget_history()
    return ActionResult(goto=within(question.project, "queries"), said="history_forgotten", detail=str(number))


def _matching(kept: list[KeptQuery], text: str) -> list[KeptQuery]:
    return [one for one in kept if text.casefold() in f"{one.name}\n{one.query}".casefold()]

"""Entities that documents name together, as a graph, and when one of them is named."""

from __future__ import annotations

import shlex
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from trasmallo.results.database.tables import Tables
from trasmallo.results.graphs import Graph, Node, entity_graph
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.plots import PlotSheet, sheet_of
from trasmallo.web.rendering import PageAnswer, plain
from trasmallo.web.views.graphs import NODE_NAME
from trasmallo.web.views.tables import within

pages = Pages()

_MONTHS = 240
"""Months of a timeline, the last ones. Judgement: twenty years."""
_TIMELINE = """
    SELECT month, sum(count), sum(documents) FROM entities_by_month WHERE entity = ? AND (? = '' OR kind = ?)
    GROUP BY month ORDER BY month DESC LIMIT ?"""


class EntityGraphQuestion(msgspec.Struct, frozen=True):
    """The entities of a `kind` ("" is any) that most documents name together, with `entity` where one is given."""

    project: str
    entity: Annotated[str, Meta(max_length=1_000)] = ""
    kind: Annotated[str, Meta(max_length=32)] = ""
    edges: Annotated[int, Meta(ge=5, le=120)] = 40
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 2
    run: str = ""


class EntityGraphAnswer(PageAnswer, frozen=True, kw_only=True):
    """A graph of entities, how it is drawn, and the months in which one of them is named: how often, in how many documents."""

    entity: str
    graph: Graph
    sheet: PlotSheet
    kinds: tuple[str, ...]
    months: tuple[tuple[str, int, int], ...]
    run: str = ""

    @property
    def most(self) -> int:
        """The largest count of a month."""
        return max((count for _, count, _ in self.months), default=1)


@pages.get("/p/{project}/entity-graph", "entity_graph.html")
def show_entity_graph(visit: Visit, question: EntityGraphQuestion) -> EntityGraphAnswer:
    """Entities that documents name together, and when one of them is named."""
    project = visit.project(question.project)
    name = question.entity.strip()
    with visit.pool.tables(project, question.run) as tables:
        graph = entity_graph(tables, name, kind=question.kind, edges=question.edges, least=question.least)
        kinds = tuple(sorted(tables.tally("entities", "kind")))
        months = _months(tables, name, question.kind) if name else []

    def address(node: Node) -> str:
        chosen = {"entity": node.name, "kind": question.kind, "edges": question.edges, "least": question.least}
        return within(question.project, f"entity-graph?{urlencode(chosen)}", question.run)

    where = ["--where", f"entity={name}"] if name else []
    chosen = f"kind={question.kind!r}, edges={question.edges}, least={question.least}"
    return EntityGraphAnswer(
        entity=name,
        graph=graph,
        sheet=sheet_of(graph, address, lambda node: plain(node.name, NODE_NAME)),
        kinds=kinds,
        months=tuple(months),
        run=question.run,
        command=shlex.join(["trasmallo", "list", str(project.folder), "entity_pairs", *where, "--limit", str(question.edges)]),
        python=(
            "import trasmallo\nfrom trasmallo.results.graphs import entity_graph\n\n"
            f"with trasmallo.Project.open({str(project.folder)!r}).tables() as tables:\n"
            f"    entity_graph(tables, {name!r}, {chosen})\n"
        ),
    )


def _months(tables: Tables, name: str, kind: str) -> list[tuple[str, int, int]]:
    tables.prepare("entities_by_month")
    rows = tables.select(_TIMELINE, [name, kind, kind, _MONTHS])
    return [(str(month), int(count), int(documents)) for month, count, documents in reversed(rows)]

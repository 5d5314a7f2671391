"""Graphs: the strongest collocations, round a word or of all; the links round a document."""

from __future__ import annotations

import shlex
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.project.table import Row
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.graphs import Graph, Node, collocation_graph, link_graph
from trasmallo.study.stop_lists import standard_of
from trasmallo.web import cell_links
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.plots import PlotSheet, sheet_of
from trasmallo.web.rendering import PageAnswer, plain
from trasmallo.web.views.tables import within

pages = Pages()

NODE_NAME = 28
"""Characters of a node's name. Judgement, by eye: longer ones cover their neighbours."""

Number = Annotated[int, Meta(ge=5, le=120)]
Word = Annotated[str, Meta(max_length=2_000)]
Measure = Literal["log_dice", "log_likelihood", "mi", "mi3", "t", "delta_p", "delta_p_back"]


class CollocationsQuestion(msgspec.Struct, frozen=True):
    """The strongest pairs by a measure, of a word when one is given: at most `edges`, each at least so often.

    Those with function words of the run's languages are shown only when `function_words` are wanted.
    """

    project: str
    word: Word = ""
    measure: Measure = "log_dice"
    edges: Number = 40
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 5
    function_words: bool = False
    run: str = ""


class CollocationsAnswer(PageAnswer, frozen=True, kw_only=True):
    """A graph of words; `sheet` is how it is drawn."""

    word: str
    graph: Graph
    sheet: PlotSheet
    run: str = ""

    def hits(self, project: str, first: str, second: str) -> str:
        """Where the occurrences of a pair are shown."""
        row: dict[str, str | int | float | None] = {"first": first, "second": second, "count": 1}
        return within(project, cell_links.address("collocations", "count", row), self.run)


class LinksQuestion(msgspec.Struct, frozen=True):
    """The links round a document; without one, the documents that rank highest."""

    project: str
    document: Annotated[str, Meta(max_length=100)] = ""
    edges: Number = 40
    run: str = ""


class LinksAnswer(PageAnswer, frozen=True, kw_only=True):
    """The documents that rank highest, or the graph round one of them with the anchors that lead to it."""

    document: str
    title: str = ""
    url: str = ""
    ranks: tuple[Row, ...] = ()
    anchors: tuple[Row, ...] = ()
    graph: Graph | None = None
    sheet: PlotSheet | None = None
    run: str = ""


@pages.get("/p/{project}/collocations", "collocations.html")
def show_collocations(visit: Visit, question: CollocationsQuestion) -> CollocationsAnswer:
    """The strongest collocations as a graph, round a word or of all."""
    project = visit.project(question.project)
    word = question.word.strip().lower()
    with visit.pool.tables(project, question.run) as tables:
        languages = {} if question.function_words else tables.tally("pages", "language", ("drop=",))
        without = () if question.function_words else standard_of(project.config.language, languages).words
        graph = collocation_graph(
            tables, word, measure=question.measure, edges=question.edges, least=question.least, without=without
        )

    def address(node: Node) -> str:
        from urllib.parse import urlencode

        chosen = {"word": node.name, "measure": question.measure, "edges": question.edges, "least": question.least}
        chosen |= {"function_words": "true"} if question.function_words else {}
        return within(question.project, f"collocations?{urlencode(chosen)}", question.run)

    where = ["--where", f"first={word}"] if word else []
    left_out = "()" if question.function_words else f"standard_of({project.config.language!r}, {languages!r}).words"
    return CollocationsAnswer(
        word=word,
        graph=graph,
        sheet=sheet_of(graph, address, lambda node: plain(node.name, NODE_NAME)),
        run=question.run,
        command=shlex.join(
            ["trasmallo", "list", str(project.folder), "collocations", *where, "--where", f"count>={question.least}",
             "--sort", f"-{question.measure}", "--limit", str(question.edges)]
        ),
        python=(
            "import trasmallo\nfrom trasmallo.results.graphs import collocation_graph\n"
            "from trasmallo.study.stop_lists import standard_of\n\n"
            f"with trasmallo.Project.open({str(project.folder)!r}).tables() as tables:\n"
            f"    collocation_graph(tables, {word!r}, "
            f"measure={question.measure!r}, edges={question.edges}, least={question.least}, without={left_out})\n"
        ),
    )  # fmt: skip


@pages.get("/p/{project}/links", "links.html")
def show_links(visit: Visit, question: LinksQuestion) -> LinksAnswer:
    """How documents stand by their links, and the neighbourhood of one of them."""
    project = visit.project(question.project)
    opened = f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r})"
    with visit.pool.tables(project, question.run) as tables:
        if not question.document:
            ranks = _rows(tables, "ranks", Question(sort="-pagerank", limit=100))
            command = shlex.join(["trasmallo", "list", str(project.folder), "ranks", "--sort", "-pagerank", "--limit", "100"])
            python = opened + ".table('ranks', sort='-pagerank', limit=100)\n"
            return LinksAnswer(document="", ranks=ranks, run=question.run, command=command, python=python)
        graph = link_graph(tables, question.document, edges=question.edges)
        ((title, url),) = tables.select("SELECT title, url FROM pages WHERE document = ?", [question.document])
        anchors = _rows(tables, "anchors", Question((f"url={url}",), limit=50))
        ranks = _rows(tables, "ranks", Question((f"document={question.document}",), limit=1))

    def address(node: Node) -> str:
        return within(question.project, f"links?document={node.name}&edges={question.edges}", question.run)

    return LinksAnswer(
        document=question.document,
        title=title,
        url=url,
        ranks=ranks,
        anchors=anchors,
        graph=graph,
        sheet=sheet_of(graph, address, lambda node: plain(node.title, NODE_NAME)),
        run=question.run,
        command=shlex.join(["trasmallo", "list", str(project.folder), "links", "--where", f"document={question.document}"]),
        python=opened + f".table('links', where=['document={question.document}'])\n",
    )


def _rows(tables: Tables, table: str, question: Question) -> tuple[Row, ...]:
    answer = tables.ask(table, question)
    return tuple(dict(zip(answer.columns, row, strict=True)) for row in answer)

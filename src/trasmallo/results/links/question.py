"""Questions about ranks: the best documents by PageRank or HITS, of the whole run or around a topic."""

from __future__ import annotations

import re

import msgspec
import numpy as np

from trasmallo.results.database.tables import Tables
from trasmallo.results.links.ranks import Web, read_web
from trasmallo.store.run_folders import Run
from trasmallo.study.graph.graph import Numbers
from trasmallo.study.graph.hits import hits, neighbourhood
from trasmallo.study.graph.pagerank import PageRankOptions, pagerank
from trasmallo.study.tokenise import key
from trasmallo.values.arrays import Array
from trasmallo.values.errors import NoResults, UsageError

_MOST_WORDS = 50  # judgement: words of a topic
_ADDRESS = re.compile(r"[/*]|\w\.\w")

_KNOWN = """
    SELECT r.url, p.title, CAST(r.inlinks_own + r.inlinks_foreign AS BIGINT), r.pagerank, r.hub, r.authority
    FROM ranks r JOIN all_pages p USING (document) ORDER BY {} DESC, r.url LIMIT ?"""
_BY_ADDRESS = "SELECT number FROM link_nodes WHERE regexp_matches(url, ?, 'i') ORDER BY number"
_BY_WORDS = """
    SELECT n.number AS number FROM words_by_page w JOIN link_nodes n ON n.document = w.document
    WHERE list_contains(?, w.word) GROUP BY n.number HAVING count(DISTINCT w.word) = ? ORDER BY sum(w.count) DESC, n.number"""
_NAMES = """
    SELECT n.number, n.url, p.title FROM link_nodes n JOIN all_pages p ON p.document = n.document
    WHERE list_contains(?, n.number)"""


class RankQuestion(msgspec.Struct, frozen=True):
    """What to rank by. `topic` are words that documents have, or a part of their addresses, with `*` for anything.

    With `hits` by authority instead of PageRank, with a topic in the neighbourhood of its documents. `foreign` leaves out links
    inside a site, `without` those in these places (`crawl.discover.places`). `limit` is how many documents are told.
    """

    hits: bool = False
    topic: str = ""
    surprise: float = PageRankOptions().surprise
    foreign: bool = False
    without: tuple[str, ...] = ()
    limit: int = 20

    @property
    def is_usual(self) -> bool:
        """Whether the table of ranks has the answer."""
        usual = RankQuestion(hits=self.hits, limit=self.limit)
        return self == (usual if not self.hits else msgspec.structs.replace(usual, surprise=self.surprise))


class RankedPage(msgspec.Struct, frozen=True):
    """A document and what was asked of it; None is what was not asked. `inlinks` are documents that link to it."""

    url: str
    title: str
    inlinks: int
    pagerank: float | None = None
    hub: float | None = None
    authority: float | None = None


class RankedDocuments(msgspec.Struct, frozen=True):
    """The best documents, of how many with how many links between them; `topic` is how many of them are of the topic."""

    pages: list[RankedPage]
    documents: int
    links: int
    topic: int = 0


def rank(tables: Tables, run: Run, question: RankQuestion) -> RankedDocuments:
    """The answer; raises UsageError when there are no documents, or none of the topic."""
    if not 0 <= question.surprise < 1:
        raise UsageError(
            "{surprise} is no probability of the surprise button", "give one from 0 to below 1", surprise=question.surprise
        )
    if question.is_usual:
        found = _known(tables, question)
    else:
        web = read_web(tables.connection, run, question.without)
        if question.foreign:
            web = msgspec.structs.replace(web, graph=web.foreign)
        found = _computed(tables, web, question)
    if not found.documents:
        raise NoResults("the run has no documents yet", "see what became of its pages with: trasmallo list DIR pages")
    return found


def _known(tables: Tables, question: RankQuestion) -> RankedDocuments:
    order = "r.authority" if question.hits else "r.pagerank"
    rows = tables.stream(_KNOWN.format(order), (question.limit,), needs=("ranks",))
    pages = [
        RankedPage(url=url, title=title, inlinks=inlinks, pagerank=pagerank, hub=hub, authority=authority)
        for url, title, inlinks, pagerank, hub, authority in rows
    ]
    return RankedDocuments(pages, tables.number("ranks"), tables.total("ranks", "outlinks"))


def _computed(tables: Tables, web: Web, question: RankQuestion) -> RankedDocuments:
    graph = web.graph
    topic = find_topic(tables, question.topic) if question.topic and graph.size else None
    columns: dict[str, Array]
    if question.hits:
        pages = np.arange(graph.size, dtype=np.int32) if topic is None else neighbourhood(graph, topic)
        graph = graph.part(pages) if topic is not None else graph
        found = hits(graph)
        columns = {"authority": found.authorities, "hub": found.hubs}
    else:
        pages = np.arange(graph.size, dtype=np.int32)
        columns = {"pagerank": pagerank(graph, PageRankOptions(question.surprise), topic=topic).values}
    columns["inlinks"] = graph.inlinks
    told = _told(tables, pages, columns, question.limit)
    return RankedDocuments(told, graph.size, graph.links, 0 if topic is None else len(topic))


def _told(tables: Tables, pages: Numbers, columns: dict[str, Array], limit: int) -> list[RankedPage]:
    """The pages that are first by the first column, with their names."""
    first = next(iter(columns.values()))
    best = np.lexsort((pages, -first))[:limit]
    rows = tables.select(_NAMES, [pages[best].tolist()])
    names = {number: (url, title) for number, url, title in rows}
    figures = [{name: values[place].item() for name, values in columns.items()} for place in best.tolist()]
    numbers = pages[best].tolist()
    return [RankedPage(*names[number], **told) for number, told in zip(numbers, figures, strict=True)]


def find_topic(tables: Tables, text: str) -> Numbers:
    """The numbers of a topic's documents, the best first; raises UsageError when there are none."""
    if _ADDRESS.search(text):
        pattern = ".*".join(map(re.escape, text.split("*")))
        found = tables.connection.arrays(_BY_ADDRESS, [pattern])["number"]
    else:
        tables.prepare("words_by_page")
        words = sorted({key(word) for word in text.split()[:_MOST_WORDS]})
        found = tables.connection.arrays(_BY_WORDS, [words, len(words)])["number"]
    if not len(found):
        raise UsageError(
            "no document is about {text!r}", "give words that documents have, or a part of an address with a /", text=text
        )
    numbers: Numbers = found.astype(np.int32)
    return numbers

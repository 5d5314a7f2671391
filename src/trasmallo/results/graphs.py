"""Small graphs out of large tables: collocations of a word, entities named together, the links round a document."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.results.sql import literal
from trasmallo.study.association import Measures
from trasmallo.values.errors import UsageError

MOST = 120
"""Edges of the largest graph: more cannot be read."""


class Node(msgspec.Struct, frozen=True):
    """Something in a graph: a word, or a document by its id with its title; `size` is how often or how much."""

    name: str
    title: str = ""
    size: float = 0.0


class Edge(msgspec.Struct, frozen=True):
    """What joins two nodes, by their numbers; `weight` is how strongly."""

    source: int
    target: int
    weight: float
    count: int


class Graph(msgspec.Struct, frozen=True):
    """Nodes and the edges between them; `centre` is the number of the node that was asked for, -1 without one."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    centre: int = -1


# Each step of distance has a share of the edges, the centre's first.
_STRONGEST = """
    SELECT "first", "second", {measure}, count FROM collocations
    WHERE count >= ? AND (? = '' OR "first" = ? OR "second" = ?)
      AND "first" NOT IN (SELECT unnest(?)) AND "second" NOT IN (SELECT unnest(?))
    ORDER BY {at_home}{measure} DESC, "first", "second" LIMIT ?"""
_AMONG = """
    SELECT "first", "second", {measure}, count FROM collocations
    WHERE count >= ? AND "first" IN (SELECT unnest(?)) AND "second" IN (SELECT unnest(?)) AND "first" <> ? AND "second" <> ?
    ORDER BY {measure} DESC, "first", "second" LIMIT ?"""
_COUNTS = "SELECT word, sum(count) FROM words WHERE word IN (SELECT unnest(?)) GROUP BY word"


def collocation_graph(
    tables: Tables,
    word: str = "",
    *,
    measure: str = "log_dice",
    edges: int = 40,
    least: int = 3,
    without: Collection[str] = (),
) -> Graph:
    """The strongest pairs, of a word when one is given, with those among its neighbours; at most `MOST` edges.

    Pairs of the project's language come before all others, as in the table.
    Pairs with one of the words in `without` are left out, but for the word that is asked for.
    """
    if measure not in Measures._fields:
        raise UsageError(
            "there is no measure {measure!r}", "choose one of {fields}", measure=measure, fields=", ".join(Measures._fields)
        )
    edges = min(edges, MOST)
    tables.prepare("collocations", "words")
    near = edges * 2 // 3 if word else edges
    left_out = sorted(set(without) - {word})
    # Runs of earlier versions tell no languages.
    at_home = f"language <> {literal(tables.home)}, " if "language" in tables.columns_of("collocations") else ""
    strongest = _STRONGEST.format(measure=measure, at_home=at_home)
    rows = tables.select(strongest, [least, word, word, word, left_out, left_out, near])
    if word:
        around = sorted({name for row in rows for name in row[:2]})
        rows += tables.select(_AMONG.format(measure=measure), [least, around, around, word, word, edges - len(rows)])
    names = list(dict.fromkeys([*([word] if word and rows else []), *(name for row in rows for name in row[:2])]))
    counts: dict[str, int] = dict(tables.select(_COUNTS, [names]))
    places = {name: place for place, name in enumerate(names)}
    return Graph(
        tuple(Node(name, size=float(counts.get(name, 0))) for name in names),
        tuple(Edge(places[first], places[second], weight, count) for first, second, weight, count in rows),
        0 if word and rows else -1,
    )


_TOGETHER = """
    SELECT entity, other, log_dice, documents, kind, other_kind, of_entity, of_other FROM entity_pairs
    WHERE documents >= ? AND (? = '' OR kind = ?) AND (? = '' OR other_kind = ?) AND (? = '' OR entity = ? OR other = ?)
    ORDER BY documents DESC, log_dice DESC, entity, other LIMIT ?"""


def entity_graph(tables: Tables, name: str = "", *, kind: str = "", edges: int = 40, least: int = 2) -> Graph:
    """The entities that most documents name together, with a `name` where one is given; at most `MOST` edges.

    A node's title is its kind, its size the documents that name it. `kind` chooses entities of one kind.
    """
    tables.prepare("entity_pairs")
    chosen = [least, kind, kind, kind, kind, name, name, name, min(edges, MOST)]
    rows = tables.select(_TOGETHER, chosen)
    nodes: dict[tuple[str, str], float] = {}
    for first, second, _, _, one, other, of_first, of_second in rows:
        nodes[first, one], nodes[second, other] = float(of_first), float(of_second)
    places = {key: place for place, key in enumerate(nodes)}
    return Graph(
        tuple(Node(entity, kind, size) for (entity, kind), size in nodes.items()),
        tuple(
            Edge(places[first, one], places[second, other], weight, count)
            for first, second, weight, count, one, other, _, _ in rows
        ),
        next((place for (entity, _), place in places.items() if entity == name), -1),
    )


_OUT = """
    SELECT p.document, p.title, p.url, count(*) FROM links l JOIN pages p ON p.url = l.url
    WHERE l.document = ? AND p.document <> ? GROUP BY ALL ORDER BY count(*) DESC, p.url LIMIT ?"""
_IN = """
    SELECT p.document, p.title, p.url, count(*) FROM links l JOIN pages p ON p.document = l.document
    WHERE l.url = ? AND p.document <> ? GROUP BY ALL ORDER BY count(*) DESC, p.url LIMIT ?"""
_INSIDE = """
    SELECT l.document, p.document, count(*) FROM links l JOIN pages p ON p.url = l.url
    WHERE l.document IN (SELECT unnest(?)) AND p.document IN (SELECT unnest(?)) AND l.document <> p.document
    GROUP BY ALL ORDER BY count(*) DESC, l.document, p.document LIMIT ?"""


def link_graph(tables: Tables, document: str, *, edges: int = 40) -> Graph:
    """The documents that a document leads to and that lead to it, and the links among them; raises UsageError without it."""
    tables.prepare("links", "pages")
    found = tables.select("SELECT title, url FROM pages WHERE document = ?", [document])
    if not found:
        raise UsageError("there is no document {document!r}", "see them with: trasmallo list DIR pages", document=document)
    title, url = found[0]
    half = min(edges, MOST) // 2
    around = tables.select(_OUT, [document, document, half]) + tables.select(_IN, [url, document, half])
    titles = {document: title or url} | {row[0]: row[1] or row[2] for row in around}
    names = list(titles)
    rows = tables.select(_INSIDE, [names, names, min(edges, MOST)])
    places = {name: place for place, name in enumerate(names)}
    linked = [sum(name in row[:2] for row in rows) for name in names]
    return Graph(
        tuple(Node(name, titles[name], float(size)) for name, size in zip(names, linked, strict=True)),
        tuple(Edge(places[source], places[target], float(count), count) for source, target, count in rows),
        0,
    )

"""Links between the documents of a run: who links to whom, what anchors say, and how documents rank by it.

Pages are told apart by a 64-bit hash of their address, so that no table of addresses is in Python's memory: DuckDB joins within
its 800 MB and spills, a page takes about 100 bytes and a link 40 beside it while ranks are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from trasmallo.project.results.links import anchors, farms, ranks

if TYPE_CHECKING:
    from trasmallo.project.results.tables import Tables
    from trasmallo.project.runs import Run

_MAKERS: dict[str, Callable[[Tables, Run], str]] = {"anchors": anchors.make, "ranks": ranks.make, "farms": farms.make}

_RANKS = "SELECT document, pagerank, inlinks_own + inlinks_foreign FROM ranks"
_TEXTS = """
    SELECT document, string_agg(anchor, chr(10) ORDER BY place) FROM (
        SELECT document, anchor, row_number() OVER (PARTITION BY document ORDER BY "foreign" DESC, links DESC, anchor) AS place
        FROM anchors WHERE document <> '' QUALIFY place <= ?)
    GROUP BY document"""
_MOST_ANCHORS = 100
"""Anchors of a document that `anchor_texts` gives, each of 200 characters at most."""


def make(tables: Tables, run: Run, table: str) -> str:
    """Have a table of links made; the SQL that has its rows."""
    return _MAKERS[table](tables, run)


def page_ranks(tables: Tables) -> Iterator[tuple[str, float, int]]:
    """(document, PageRank, pages that link to it) of every document that is no copy."""
    yield from tables.stream(_RANKS, needs=("ranks",))


def anchor_texts(tables: Tables) -> Iterator[tuple[str, str]]:
    """(document, what links to it say) of documents that have such, an anchor a line, those of other sites first."""
    yield from tables.stream(_TEXTS, (_MOST_ANCHORS,), needs=("anchors",))

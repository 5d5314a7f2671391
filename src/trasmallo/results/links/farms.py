"""Sites whose links look arranged, and pages of two sites that link to each other; for reports, ranks do not change by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from trasmallo.results.database.connection import Connection
from trasmallo.results.links.addresses import prepare
from trasmallo.results.links.ranks import read_web
from trasmallo.results.tables.links import FarmRow
from trasmallo.store.run_folders import Run
from trasmallo.study.graph.farms import find_cycles, find_farms
from trasmallo.study.graph.graph import Graph

_MOST_CYCLES = 50_000
"""Pairs of pages that are told. Judgement: more are nobody's to look at."""

_SITES = """
    CREATE OR REPLACE TABLE link_sites AS
    SELECT CAST(row_number() OVER (ORDER BY site) - 1 AS UINTEGER) AS number, site FROM (
        SELECT site FROM link_hosts UNION SELECT site FROM links WHERE aside = '' AND NOT own)"""
_BETWEEN = """
    SELECT DISTINCT s.number AS source, t.number AS target
    FROM links l JOIN link_nodes n ON n.document = l.document JOIN link_hosts h ON h.host = n.host
    JOIN link_sites s ON s.site = h.site JOIN link_sites t ON t.site = l.site
    WHERE l.aside = '' AND NOT l.own"""
_NAMES = "SELECT number, site FROM link_sites WHERE list_contains(?, number)"
# The first pages of two sites that know each other are no post and its trackback.
_ADDRESSES = "SELECT number, url FROM link_nodes WHERE list_contains(?, number) AND regexp_matches(url, '^https?://[^/]+/.')"


def make(connection: Connection, run: Run) -> str:
    """The SQL of `farms`, which are looked for now."""
    prepare(connection, run)
    rows = list(_rows(connection, run))
    columns = {name: _array([getattr(row, name) for row in rows], kind) for name, kind in FarmRow.__annotations__.items()}
    connection.keep("link_farms", columns)
    return "SELECT * FROM link_farms"


def _array(values: list[Any], kind: str) -> Any:
    import numpy as np

    return np.array(values, {"str": object, "int": np.int64, "float": np.float64}[kind])


def _rows(connection: Connection, run: Run) -> Iterator[FarmRow]:
    numbers = count(1)
    for farm in find_farms(_graph_of_sites(connection)):
        names: dict[int, str] = dict(connection.select(_NAMES, [farm.members.tolist()]))
        number, size = next(numbers), len(farm.members)
        for member in farm.members.tolist():
            yield FarmRow(
                farm=number,
                kind=farm.kind,
                member=names[member],
                members=size,
                links=farm.links,
                density=farm.density,
                inside=farm.inside,
            )
    for pair in _cycles(connection, run):
        number = next(numbers)
        for url in pair:
            yield FarmRow(farm=number, kind="cycle", member=url, members=2, links=2, density=1.0, inside=0.0)


def _graph_of_sites(connection: Connection) -> Graph:
    """Which site links to which, those that were not crawled among them."""
    connection.select(_SITES)
    ((size,),) = connection.select("SELECT count(*) FROM link_sites")
    links = connection.arrays(_BETWEEN)
    return Graph(links["source"], links["target"], size)


def _cycles(connection: Connection, run: Run) -> Iterator[tuple[str, str]]:
    pairs = list(islice(find_cycles(read_web(connection, run).foreign), _MOST_CYCLES))
    urls: dict[int, str] = dict(connection.select(_ADDRESSES, [sorted({number for pair in pairs for number in pair})]))
    yield from ((urls[one], urls[other]) for one, other in pairs if one in urls and other in urls)

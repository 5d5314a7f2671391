"""Sites whose links look arranged, and pages of two sites that link to each other; for reports, ranks do not change by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from trasmallo.results.links.addresses import prepare
from trasmallo.results.links.ranks import read_web
from trasmallo.results.rows import FarmRow
from trasmallo.study.graph.farms import find_cycles, find_farms
from trasmallo.study.graph.graph import Graph

if TYPE_CHECKING:
    from trasmallo.results.tables import Tables
    from trasmallo.store.run_folders import Run

_MOST_CYCLES = 50_000

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


def make(tables: Tables, run: Run) -> str:
    """The SQL of `farms`, which are looked for now."""
    prepare(tables, run)
    rows = list(_rows(tables, run))
    columns = {name: _array([getattr(row, name) for row in rows], kind) for name, kind in FarmRow.__annotations__.items()}
    tables.keep("link_farms", columns)
    return "SELECT * FROM link_farms"


def _array(values: list[Any], kind: str) -> Any:
    import numpy as np

    return np.array(values, {"str": object, "int": np.int64, "float": np.float64}[kind])


def _rows(tables: Tables, run: Run) -> Iterator[FarmRow]:
    numbers = count(1)
    for farm in find_farms(_graph_of_sites(tables)):
        names = dict(tables.select(_NAMES, [farm.members.tolist()]))
        number, size = next(numbers), len(farm.members)
        for member in farm.members.tolist():
            yield FarmRow(number, farm.kind, names[member], size, farm.links, farm.density, farm.inside)
    for pair in _cycles(tables, run):
        number = next(numbers)
        yield from (FarmRow(number, "cycle", url, 2, 2, 1.0, 0.0) for url in pair)


def _graph_of_sites(tables: Tables) -> Graph:
    """Which site links to which, those that were not crawled among them."""
    tables.select(_SITES)
    ((size,),) = tables.select("SELECT count(*) FROM link_sites")
    links = tables.arrays(_BETWEEN)
    return Graph(links["source"], links["target"], size)


def _cycles(tables: Tables, run: Run) -> Iterator[tuple[str, str]]:
    pairs = list(islice(find_cycles(read_web(tables, run).foreign), _MOST_CYCLES))
    urls = dict(tables.select(_ADDRESSES, [sorted({number for pair in pairs for number in pair})]))
    yield from ((urls[one], urls[other]) for one, other in pairs if one in urls and other in urls)

"""Which document an address means: its own, that of which it is a copy, or where it redirects to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from trasmallo.results.database.connection import Connection
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Outcome
from trasmallo.values.urls import registered_domain

_MOST_HOPS = 20
"""Redirects that are followed one after the other, as many as browsers follow (Chromium and Firefox: 20)."""

_AT_ONCE = 20_000
"""Pairs of addresses that are inserted together. Judgement: some MB."""

# Numbers follow addresses, so that pages of a site are near each other in memory.
_NODES = """
    CREATE TABLE link_nodes AS
    SELECT CAST(row_number() OVER (ORDER BY url) - 1 AS UINTEGER) AS number, document, url, host
    FROM pages WHERE drop = ''"""
_LEADS = """
    CREATE TABLE link_leads AS
    SELECT hash(url) AS key, min(number) AS number FROM (
        SELECT url, number FROM link_nodes
        UNION ALL SELECT c.url, n.number FROM copies c JOIN link_nodes n ON n.document = c.copy_of)
    GROUP BY key"""
_HOP = """
    INSERT INTO link_leads
    SELECT hash(r.source), min(l.number) FROM link_redirects r JOIN link_leads l ON l.key = hash(r.target)
    WHERE hash(r.source) NOT IN (SELECT key FROM link_leads) GROUP BY ALL"""


def prepare(connection: Connection, run: Run) -> None:
    """Make `link_nodes` (number, document, url, host, site) and `link_leads` (hash of an address, number), once.

    Raises UsageError when the links of the run were read by a version that did not look where they stand.
    """
    if connection.select("SELECT 1 FROM duckdb_tables() WHERE table_name = 'link_nodes'"):
        return
    if not connection.select("SELECT 1 FROM (DESCRIBE links) WHERE column_name = 'aside'"):
        folder = run.project
        raise UsageError(
            "the links of {name} are of an earlier version",
            "read them again with: trasmallo clean {folder}",
            name=run.name,
            folder=folder,
        )
    connection.select("CREATE TABLE link_redirects (source VARCHAR, target VARCHAR)")
    _insert(connection, "link_redirects", _redirects(run))
    connection.select(_NODES)
    connection.select(_LEADS)
    for _ in range(_MOST_HOPS):
        if connection.select(_HOP) == [(0,)]:
            break
    _add_sites(connection)


def _redirects(run: Run) -> Iterator[tuple[str, str]]:
    """Addresses that lead elsewhere, as the catalog knows."""
    folder = run.project / "store" / "catalog"
    if not folder.exists():
        return
    with Catalog(folder, read_only=True) as catalog:
        if not run.manifest.base:
            found = catalog.of_run(run.catalogued, Outcome.REDIRECTED)
        else:
            known = catalog.of_runs(run_folders.lineage(run), Outcome.REDIRECTED)
            found = (fetch for fetch in known if fetch.outcome is Outcome.REDIRECTED)
        yield from ((fetch.url, fetch.location) for fetch in found)


def leads_elsewhere(run: Run, catalog: Catalog) -> bool:
    """Whether an address of a run leads to another than before, so that links lead elsewhere."""
    for fetch in catalog.of_run(run.catalogued, Outcome.REDIRECTED):
        before = catalog.at(fetch.url, math.nextafter(run.manifest.began, 0.0))
        if before is None or before.location != fetch.location:
            return True
    return False


def _add_sites(connection: Connection) -> None:
    """Number the registered domains of the pages' hosts."""
    connection.select("CREATE TABLE link_hosts (host VARCHAR, site VARCHAR)")
    hosts = [host for (host,) in connection.select("SELECT DISTINCT host FROM link_nodes ORDER BY host")]
    _insert(connection, "link_hosts", ((host, registered_domain(host)) for host in hosts))


def _insert(connection: Connection, table: str, rows: Iterable[tuple[str, str]]) -> None:
    waiting = iter(rows)
    while some := list(islice(waiting, _AT_ONCE)):
        first, second = zip(*some, strict=True)
        connection.insert(table, [first, second])

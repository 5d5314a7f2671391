"""The sites of a collection: how much there is of each, and which were taken out."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.store.left_out_sites import TAKEN_OUT, left_out_sites
from trasmallo.values.urls import host

_COUNTS = """
    SELECT host, count(*), count(*) FILTER (drop = ''), coalesce(sum(words) FILTER (drop = ''), 0)
    FROM pages WHERE host <> '' GROUP BY host"""


class SiteCount(msgspec.Struct, frozen=True, kw_only=True):
    """A site by its host: its pages, those that are documents of the collection, and their words.

    `taken_out` is since when it is out of the collection, 0 when it is in it; `pages` of such a one are those that it had.
    """

    host: str
    pages: int
    documents: int = 0
    words: int = 0
    taken_out: float = 0.0


def site_counts(tables: Tables, project: Path) -> list[SiteCount]:
    """Every site of a collection, the largest first, then those that were taken out."""
    tables.prepare("pages", "gone")
    found = [
        SiteCount(host=name, pages=pages, documents=documents, words=int(words))
        for name, pages, documents, words in tables.select(_COUNTS)
    ]
    left: dict[str, int] = {}
    for (url,) in tables.select("SELECT url FROM gone WHERE cause = ?", [TAKEN_OUT]):
        left[host(url)] = left.get(host(url), 0) + 1
    out = [
        SiteCount(host=name, pages=left.get(name, 0), taken_out=site.since) for name, site in left_out_sites(project).items()
    ]
    listed = {site.host for site in out}
    kept = sorted((site for site in found if site.host not in listed), key=lambda site: (-site.pages, site.host))
    return [*kept, *sorted(out, key=lambda site: site.host)]

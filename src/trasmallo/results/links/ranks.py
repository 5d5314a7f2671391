"""Ranks of documents by their links: the table, and questions with a topic, another surprise button or other links.

While a run goes on, ranks are those of the documents that are there. The last PageRank of a run is kept in its cache
(`ranks.npy`, 12 bytes a page): the next one begins there, and takes fewer steps the less has changed. Only at the end of the
run they are made anew, so that the same documents give the same figures to the last bit.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.results.database.connection import Connection
from trasmallo.results.links.addresses import prepare
from trasmallo.store.run_cache import cache_of, make_cache
from trasmallo.store.run_folders import Run
from trasmallo.study.graph.graph import Graph
from trasmallo.study.graph.hits import hits
from trasmallo.study.graph.pagerank import Ranking, pagerank
from trasmallo.values.arrays import Array
from trasmallo.values.atomic_files import drafted
from trasmallo.values.errors import StoreError

_FILE = "ranks.npy"
_KEPT = np.dtype([("document", "<u8"), ("rank", "<f4")])

_LINKS = """
    SELECT s.number AS source, d.number AS target
    FROM links l JOIN link_nodes s ON s.document = l.document JOIN link_leads d ON d.key = hash(l.url)
    WHERE l.aside = '' AND s.number <> d.number AND NOT list_contains(?, l.place)"""
_DANGLING = """
    SELECT s.number AS number, count(*) AS links FROM links l JOIN link_nodes s ON s.document = l.document
    WHERE l.aside = '' AND hash(l.url) NOT IN (SELECT key FROM link_leads) GROUP BY ALL"""
_SITES = """
    SELECT dense_rank() OVER (ORDER BY h.site) AS site FROM link_nodes n JOIN link_hosts h USING (host) ORDER BY n.number"""
_TABLE = """
    SELECT n.url, v.pagerank, v.inlinks_own, v.inlinks_foreign, v.outlinks, v.dangling, v.hub, v.authority, n.document
    FROM link_ranks v JOIN link_nodes n USING (number)"""


class Web(msgspec.Struct, frozen=True):
    """The documents of a run as a graph. `sites` has a number for the registered domain of each."""

    graph: Graph
    sites: Array

    @property
    def foreign(self) -> Graph:
        """The links between sites alone."""
        sources, targets = self.graph.ends()
        apart = self.sites[sources] != self.sites[targets]
        return Graph(sources[apart], targets[apart], self.graph.size)


def read_web(connection: Connection, run: Run, without: tuple[str, ...] = ()) -> Web:
    """The links that count; `without` are places of links that are set aside too."""
    prepare(connection, run)
    ((size,),) = connection.select("SELECT count(*) FROM link_nodes")
    links = connection.arrays(_LINKS, [list(without)])
    return Web(Graph(links["source"], links["target"], size), connection.arrays(_SITES)["site"])


def make(connection: Connection, run: Run) -> str:
    """The SQL of `ranks`, whose figures are computed now."""
    web = read_web(connection, run)
    graph, size = web.graph, web.graph.size
    found, ranking = hits(graph), rank_again(connection, run, graph)
    foreign = web.foreign.inlinks
    dangling = np.zeros(size, np.int64)
    loose = connection.arrays(_DANGLING)
    dangling[loose["number"]] = loose["links"]
    figures: dict[str, Array] = {
        "number": np.arange(size, dtype=np.uint32),
        "pagerank": ranking.values,
        "inlinks_own": graph.inlinks - foreign,
        "inlinks_foreign": foreign,
        "outlinks": graph.outlinks,
        "dangling": dangling,
        "hub": found.hubs,
        "authority": found.authorities,
    }
    connection.keep("link_ranks", figures)
    return _TABLE


def rank_again(connection: Connection, run: Run, graph: Graph) -> Ranking:
    """The PageRank of all documents, begun at the last one of the run if there is one, and kept for the next."""
    documents = _document_numbers(connection)
    ranking = pagerank(graph, start=_previous(previous_ranks(run), documents))
    _keep(make_cache(run) / _FILE, documents, ranking.values)
    return ranking


def previous_ranks(run: Run) -> Path:
    """Where the last PageRank of a run's documents is, with which the next one begins."""
    return cache_of(run) / _FILE


def forget_ranks(run: Run) -> None:
    """Let the next PageRank begin anew."""
    previous_ranks(run).unlink(missing_ok=True)


def _document_numbers(connection: Connection) -> NDArray[np.uint64]:
    query = "SELECT hash(document) AS document FROM link_nodes ORDER BY number"
    found: NDArray[np.uint64] = connection.arrays(query)["document"]
    return found


def _previous(path: Path, documents: NDArray[np.uint64]) -> NDArray[np.float64] | None:
    """What is known of these documents; new ones begin at the mean. None when nothing is, or the file is damaged."""
    try:
        kept = np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    if kept.dtype != _KEPT or not len(kept) or not len(documents):
        return None
    places = np.minimum(np.searchsorted(kept["document"], documents), len(kept) - 1)
    known = kept["document"][places] == documents
    return np.where(known, kept["rank"][places], kept["rank"].mean()).astype(np.float64) if known.any() else None


def _keep(path: Path, documents: NDArray[np.uint64], values: NDArray[np.float64]) -> None:
    """Write the ranks in the order of their documents; a disk that refuses costs some steps next time, nothing else."""
    order = np.argsort(documents)
    kept = np.empty(len(documents), _KEPT)
    kept["document"], kept["rank"] = documents[order], values[order]
    with suppress(OSError, StoreError), drafted(path, contested=True) as draft, draft.open("wb") as file:
        np.save(file, kept)

"""Small graphs out of large tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.tables import Tables
from trasmallo.results.graphs import collocation_graph, link_graph
from trasmallo.results.rows import LinkRow, PageRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.values.errors import UsageError

URLS = [f"http://a.es/{name}" for name in "abcd"]
IDS = [document_id(url) for url in URLS]


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    pairs = [(0, 1), (0, 2), (3, 0), (1, 2), (0, 0)]
    rows = {
        "pages": [
            PageRow(name, url, "a.es", 1.0, url[-1], "es", "utf-8", "text/html", 1, "x")
            for name, url in zip(IDS, URLS, strict=True)
        ],
        "links": [LinkRow(IDS[source], URLS[target], "x", "") for source, target in pairs]
        + [LinkRow(IDS[0], "http://elsewhere.es/", "y", "")],
    }
    write_part(run.parts, "1", rows)
    return Tables(run)


def test_links_round_a_document(tables: Tables) -> None:
    with tables:
        graph = link_graph(tables, IDS[0])
        with pytest.raises(UsageError, match="no document"):
            link_graph(tables, "nobody")
    assert graph.centre == 0
    assert {node.title for node in graph.nodes} == {"a", "b", "c", "d"}
    named = {(graph.nodes[edge.source].title, graph.nodes[edge.target].title) for edge in graph.edges}
    assert named == {("a", "b"), ("a", "c"), ("d", "a"), ("b", "c")}


def test_a_measure_that_does_not_exist(tables: Tables) -> None:
    with tables, pytest.raises(UsageError, match="measure"):
        collocation_graph(tables, measure="1; DROP TABLE words")


def test_a_corpus_without_pairs_has_an_empty_graph(tables: Tables) -> None:
    with tables:
        assert collocation_graph(tables, "casa").nodes == ()

"""PageRank: the textbook's figures, its treatment of sinks, and the bound that is promised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from trasmallo.study.graph.graph import Graph
from trasmallo.study.graph.pagerank import PageRankOptions, pagerank

THREE = Graph([0, 0, 1, 2], [1, 2, 2, 0], 3)
"""The textbook's web (figure 4.10): A links to B and C, B to C, C to A."""


def exact(graph: Graph, surprise: float, lands: NDArray[np.float64]) -> NDArray[np.float64]:
    """The solution by linear algebra, from the textbook's formula: a page without links leads where the button does."""
    matrix = graph.by_source.toarray()
    sinks = matrix.sum(axis=1) == 0
    matrix[sinks] = lands
    matrix /= matrix.sum(axis=1, keepdims=True)
    found: NDArray[np.float64] = np.linalg.solve(np.eye(graph.size) - (1 - surprise) * matrix.T, surprise * lands)
    return found


def test_the_textbooks_web_without_the_button() -> None:
    found = pagerank(THREE, PageRankOptions(surprise=0))
    assert found.values == pytest.approx([0.4, 0.2, 0.4], abs=1e-6)


def test_the_textbooks_web_with_the_button() -> None:
    found = pagerank(THREE).values
    assert found.sum() == pytest.approx(1)
    assert found[2] == pytest.approx(0.15 / 3 + 0.85 * (found[0] / 2 + found[1]), abs=1e-6)


@given(
    st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=70),
    st.floats(0.02, 0.9),
    st.one_of(st.none(), st.sets(st.integers(0, 14), min_size=1)),
)
def test_the_distance_to_the_solution_is_within_the_tolerance(
    links: list[tuple[int, int]], surprise: float, topic: set[int] | None
) -> None:
    graph = Graph([source for source, _ in links], [target for _, target in links], 15)
    lands = np.full(15, 1 / 15)
    if topic is not None:
        lands = np.isin(np.arange(15), list(topic)) / len(topic)
    pages = None if topic is None else np.array(sorted(topic), np.int32)
    found = pagerank(graph, PageRankOptions(surprise), topic=pages)
    assert np.abs(found.values - exact(graph, surprise, lands)).sum() <= found.distance + 1e-9
    assert found.distance <= 1e-6
    assert (found.values >= 0).all()


def test_networkx_agrees_on_ten_thousand_pages() -> None:
    networkx = pytest.importorskip("networkx")
    chance = np.random.default_rng(7)
    sources, targets = chance.integers(0, 10_000, 60_000), (chance.random(60_000) ** 3 * 10_000).astype(int)
    peer = networkx.DiGraph()
    peer.add_nodes_from(range(10_000))
    peer.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    expected = networkx.pagerank(peer, tol=1e-13, max_iter=500)
    found = pagerank(Graph(sources, targets, 10_000)).values
    assert np.abs(found - np.array([expected[page] for page in range(10_000)])).sum() <= 1e-6


def chains(pages: int) -> Graph:
    """Sites of a hundred pages in a row, each page linking to the next and to its site's first."""
    numbers = np.arange(pages)
    return Graph(np.r_[numbers, numbers], np.r_[(numbers + 1) % pages, numbers // 100 * 100], pages)


def test_an_earlier_ranking_is_a_shorter_way_to_the_same() -> None:
    chance = np.random.default_rng(3)
    sources, targets = chance.integers(0, 2_000, 8_000), (chance.random(8_000) ** 2 * 2_000).astype(int)
    before = pagerank(Graph(sources[:-20], targets[:-20], 2_000)).values
    graph = Graph(sources, targets, 2_000)
    cold, warm = pagerank(graph), pagerank(graph, start=before)
    assert warm.steps < cold.steps
    assert np.abs(warm.values - cold.values).sum() <= 2e-6


@pytest.mark.parametrize("start", [[np.nan, -1.0, np.inf], [0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [1e308, 1e308, 1e308]])
def test_any_start_will_do(start: list[float]) -> None:
    assert pagerank(THREE, start=np.array(start)).values == pytest.approx(pagerank(THREE).values, abs=2e-6)


def test_without_pages_or_links() -> None:
    assert pagerank(Graph([], [], 0)).values.tolist() == []
    assert pagerank(Graph([], [], 1)).values.tolist() == [1]
    assert pagerank(Graph([], [], 4)).values == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("surprise", [0, 0.15])
def test_circles_settle(surprise: float) -> None:
    pair = pagerank(Graph([0, 1], [1, 0], 2), PageRankOptions(surprise), start=np.array([1.0, 0.0]))
    assert pair.values == pytest.approx([0.5, 0.5], abs=1e-6)


def test_pages_that_all_lead_nowhere_rank_by_their_links_alone() -> None:
    star = pagerank(Graph(np.zeros(999, int), np.arange(1, 1000), 1000)).values
    assert star[1:] == pytest.approx(star[1], abs=1e-9)
    assert star[1] > star[0]


def test_long_ways_are_walked_to_the_end() -> None:
    found = pagerank(chains(1_000))
    assert found.distance <= 1e-6
    assert found.values == pytest.approx(exact(chains(1_000), 0.15, np.full(1_000, 1e-3)), abs=1e-7)


@pytest.mark.parametrize("surprise", [-0.1, 1.0, float("nan")])
def test_no_probability(surprise: float) -> None:
    with pytest.raises(ValueError, match="surprise"):
        pagerank(THREE, PageRankOptions(surprise))


@pytest.mark.parametrize("topic", [[], [3], [-1]])
def test_no_topic(topic: list[int]) -> None:
    with pytest.raises(ValueError, match="topic"):
        pagerank(THREE, topic=np.array(topic, np.int32))


def test_no_start() -> None:
    with pytest.raises(ValueError, match="start of 2"):
        pagerank(THREE, start=np.ones(2))

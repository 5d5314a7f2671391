"""Hubs and authorities: Kleinberg's iteration is the judge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from trasmallo.study.graph.graph import Graph
from trasmallo.study.graph.hits import Bounds, hits, neighbourhood


def iterated(graph: Graph, rounds: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Hubs and authorities as Kleinberg defines them."""
    matrix = graph.by_source.toarray()
    authorities = np.ones(graph.size)
    for _ in range(rounds):
        authorities = matrix.T @ (matrix @ authorities)
        authorities /= authorities.sum()
    hubs = matrix @ authorities
    return hubs / hubs.sum(), authorities


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=30))
def test_the_iteration_ends_where_we_are(links: list[tuple[int, int]]) -> None:
    graph = Graph([source for source, _ in links], [target for _, target in links], 9)
    found = hits(graph)
    hubs, authorities = iterated(graph, 4_000)
    assert np.abs(found.authorities - authorities).sum() <= 1e-5
    assert np.abs(found.hubs - hubs).sum() <= 1e-5


def test_a_hub_and_its_authorities() -> None:
    found = hits(Graph([0, 0, 0, 4], [1, 2, 3, 3], 5))
    assert found.hubs.argmax() == 0
    assert found.authorities.argmax() == 3
    assert found.hubs.sum() == pytest.approx(1)
    assert found.authorities.sum() == pytest.approx(1)


def test_groups_of_equal_strength_share_evenly() -> None:
    found = hits(Graph([0, 3], [1, 2], 4))
    assert found.authorities.tolist() == pytest.approx([0, 0.5, 0.5, 0])


def test_networkx_agrees_on_ten_thousand_pages() -> None:
    networkx = pytest.importorskip("networkx")
    chance = np.random.default_rng(7)
    sources, targets = chance.integers(0, 10_000, 60_000), (chance.random(60_000) ** 3 * 10_000).astype(int)
    peer = networkx.DiGraph()
    peer.add_nodes_from(range(10_000))
    peer.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    hubs, authorities = networkx.hits(peer, tol=1e-12)
    found = hits(Graph(sources, targets, 10_000))
    assert np.abs(found.hubs - np.array([hubs[page] for page in range(10_000)])).sum() <= 1e-6
    assert np.abs(found.authorities - np.array([authorities[page] for page in range(10_000)])).sum() <= 1e-6


def test_without_links_nobody_is_anything() -> None:
    for size in (0, 3):
        found = hits(Graph([], [], size))
        assert found.hubs.tolist() == found.authorities.tolist() == [0.0] * size


def test_a_neighbourhood_has_both_directions() -> None:
    graph = Graph([0, 1, 2, 5], [1, 2, 3, 4], 6)
    assert neighbourhood(graph, np.array([1], np.int32)).tolist() == [1, 0, 2]


def test_a_neighbourhood_is_bounded() -> None:
    many = np.arange(1, 1_001)
    graph = Graph(np.r_[np.zeros(1_000, int), many], np.r_[many, np.zeros(1_000, int)], 1_001)
    root = np.array([0], np.int32)
    assert len(neighbourhood(graph, root, Bounds(inward=10, pages=100))) == 100
    assert neighbourhood(graph, root, Bounds(pages=3))[0] == 0
    assert len(neighbourhood(graph, many.astype(np.int32), Bounds(roots=5))) == 6

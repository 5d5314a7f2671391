"""Graphs of links: each link once, however it is written."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.graph.graph import Graph

LINKS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=60)


@given(LINKS)
def test_every_link_counts_once(links: list[tuple[int, int]]) -> None:
    graph = Graph([source for source, _ in links], [target for _, target in links], 12)
    sources, targets = graph.ends()
    assert set(zip(sources.tolist(), targets.tolist(), strict=True)) == set(links)
    assert graph.links == len(set(links)) == graph.inlinks.sum() == graph.outlinks.sum()
    assert (graph.by_source.toarray() == graph.by_target.toarray().T).all()


@given(LINKS)
def test_a_matrix_and_its_links_are_the_same_graph(links: list[tuple[int, int]]) -> None:
    graph = Graph([source for source, _ in links], [target for _, target in links], 12)
    again = Graph.of_matrix(sp.csr_array(graph.by_source))
    assert (again.by_target.toarray() == graph.by_target.toarray()).all()


def test_a_page_that_links_to_itself_a_hundred_thousand_times() -> None:
    graph = Graph(np.zeros(100_000, int), np.zeros(100_000, int), 1)
    assert graph.links == 1


def test_a_part_keeps_the_order_that_is_asked_for() -> None:
    graph = Graph([0, 1, 2, 3], [1, 2, 3, 0], 4).part(np.array([3, 2], np.int32))
    assert graph.by_source.toarray().tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize(("sources", "targets", "size"), [([0], [2], 2), ([-1], [0], 2), ([0, 1], [0], 2), ([], [], 2**31)])
def test_what_is_no_graph_is_refused(sources: list[int], targets: list[int], size: int) -> None:
    with pytest.raises(ValueError, match=r"page|sources"):
        Graph(sources, targets, size)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import collocations
from trasmallo.study.association import ContingencyTable
from trasmallo.study.category_patterns import Spans
from trasmallo.study.collocations import (
    CollocationOptions,
    CollocationWindow,
    Pairs,
    find_collocations,
    pairs_of_spans,
)
from trasmallo.study.sequence_bounds import Bounds

Counts = dict[tuple[int, int], tuple[int, int, int]]

columns = st.lists(st.integers(0, 4), max_size=40)
cuts = st.sets(st.integers(1, 39), max_size=4)
masks = st.none() | st.lists(st.booleans(), min_size=5, max_size=5).map(np.array)
options = st.builds(
    CollocationOptions,
    window=st.builds(CollocationWindow, st.integers(0, 3), st.integers(0, 3)),
    least=st.integers(1, 3),
    allowed=masks,
    nodes=masks,
    collocates=masks,
)


def bounds_of(drawn: list[int], sentences: set[int]) -> Bounds:
    return Bounds(np.array([0, len(drawn)]), np.array(sorted(cut for cut in sentences if cut < len(drawn)), dtype=np.int64))


def slots(
    drawn: list[int], sentences: set[int], window: CollocationWindow, allowed: np.ndarray | None
) -> list[tuple[int, int]]:
    """(place of the node, place of the collocate), one by one."""
    good = [allowed is None or bool(allowed[number]) for number in drawn]
    return [
        (node, other)
        for node in range(len(drawn))
        for other in range(max(node - window.left, 0), min(node + window.right + 1, len(drawn)))
        if node != other and good[node] and good[other]
        if not any(min(node, other) < cut <= max(node, other) for cut in sentences)
    ]


def told(mask: np.ndarray | None, number: int) -> bool:
    return mask is None or bool(mask[number])


def as_counts(pairs: Pairs) -> Counts:
    table = pairs.table
    values = zip(table.joint.tolist(), table.first.tolist(), table.second.tolist(), strict=True)
    return dict(zip(zip(pairs.node.tolist(), pairs.collocate.tolist(), strict=True), values, strict=True))


def together(found: Iterable[Pairs]) -> Pairs:
    every = list(found)
    node, collocate = (np.concatenate([some[place] for some in every]) for place in range(2))
    cells = (np.concatenate([getattr(some.table, name) for some in every]) for name in ("joint", "first", "second"))
    return Pairs(node, collocate, ContingencyTable(*cells, every[0].table.total))


def by_force(drawn: list[int], sentences: set[int], chosen: CollocationOptions) -> tuple[Counts, int]:
    found = [(drawn[node], drawn[other]) for node, other in slots(drawn, sentences, chosen.window, chosen.allowed)]
    joint, nodes, others = Counter(found), Counter(node for node, _ in found), Counter(other for _, other in found)
    counts = {
        (node, other): (count, nodes[node], others[other])
        for (node, other), count in sorted(joint.items())
        if count >= chosen.least and told(chosen.nodes, node) and told(chosen.collocates, other)
    }
    return counts, len(found)


@settings(max_examples=150, deadline=None)
@given(columns, cuts, options)
def test_pairs_are_those_of_brute_force(drawn: list[int], sentences: set[int], chosen: CollocationOptions) -> None:
    pairs = together(find_collocations(np.array(drawn, dtype=np.uint32), bounds_of(drawn, sentences), chosen))
    counts, total = by_force(drawn, sentences, chosen)
    assert (as_counts(pairs), pairs.table.total) == (counts, total)
    strength = pairs.measures().log_dice.tolist()
    ranked = list(
        zip((-one for one in strength), (-count for count in pairs.table.joint.tolist()), as_counts(pairs), strict=True)
    )
    assert ranked == sorted(ranked)


def test_sorting_in_small_portions_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collocations, "AT_ONCE", 7)
    drawn = np.random.default_rng(3).integers(0, 9, 400).astype(np.uint32)
    chosen = CollocationOptions(window=CollocationWindow(2, 4), least=2)
    pairs = together(find_collocations(drawn, bounds_of(drawn.tolist(), {20, 200}), chosen, together=50))
    assert (as_counts(pairs), pairs.table.total) == by_force(drawn.tolist(), {20, 200}, chosen)


def test_measures_rank_what_belongs_together() -> None:
    drawn = [0, 1, 2, 0, 3, 4, 0, 1, 2, 3, 0, 1, 2]
    pairs = together(
        find_collocations(np.array(drawn), bounds_of(drawn, set()), CollocationOptions(window=CollocationWindow(0, 1), least=1))
    )
    measures = pairs.measures()
    best = pairs.ranked(measures.log_dice)[0]
    assert (pairs.node[best], pairs.collocate[best], measures.log_dice[best]) == (1, 2, 14.0)
    assert measures.delta_p[best] == measures.delta_p_back[best] == 1.0


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=4, max_size=30),
    st.sets(st.tuples(st.integers(0, 26), st.integers(1, 3))),
    st.integers(1, 2),
)
def test_ends_of_spans(drawn: list[int], spans: set[tuple[int, int]], least: int) -> None:
    column = np.array(drawn, dtype=np.uint32)
    inside = sorted((first, length) for first, length in spans if first + length <= len(drawn))
    ends = [(drawn[first], drawn[first + length - 1]) for first, length in inside]
    first, length = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    parted = [Spans(first[:2], length[:2]), Spans(first[2:], length[2:])]
    pairs, examples = pairs_of_spans(column, parted, least, examples=2, together=10)
    joint, firsts, lasts = Counter(ends), Counter(one for one, _ in ends), Counter(other for _, other in ends)
    kept = {pair: count for pair, count in sorted(joint.items()) if count >= least}
    assert as_counts(pairs) == {pair: (count, firsts[pair[0]], lasts[pair[1]]) for pair, count in kept.items()}
    places = [[first for (first, _), end in zip(inside, ends, strict=True) if end == pair] for pair in kept]
    assert examples.tolist() == [[*found, -1][:2] for found in places]

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.query.hits import NO_HITS, NO_LABELS, QueryHits, around, inside, kept, ordered

spans = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), max_size=12)


def hits_of(found: list[tuple[int, int]]) -> QueryHits:
    first, length = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return ordered(QueryHits(first, length, NO_LABELS))


def listed(hits: QueryHits) -> list[tuple[int, int]]:
    return list(zip(hits.first.tolist(), hits.length.tolist(), strict=True))


@given(spans)
def test_hits_come_in_order_and_once(found: list[tuple[int, int]]) -> None:
    assert listed(hits_of(found)) == sorted(set(found))


@given(spans)
def test_the_longest_and_the_shortest_of_those_that_begin_together(found: list[tuple[int, int]]) -> None:
    hits = hits_of(found)
    longest = {first: max(length for at, length in found if at == first) for first, _ in found}
    shortest = {first: min(length for at, length in found if at == first) for first, _ in found}
    assert dict(listed(kept(hits, "longest"))) == longest
    assert dict(listed(kept(hits, "shortest"))) == shortest
    assert listed(kept(hits, "all")) == listed(hits)


@given(spans, spans)
def test_what_lies_in_what(found: list[tuple[int, int]], others: list[tuple[int, int]]) -> None:
    hits, outer = hits_of(found), hits_of(others)
    pairs = [(first, first + length) for first, length in listed(hits)]
    areas = [(first, first + length) for first, length in listed(outer)]
    assert inside(hits, outer).tolist() == [any(low <= one and two <= high for low, high in areas) for one, two in pairs]
    assert around(hits, outer).tolist() == [any(one <= low and high <= two for low, high in areas) for one, two in pairs]


def test_choices_of_labelled_tokens_are_told_apart_and_the_first_is_kept() -> None:
    labels = np.array([[5, 4, 5]])
    hits = ordered(QueryHits(np.array([3, 3, 3]), np.array([4, 4, 4]), labels))
    assert hits.labels.tolist() == [[4, 5]]
    assert kept(hits, "all").labels.tolist() == [[4]]
    assert kept(hits, "longest").labels.tolist() == [[4]]
    assert len(NO_HITS) == 0
    assert len(kept(NO_HITS, "longest")) == 0

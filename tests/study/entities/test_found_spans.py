"""Layers of spans, flattened."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.entities.found_spans import RANKS, FoundSpan, flattened


def test_the_first_layer_stays() -> None:
    model, rule = FoundSpan(0, 9, "PER", "", "model"), FoundSpan(4, 6, "DATE", "", "rule")
    human = FoundSpan(5, 7, "DRUG", "", "human")
    assert flattened([model, rule]) == [rule]
    assert flattened([model, rule, human]) == [human]


def test_of_one_layer_the_longer_stays() -> None:
    assert flattened([FoundSpan(0, 3, "LOC", ""), FoundSpan(0, 8, "ORG", "")]) == [FoundSpan(0, 8, "ORG", "")]


spans = st.builds(
    lambda start, size, source: FoundSpan(start, start + size, "X", "", source),
    st.integers(0, 40),
    st.integers(1, 9),
    st.sampled_from(sorted(RANKS)),
)


@given(st.lists(spans))
def test_none_overlap_and_each_lost_one_met_another(found: list[FoundSpan]) -> None:
    kept = flattened(found)
    assert all(one.end <= after.start for one, after in pairwise(kept))
    assert all(any(one.start < other.end and other.start < one.end for other in kept) for one in found)

"""What rules find: a stretch of text with its kind and value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class FoundSpan(NamedTuple):
    """Where something stands in a text, its kind, its value ("" for none), who says so and how sure it is (0 to 1)."""

    start: int
    end: int
    kind: str
    value: str
    source: str = "rule"
    score: float = 1.0


RANKS = {"human": 0, "list": 1, "pattern": 1, "rule": 2, "trained": 3, "model": 4}
"""Who is believed before whom where two disagree: a person, the person's own lists and patterns, our rules, a model that the
person trained, ours."""


def flattened(spans: Iterable[FoundSpan]) -> list[FoundSpan]:
    """Those that do not overlap, in order: of two that do, that of the first layer stays, then the longer, then the surer."""
    ordered = sorted(spans, key=lambda one: (RANKS[one.source], one.start - one.end, -one.score, one.source, one.start))
    taken: list[FoundSpan] = []
    covered: set[int] = set()
    for one in ordered:
        places = range(one.start, one.end)
        if covered.isdisjoint(places):
            covered.update(places)
            taken.append(one)
    return sorted(taken)

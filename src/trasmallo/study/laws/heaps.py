"""Heaps' law: how a vocabulary grows with the text, v = k n ** beta (textbook, 4.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import msgspec

_SETTLED = 1_000
"""Words before which the law is known not to hold (textbook, 4.2.1)."""


class Growth(msgspec.Struct, frozen=True):
    """How far a corpus had grown after some documents: occurrences of words, and different ones."""

    documents: int
    words: int
    types: int


class Heaps(msgspec.Struct, frozen=True):
    """The fitted law; `fit` is the share of the variance of ln v that it explains, 1 at best."""

    k: float
    beta: float
    fit: float

    def types(self, words: float) -> float:
        """The different words that the law expects in so many words."""
        return float(self.k * words**self.beta)


def fit_heaps(points: Sequence[Growth]) -> Heaps | None:
    """The law by least squares between logarithms; None where there are fewer than two sizes of text.

    The sizes of one growing corpus depend on each other, so there is no likelihood to maximise; logarithms give each order of
    magnitude the same weight when the points lie evenly on a logarithmic scale. Points below 1,000 words do not count, unless
    all of them are.
    """
    used = [point for point in points if point.words >= _SETTLED and point.types]
    used = used if len({point.words for point in used}) > 1 else [point for point in points if point.types]
    sizes, grown = [log(point.words) for point in used], [log(point.types) for point in used]
    if len(set(sizes)) < 2:
        return None
    middle, level = sum(sizes) / len(sizes), sum(grown) / len(grown)
    spread = sum((size - middle) ** 2 for size in sizes)
    beta = sum((size - middle) * (types - level) for size, types in zip(sizes, grown, strict=True)) / spread
    away = sum((types - level - beta * (size - middle)) ** 2 for size, types in zip(sizes, grown, strict=True))
    all_ = sum((types - level) ** 2 for types in grown)
    return Heaps(exp(level - beta * middle), beta, 1 - away / all_ if all_ else 1.0)

"""Zipf's law, Mandelbrot's form of it, and the shares of words by frequency (textbook, 4.2).

Everything is computed from the spectrum, how many words have each frequency: a few thousand numbers for the largest corpus.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import exp, expm1, lgamma, log, log1p

import msgspec
import numpy as np
from numpy.typing import NDArray

_Series = NDArray[np.float64]

_SUMMED = 2_000
"""Terms of a sum that are added one by one; the others follow from the Euler-Maclaurin formula to some 12 digits."""

_LARGEST_SHIFT = 10_000.0
"""The largest shift of ranks that is tried. Judgement: far above those of any language."""
_ALPHAS = (0.01, 6.0)
"""Between which exponents the best one is looked for. Judgement: languages have about 1."""
_STEPS = 48
"""Steps of a search by the golden section: the interval shrinks to 1e-10 of itself."""
_GOLDEN = 0.6180339887498949
"""The golden section."""


class Spectrum(msgspec.Struct, frozen=True):
    """How many words (`words[i]`) occur `frequencies[i]` times, from the most frequent to the rarest."""

    frequencies: tuple[int, ...]
    words: tuple[int, ...]

    @property
    def types(self) -> int:
        """Different words."""
        return sum(self.words)

    @property
    def total(self) -> int:
        """Occurrences of words."""
        return sum(frequency * words for frequency, words in zip(self.frequencies, self.words, strict=True))

    @property
    def hapax(self) -> int:
        """Words that occur once."""
        return self.words[-1] if self.frequencies and self.frequencies[-1] == 1 else 0

    def last_ranks(self) -> list[int]:
        """The rank of the last word of each frequency."""
        return list(accumulate(self.words))

    def frequency_of(self, rank: int) -> int:
        """The frequency of the word of a rank, counted from 1."""
        return self.frequencies[bisect_left(self.last_ranks(), rank)]


class Mandelbrot(msgspec.Struct, frozen=True):
    """P(r) = gamma / (r + beta) ** alpha, for ranks up to `types`.

    `distance` is the largest difference between the share of the text that the most frequent words make up and the one that
    the law gives them (Kolmogorov and Smirnov), from 0 to 1.
    """

    alpha: float
    beta: float
    gamma: float
    distance: float

    def probability(self, rank: float) -> float:
        """What the law expects of a rank."""
        return float(self.gamma * (rank + self.beta) ** -self.alpha)


class Share(msgspec.Struct, frozen=True):
    """Words that occur n times: how many there are and their share of the k different words, beside what Zipf's law predicts.

    `expected` words are k / (n (n + 1)), `predicted` is their share.
    """

    occurrences: int
    words: int
    expected: float
    share: float
    predicted: float


def from_pairs(pairs: Iterable[tuple[int, int]]) -> Spectrum:
    """A spectrum of (frequency, words) in any order."""
    ordered = sorted(pairs, reverse=True)
    return Spectrum(tuple(int(pair[0]) for pair in ordered), tuple(int(pair[1]) for pair in ordered))


def shares(found: Spectrum, most: int = 10) -> list[Share]:
    """The words that occur 1 to `most` times against the prediction (textbook, table 4.5)."""
    known = dict(zip(found.frequencies, found.words, strict=True))
    types = found.types or 1
    steps = ((n, known.get(n, 0), 1 / (n * (n + 1))) for n in range(1, most + 1))
    return [Share(n, words, found.types * predicted, words / types, predicted) for n, words, predicted in steps]


def constant(found: Spectrum, ranks: int = 50) -> float:
    """The C of r.P = C: its mean over the first ranks (textbook, table 4.2: about 0.1 in English); 0 for an empty text."""
    ranks = min(ranks, found.types)
    total = found.total
    return sum(rank * found.frequency_of(rank) / total for rank in range(1, ranks + 1)) / ranks if ranks else 0.0


def fit_mandelbrot(found: Spectrum) -> Mandelbrot | None:
    """Mandelbrot's parameters by maximum likelihood; None for fewer than three different words.

    Each occurrence of a word is taken as drawn by the law. Least squares between logarithms, which many use instead, gives each
    rank the same weight: in a large corpus nine tenths of the ranks are words that occur a few times, in long steps, and they
    alone decide. The likelihood weighs a rank by its occurrences, as the law itself does.
    """
    total, types = found.total, found.types
    if types < 3:
        return None

    def best_alpha(shift: float) -> tuple[float, float]:
        beta = expm1(shift)
        logs = _sum_of_logs(found, beta)
        return _maximise(lambda alpha: -alpha * logs - total * log(_norm(alpha, beta, types)), *_ALPHAS)

    shift, _ = _maximise(lambda shift: best_alpha(shift)[1], 0.0, log1p(_LARGEST_SHIFT))
    alpha, beta = best_alpha(shift)[0], expm1(shift)
    gamma = 1 / _norm(alpha, beta, types)
    return Mandelbrot(alpha, beta, gamma, _distance(found, alpha, beta))


def log_spaced(most: int, points: int = 200) -> list[int]:
    """Ranks from 1 to the last one at equal distances on a logarithmic scale."""
    return sorted({round(exp(log(max(most, 1)) * step / (points - 1))) for step in range(points)} if most else ())


def _sum_of_logs(found: Spectrum, beta: float) -> float:
    """The sum of ln(r + beta) over all occurrences."""
    total, rank = 0.0, 0
    below = lgamma(1 + beta)
    for frequency, words in zip(found.frequencies, found.words, strict=True):
        rank += words
        above = lgamma(rank + 1 + beta)
        total += frequency * (above - below)
        below = above
    return total


def _norm(alpha: float, beta: float, types: int) -> float:
    """The sum of (r + beta) ** -alpha over the ranks 1 to `types`."""
    return float(_partial_norms(alpha, beta, [types])[0])


def _partial_norms(alpha: float, beta: float, lasts: Sequence[int]) -> _Series:
    """The same sum up to each of some ranks."""
    ends = np.asarray(lasts, float)
    first = np.cumsum((np.arange(1, _SUMMED + 1) + beta) ** -alpha)
    near = first[np.minimum(ends, _SUMMED).astype(int) - 1]
    low, high = _SUMMED + beta, np.maximum(ends, _SUMMED) + beta
    return np.asarray(near + _tail(alpha, low, high), float)


def _tail(alpha: float, low: float, high: _Series) -> _Series:
    """The sum of x ** -alpha for x from low + 1 to high in steps of 1 (Euler and Maclaurin)."""
    whole = np.log(high / low) if abs(alpha - 1) < 1e-12 else (high ** (1 - alpha) - low ** (1 - alpha)) / (1 - alpha)
    ends = (high**-alpha - low**-alpha) / 2
    slopes = alpha * (low ** (-alpha - 1) - high ** (-alpha - 1)) / 12
    return np.asarray(whole + ends + slopes, float)


def _distance(found: Spectrum, alpha: float, beta: float) -> float:
    lasts = found.last_ranks()
    seen = np.cumsum([frequency * words for frequency, words in zip(found.frequencies, found.words, strict=True)]) / found.total
    expected = _partial_norms(alpha, beta, lasts)
    return float(np.abs(seen - expected / expected[-1]).max())


def _maximise(value: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Where a function with one peak is highest, and how high, by golden sections."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(_STEPS):
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = value(right)
    return max(((left, at_left), (right, at_right), (low, value(low))), key=lambda pair: pair[1])

"""What is typical of a corpus against a reference: significance and size of each word's difference in frequency.

A word is whatever is counted: a form, a lemma, a category. `count` and `size` are those of the corpus, `reference` and
`reference_size` those of what it is compared with, sizes in words. The measures take numbers, or arrays of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from math import inf, log
from typing import Literal, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfc, xlogy

Measure = Literal["log_likelihood", "log_ratio", "least_ratio", "difference"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
_ABSENT = 0.5
"""What a word counts that does not occur, as A. Hardie (2014) proposes for the log ratio."""

_CONFIDENCE = 1.959963984540054
"""Standard errors to either side within which 95 of 100 normal values are."""

Floats = NDArray[np.float64]


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A word and how much more, or less (negative), frequent it is than in the reference.

    The log ratio is within `ratio_low` and `ratio_high` with 95 % confidence. `difference` is None for a word that the
    reference does not have. `p` is the probability of such a log-likelihood by chance, `adjusted` that corrected for how many
    words were tested: among the words up to this one, so large a share is expected to differ by chance alone. `documents` of
    the corpus have the word; 0 where nobody looked.
    """

    word: str
    count: int
    per_million: float
    reference: float
    reference_per_million: float
    log_ratio: float
    ratio_low: float
    ratio_high: float
    difference: float | None
    log_likelihood: float
    bayes: float
    p: float
    adjusted: float
    documents: int = 0


class KeynessLimits(msgspec.Struct, frozen=True):
    """Which words are worth showing: `least_count` in the corpus, an `adjusted` p no higher, a `bayes` factor no lower.

    `p` limits the corrected probability; a `bayes` of None is any. `negative` asks for words that are too rare instead of too
    frequent; these are as frequent as `least_count` in the corpus or in the reference.
    """

    least_count: int = 3
    p: float = 0.0001
    bayes: float | None = 2.0
    negative: bool = False


def log_likelihood(count: ArrayLike, size: float, reference: ArrayLike, reference_size: float) -> Floats:
    """G2 of a word, never negative: 3.84 is p < 0.05, 6.63 p < 0.01, 10.83 p < 0.001, 15.13 p < 0.0001.

    2 (O1 ln(O1 / E1) + O2 ln(O2 / E2)), as in P. Rayson and R. Garside, Comparing corpora using frequency profiling (2000).
    """
    seen, there = _floats(count), _floats(reference)
    share = (seen + there) / (size + reference_size)
    expected, expected_there = size * share, reference_size * share
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xlogy(seen, seen / expected) + xlogy(there, there / expected_there)
    told: Floats = np.maximum(2 * np.nan_to_num(found), 0.0)
    return told


def log_ratio(count: ArrayLike, size: float, reference: ArrayLike, reference_size: float) -> Floats:
    """The binary logarithm of the ratio of relative frequencies: 1 is twice as frequent, -1 half as (A. Hardie, 2014).

    A word that one side does not have counts there as half an occurrence.
    """
    return np.log2(_present(count) / size) - np.log2(_present(reference) / reference_size)


def ratio_margin(count: ArrayLike, size: float, reference: ArrayLike, reference_size: float) -> Floats:
    """How far the log ratio may be off to either side, with 95 % confidence: 1.96 standard errors of a ratio of two shares.

    Words are taken as if each occurred by itself, as the log-likelihood does: of one that is bunched in few documents less is
    known than this says.
    """
    variance = 1 / _present(count) - 1 / size + 1 / _present(reference) - 1 / reference_size
    return _CONFIDENCE * np.sqrt(np.maximum(variance, 0.0)) / log(2)


def difference(count: float, size: float, reference: float, reference_size: float) -> float | None:
    """%DIFF, the difference of relative frequencies in percent of the reference's (C. Gabrielatos and A. Marchi, 2012)."""
    return 100 * (count / size * reference_size / reference - 1) if reference else None


def bayes_factor(likelihood: ArrayLike, size: float, reference_size: float) -> Floats:
    """The Bayes factor's BIC for one degree of freedom: 2 to 6 positive, 6 to 10 strong, above very strong evidence.

    A. Wilson, Embracing Bayes factors for key item analysis in corpus linguistics (2013).
    """
    return _floats(likelihood) - log(size + reference_size)


def probability(likelihood: ArrayLike) -> Floats:
    """The p of a log-likelihood: the tail of chi squared with one degree of freedom."""
    found: Floats = erfc(np.sqrt(_floats(likelihood) / 2))
    return found


def adjusted_probabilities(probabilities: ArrayLike) -> Floats:
    """Each p corrected for how many tests were made (Y. Benjamini and Y. Hochberg, 1995): the share of false discoveries."""
    found = _floats(probabilities)
    order = np.argsort(found, kind="stable")
    scaled = found[order] * len(found) / np.arange(1, len(found) + 1)
    adjusted = np.empty_like(found)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def keywords(
    counts: Iterable[tuple[str, int]],
    size: int,
    reference: Mapping[str, float],
    *,
    measure: Measure = "log_likelihood",
    limits: KeynessLimits | None = None,
    number: int = 100,
) -> list[Key]:
    """The words of a corpus that differ most from a reference, by a measure, among those within the limits."""
    limits = limits or KeynessLimits()
    reference_size = sum(reference.values())
    if not size or not reference_size:
        return []
    tested = _tested(counts, reference, limits)
    if not tested.words:
        return []
    table = _Measured(tested, size, reference_size)
    chosen = np.flatnonzero(table.within(limits)).tolist()
    strength = table.strength(measure)
    best = nsmallest(number, chosen, key=lambda place: (-strength[place], tested.words[place]))
    return [table.row(place) for place in best]


class _Tested(msgspec.Struct, frozen=True):
    """Words that are compared, how often the corpus and the reference have them."""

    words: Sequence[str]
    counts: Floats
    references: Floats


def _tested(counts: Iterable[tuple[str, int]], reference: Mapping[str, float], limits: KeynessLimits) -> _Tested:
    """The words that are frequent enough to be tested."""
    rows = [(word, count, reference.get(word, 0.0)) for word, count in counts]
    least = limits.least_count
    rows = [row for row in rows if row[1] >= least or (limits.negative and row[2] >= least)]
    return _Tested([row[0] for row in rows], _floats([row[1] for row in rows]), _floats([row[2] for row in rows]))


class _Measured:
    """All measures of the words that are compared, as columns."""

    def __init__(self, tested: _Tested, size: float, reference_size: float) -> None:
        self._tested = tested
        self._sizes = size, reference_size
        sides = tested.counts, size, tested.references, reference_size
        self._likelihood = log_likelihood(*sides)
        self._ratio = log_ratio(*sides)
        self._margin = ratio_margin(*sides)
        self._bayes = bayes_factor(self._likelihood, size, reference_size)
        self._p = probability(self._likelihood)
        self._adjusted = adjusted_probabilities(self._p)

    def within(self, limits: KeynessLimits) -> NDArray[np.bool_]:
        """Which words are within limits."""
        evident = self._adjusted <= limits.p
        if limits.bayes is not None:
            evident &= self._bayes >= limits.bayes
        found: NDArray[np.bool_] = evident & ((self._ratio < 0) == limits.negative)
        return found

    def strength(self, measure: Measure) -> Floats:
        """How strongly each word differs by a measure."""
        if measure == "log_likelihood":
            return self._likelihood
        if measure == "log_ratio":
            return np.abs(self._ratio)
        if measure == "least_ratio":
            return np.abs(self._ratio) - self._margin
        # The share of the corpus in that of the reference grows as %DIFF does, which has no value where the latter is 0.
        counts, references = self._tested.counts, self._tested.references
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (counts / self._sizes[0]) * self._sizes[1] / references
        return np.where(references > 0, np.abs(np.nan_to_num(ratio) - 1), inf)

    def row(self, place: int) -> Key:
        """One of the words."""
        count, reference = float(self._tested.counts[place]), float(self._tested.references[place])
        size, reference_size = self._sizes
        ratio, margin = float(self._ratio[place]), float(self._margin[place])
        return Key(
            word=self._tested.words[place],
            count=int(count),
            per_million=1e6 * count / size,
            reference=reference,
            reference_per_million=1e6 * reference / reference_size,
            log_ratio=ratio,
            ratio_low=ratio - margin,
            ratio_high=ratio + margin,
            difference=difference(count, size, reference, reference_size),
            log_likelihood=float(self._likelihood[place]),
            bayes=float(self._bayes[place]),
            p=float(self._p[place]),
            adjusted=float(self._adjusted[place]),
        )


def _floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _present(values: ArrayLike) -> Floats:
    """Counts with half an occurrence where there is none."""
    found = _floats(values)
    return np.where(found > 0, found, _ABSENT)

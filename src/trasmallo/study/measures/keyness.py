"""What is typical of a corpus against a reference: significance and size of each word's difference in frequency.

A word is whatever is counted: a form, a lemma, a category. `count` and `size` are those of the corpus, `reference` and
`reference_size` those of what it is compared with, sizes in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import erfc, inf, log, log2, sqrt
from typing import Literal

import msgspec

Measure = Literal["log_likelihood", "log_ratio", "difference"]
_ABSENT = 0.5
"""What a word counts that does not occur, as A. Hardie (2014) proposes for the log ratio."""


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A word and how much more, or less (negative), frequent it is than in the reference.

    `difference` is None for a word that the reference does not have. `p` is the probability of such a log-likelihood by chance.
    """

    word: str
    count: int
    reference: float
    log_likelihood: float
    log_ratio: float
    difference: float | None
    bayes: float
    p: float


class KeynessLimits(msgspec.Struct, frozen=True):
    """Which words are worth showing: `least_count` in the corpus, a `p` no higher, a `bayes` factor no lower (None: any).

    `negative` asks for words that are too rare instead of too frequent.
    """

    least_count: int = 3
    p: float = 0.0001
    bayes: float | None = 2.0
    negative: bool = False


def log_likelihood(count: float, size: float, reference: float, reference_size: float) -> float:
    """G2 of a word, never negative: 3.84 is p < 0.05, 6.63 p < 0.01, 10.83 p < 0.001, 15.13 p < 0.0001.

    2 (O1 ln(O1 / E1) + O2 ln(O2 / E2)), as in P. Rayson and R. Garside, Comparing corpora using frequency profiling (2000).
    """
    share = (count + reference) / (size + reference_size)
    pairs = ((count, size * share), (reference, reference_size * share))
    return max(2 * sum(seen * log(seen / expected) for seen, expected in pairs if seen), 0.0)


def log_ratio(count: float, size: float, reference: float, reference_size: float) -> float:
    """The binary logarithm of the ratio of relative frequencies: 1 is twice as frequent, -1 half as (A. Hardie, 2014).

    A word that one side does not have counts there as half an occurrence.
    """
    return log2((count or _ABSENT) / size) - log2((reference or _ABSENT) / reference_size)


def difference(count: float, size: float, reference: float, reference_size: float) -> float | None:
    """%DIFF, the difference of relative frequencies in percent of the reference's (C. Gabrielatos and A. Marchi, 2012)."""
    return 100 * (count / size * reference_size / reference - 1) if reference else None


def bayes_factor(likelihood: float, size: float, reference_size: float) -> float:
    """The Bayes factor's BIC for one degree of freedom: 2 to 6 positive, 6 to 10 strong, above very strong evidence.

    A. Wilson, Embracing Bayes factors for key item analysis in corpus linguistics (2013).
    """
    return likelihood - log(size + reference_size)


def probability(likelihood: float) -> float:
    """The p of a log-likelihood: the tail of chi squared with one degree of freedom."""
    return erfc(sqrt(likelihood / 2))


def key(word: str, count: int, size: float, reference: float, reference_size: float) -> Key:
    """All measures of a word."""
    sides = (count, size, reference, reference_size)
    likelihood = log_likelihood(*sides)
    return Key(
        word=word,
        count=count,
        reference=reference,
        log_likelihood=likelihood,
        log_ratio=log_ratio(*sides),
        difference=difference(*sides),
        bayes=bayes_factor(likelihood, size, reference_size),
        p=probability(likelihood),
    )


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
    found = (key(word, count, size, reference.get(word, 0.0), reference_size) for word, count in counts)
    fit = (row for row in found if _fits(row, limits))
    return nsmallest(number, fit, key=lambda row: (-_strength(row, measure), row.word))


def _fits(row: Key, limits: KeynessLimits) -> bool:
    common = max(row.count, row.reference) if limits.negative else row.count
    evident = limits.bayes is None or row.bayes >= limits.bayes
    return common >= limits.least_count and row.p <= limits.p and evident and (row.log_ratio < 0) == limits.negative


def _strength(row: Key, measure: Measure) -> float:
    if measure == "log_likelihood":
        return row.log_likelihood
    if measure == "log_ratio":
        return abs(row.log_ratio)
    return inf if row.difference is None else abs(row.difference)

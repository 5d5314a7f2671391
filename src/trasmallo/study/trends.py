"""Trends of words over time: their significance, intervals of their frequency, and what a trend is told as.

**Trend.** In a stratum (a language, and documents dated in the same way) let a cell be what a site said in a period t: y
occurrences among n words. With p = sum y / sum n and m = sum n t / sum n, the slope of the frequency on time, weighted by
words, is U / sum n (t - m)^2 where U = sum y (t - m). U is the score of a Poisson regression too, and z = U / sqrt(V) with
V = K / (K - 2) sum (y - p n)^2 (t - m)^2 over the K cells is its generalised score test (D. Boos, On generalized score tests,
The American Statistician 46, 1992): the variance is that of the cells themselves, so that a word that one site repeats in one
month counts as one observation. U and V are added over strata.

Why not Theil-Sen and Mann-Kendall, as for corpora with periods of equal size: a crawl brings few words of long ago and many of
this month. A rare word then is missing from the small periods by chance, which ranks take for a rise. `benchmarks/trends.py`
prints how often each test sees a trend where there is none.

**Interval.** Occurrences in one document depend on each other, so a count and its words are divided by the design effect
(J. Rao and A. Scott, A simple method for the analysis of clustered binary data, Biometrics 48, 1992) before the exact interval
of Poisson (F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28, 1936).
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Unit = Literal["word", "lemma"]
Period = Literal["month", "week"]
Values = NDArray[np.float64]

FEWEST_CELLS = 4
"""Sites and periods that must have a word before its trend is tested: z is hardly more than the square root of their number."""

_ALPHA = 0.05  # what intervals leave out, in all
_MILLION = 1_000_000  # words that frequencies are told among


class PeriodFrequency(msgspec.Struct, frozen=True, kw_only=True):
    """A word in a period: `tokens` are all words of its language there, `per_million` its frequency among them.

    `low` and `high` are the 95 % interval of that. `period` is a month (2026-05) or the Monday of a week (2026-05-04), `place`
    its number on the axis of time.
    """

    period: str
    place: int
    count: int
    documents: int
    sites: int
    tokens: int
    per_million: float
    low: float
    high: float


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """A word or lemma over time; `unit` says which. `tokens` are all words of its language in documents with a date.

    `slope` is the change of its frequency per million words from a period to the next, `growth` the same in parts of its mean
    frequency, `p` the probability of such a `z` by chance; all None where there are too few sites and periods. `by_document`
    of its documents have a date of their own, `by_visit` that of their first visit, `undated` none: these count nowhere else.
    """

    unit: Unit
    name: str
    language: str
    by: Period
    count: int
    documents: int
    sites: int
    first_seen: str
    last_seen: str
    by_document: int
    by_visit: int
    undated: int
    tokens: int
    per_million: float
    slope: float | None
    growth: float | None
    z: float | None
    p: float | None
    periods: tuple[PeriodFrequency, ...]


def probabilities(scores: Values, freedom: Values) -> Values:
    """The probability of scores at least so far from 0 by chance: Student's t with so many degrees of freedom each."""
    from scipy.special import stdtr

    found: Values = 2 * stdtr(freedom, -np.abs(scores))
    return found


def adjusted(probable: Values) -> Values:
    """Probabilities corrected for testing so many words: the share of false ones among all that are taken up to each.

    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57 (1995).
    """
    order = np.argsort(probable, kind="stable")
    ranks = np.arange(1, len(probable) + 1)
    least = np.minimum.accumulate((probable[order] * len(probable) / ranks)[::-1])[::-1]
    found = np.empty(len(probable))
    found[order] = np.clip(least, probable[order], 1.0)  # rounding must make none smaller
    return found


def interval(count: float, tokens: float, design_effect: float = 1.0) -> tuple[float, float]:
    """The 95 % interval of a frequency per million words; (0, 0) without words. A design effect below 1 counts as 1."""
    from scipy.special import chdtri

    if tokens <= 0:
        return 0.0, 0.0
    effect = max(design_effect, 1.0)
    seen, among = count / effect, tokens / effect
    low = float(chdtri(2 * seen, 1 - _ALPHA / 2)) / 2 if seen > 0 else 0.0
    high = float(chdtri(2 * seen + 2, _ALPHA / 2)) / 2
    return _MILLION * low / among, _MILLION * high / among

"""How evenly a word is spread over the parts of a corpus, be they documents, sites or years.

A word is whatever is counted: a form, a lemma, a category. `counts` and `sizes` (in words) are those of the parts that have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt


def juilland(counts: Iterable[int], sizes: Iterable[int], parts: int) -> float | None:
    """Juilland's D, from 0 (in one part) to 1 (evenly everywhere); None with fewer than two parts.

    D = 1 - V / sqrt(n - 1), with V the variation coefficient of the relative frequencies, so that parts of different sizes
    compare (A. Juilland, D. Brodin and C. Davidovitch, Frequency Dictionary of French Words, 1970).
    """
    if parts < 2:
        return None
    rates = [times / size for times, size in zip(counts, sizes, strict=True)]
    mean = sum(rates) / parts
    if not mean:
        return 0.0
    variance = max(sum(rate * rate for rate in rates) / parts - mean * mean, 0.0)
    return max(1.0 - sqrt(variance) / mean / sqrt(parts - 1), 0.0)


def dp(counts: Sequence[int], sizes: Sequence[int], total: int) -> float:
    """Gries' deviation of proportions, from 0 (as expected from the sizes) to nearly 1 (all in a tiny part).

    DP is half the sum, over all parts, of the differences between a part's share of the word and its share of the corpus, whose
    size is `total` (S. Th. Gries, Dispersions and adjusted frequencies in corpora, IJCL 13, 2008).
    """
    frequency = sum(counts)
    apart = sum(abs(times / frequency - size / total) for times, size in zip(counts, sizes, strict=True))
    return min((apart + 1.0 - sum(sizes) / total) / 2, 1.0)


def dp_norm(deviation: float, smallest: int, total: int) -> float:
    """DP divided by the largest value it can have, 1 less the share of the smallest part; 0 with one part.

    After J. Lijffijt and S. Th. Gries, Correction to "Dispersions and adjusted frequencies in corpora", IJCL 17 (2012).
    """
    return min(deviation / (1 - smallest / total), 1.0) if smallest < total else 0.0

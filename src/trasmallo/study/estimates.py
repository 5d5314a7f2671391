"""How many documents have all words of a query, and how many documents there are, without counting (textbook, 4.2.2).

Three ways to estimate the size of a result, from the poorest to the best: the words are independent of each other; of which two
words are often together is known; a share of the shortest list was looked at, and the rest is taken to be like it. The size of
a collection follows from two words that have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median

Pair = frozenset[str]


def by_independence(frequencies: Sequence[int], documents: int) -> float:
    """f(abc) = N · P(a) · P(b) · P(c), with P(a) = f(a) / N; 0 for an empty collection."""
    if not documents:
        return 0.0
    expected = float(documents)
    for frequency in frequencies:
        expected *= frequency / documents
    return expected


def by_cooccurrence(frequencies: Mapping[str, int], together: Mapping[Pair, int], documents: int) -> float:
    """f(abc) = f(ab) · P(c | a or b, whichever is larger); exact for two words.

    The pair to begin with is the rarest one, and each further word, the rarest first, is added on its strongest condition.
    """
    words = sorted(frequencies, key=lambda word: (frequencies[word], word))
    if len(words) < 2:
        return by_independence([frequencies[word] for word in words], documents)
    first = min(combinations(words, 2), key=lambda pair: (together[frozenset(pair)], pair))
    expected, known = float(together[frozenset(first)]), list(first)
    for word in (word for word in words if word not in first):
        given = [together[frozenset((word, other))] / frequencies[other] for other in known if frequencies[other]]
        expected *= max(given, default=0.0)
        known.append(word)
    return expected


def by_share(found: int, share: float) -> float:
    """C / s: hits among the share of the rarest word's documents that was looked at, over that share."""
    return found / share if share else 0.0


def collection_size(pairs: Iterable[tuple[int, int, int]]) -> float:
    """N = f(a) · f(b) / f(ab), the median over pairs of words; 0 when no pair is ever together.

    One pair of words is seldom independent. Over many pairs that were put together by chance the errors cancel.
    """
    sizes = [first * second / both for first, second, both in pairs if both]
    return median(sizes) if sizes else 0.0


def relative_error(estimate: float, truth: int) -> float:
    """How far an estimate is off, in parts of the truth; without any result an estimate of 0 is right, any other all wrong."""
    if not truth:
        return 0.0 if not estimate else 1.0
    return abs(estimate - truth) / truth

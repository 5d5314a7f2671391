"""How many documents have all words of a query, and how many documents there are, without counting (textbook, 4.2.2).

Three ways to estimate the size of a result, from the poorest to the best: the words are independent of each other; of which two
words are often together is known; a share of the shortest list was looked at, and the rest is taken to be like it. The size of
a collection follows from two words that have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

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


def size_from_pair(first: int, second: int, together: int) -> float:
    """N = f(a) · f(b) / f(ab), from two words that have nothing to do with each other; 0 when they are never together."""
    return first * second / together if together else 0.0


def size_from_pairs(frequencies: Sequence[int], words_of_documents: Iterable[int]) -> float:
    """N = Σ f(a) · f(b) / Σ f(ab), over all pairs of some words; 0 when no two of them are ever together.

    `frequencies` are the words' own, `words_of_documents` how many of the words each document has: one with k of them has
    k (k - 1) / 2 pairs, so that no pair must be counted by itself. One pair of words is seldom independent; over all of them
    errors cancel, and pairs that are never together count as what they are, where a mean of ratios would leave them out.
    """
    total = sum(frequencies)
    expected = (total * total - sum(frequency * frequency for frequency in frequencies)) / 2
    together = sum(number * (number - 1) // 2 for number in words_of_documents)
    return expected / together if together else 0.0


def relative_error(estimate: float, truth: int) -> float:
    """How far an estimate is off, in parts of the truth; without any result an estimate of 0 is right, any other all wrong."""
    if not truth:
        return 0.0 if not estimate else 1.0
    return abs(estimate - truth) / truth

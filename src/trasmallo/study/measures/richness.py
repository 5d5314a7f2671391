"""How varied the words of a text are. Ratios are 0 for a text without words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt

import msgspec

_FACTOR = 0.72
WINDOW = 50


class Richness(msgspec.Struct, frozen=True):
    """Measures of a text of N words, V of them different.

    `type_token_ratio` is V / N, `guiraud` V / sqrt(N) (Guiraud 1954), `herdan` C = ln V / ln N (Herdan 1960), `hapax_ratio` the
    share of V that occurs once; `yule`, `mattr` and `mtld` are explained at their functions and hardly depend on N.
    """

    words: int
    types: int
    hapax: int
    type_token_ratio: float = 0.0
    guiraud: float = 0.0
    herdan: float = 0.0
    yule: float = 0.0
    hapax_ratio: float = 0.0
    mattr: float = 0.0
    mtld: float | None = None


def richness(words: Sequence[str]) -> Richness:
    """All measures of a text, given its words in order."""
    counts = Counter(words)
    number, types = len(words), len(counts)
    if not number:
        return Richness(0, 0, 0)
    hapax = sum(1 for times in counts.values() if times == 1)
    return Richness(
        words=number,
        types=types,
        hapax=hapax,
        type_token_ratio=types / number,
        guiraud=types / sqrt(number),
        herdan=log(types) / log(number) if number > 1 else 1.0,
        yule=yule(counts),
        hapax_ratio=hapax / types,
        mattr=mattr(words),
        mtld=mtld(words),
    )


def yule(counts: Mapping[str, int]) -> float:
    """Yule's K, low when words vary: 10,000 (sum of squared frequencies - N) / N ** 2.

    G. U. Yule, The Statistical Study of Literary Vocabulary (1944).
    """
    number = sum(counts.values())
    return 10_000 * (sum(times * times for times in counts.values()) - number) / (number * number)


def mattr(words: Sequence[str], window: int = WINDOW) -> float:
    """The mean type-token ratio of all windows of so many words; of the whole text when it is shorter.

    M. A. Covington and J. D. McFall, Cutting the Gordian knot: the moving-average type-token ratio (2010).
    """
    size = min(window, len(words))
    final = len(words) - size
    total, last = 0, dict[str, int]()
    # A word counts in every window that it enters before it is said again: those that begin after it was last said.
    for at, word in enumerate(words):
        first = max(last.get(word, -1), at - size) + 1
        last[word] = at
        if first <= final:
            total += min(at, final) - first + 1
    return total / size / (final + 1) if size else 0.0


def mtld(words: Sequence[str]) -> float | None:
    """The mean length of stretches in which the type-token ratio stays above 0.72, read forwards and backwards.

    None when no word is said twice: such a text is too short to tell. P. M. McCarthy and S. Jarvis, MTLD, vocd-D, and HD-D
    (2010).
    """
    ways = [_factors(words), _factors(reversed(words))]
    return sum(len(words) / factors for factors in ways) / 2 if all(ways) else None


def _factors(words: Iterable[str]) -> float:
    """How many times the ratio falls to 0.72; what is left at the end counts by how far it fell."""
    factors, number, types = 0, 0, 0
    seen: set[str] = set()
    for word in words:
        number += 1
        if word not in seen:
            seen.add(word)
            types += 1
        elif types <= _FACTOR * number:
            factors, number, types = factors + 1, 0, 0
            seen.clear()
    return factors + (1 - types / number) / (1 - _FACTOR) if number else float(factors)

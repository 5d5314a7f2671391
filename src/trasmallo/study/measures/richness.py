"""How varied the words of a text are. Ratios are 0 for a text without words."""

from __future__ import annotations

from math import log, sqrt

import msgspec
import numpy as np

from trasmallo.values.arrays import Whole

_FACTOR = 0.72
"""The type-token ratio at which a stretch ends (McCarthy and Jarvis 2010)."""
WINDOW = 50
"""Words of a window of MATTR. Judgement: short enough for short documents."""


class Richness(msgspec.Struct, frozen=True, kw_only=True):
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


def richness(words: Whole, before: Whole) -> Richness:
    """All measures of a text, given its words in order, as numbers, and where they were `said_before`."""
    counts = np.bincount(words)
    number, types, hapax = len(words), int(np.count_nonzero(counts)), int(np.count_nonzero(counts == 1))
    if not number:
        return Richness(words=0, types=0, hapax=0)
    return Richness(
        words=number,
        types=types,
        hapax=hapax,
        type_token_ratio=types / number,
        guiraud=types / sqrt(number),
        herdan=log(types) / log(number) if number > 1 else 1.0,
        yule=yule(counts),
        hapax_ratio=hapax / types,
        mattr=mattr(before),
        mtld=mtld(before),
    )


def said_before(words: Whole) -> Whole:
    """For each word of a text the place where it was last said, -1 where it is new."""
    order = np.argsort(words, kind="stable")
    again = words[order[1:]] == words[order[:-1]]
    before = np.full(len(words), -1, np.int64)
    before[order[1:][again]] = order[:-1][again]
    return before


def yule(counts: Whole) -> float:
    """Yule's K, low when words vary: 10,000 (sum of squared frequencies - N) / N ** 2.

    G. U. Yule, The Statistical Study of Literary Vocabulary (1944).
    """
    number = int(counts.sum())
    return 10_000 * (int((counts * counts).sum()) - number) / (number * number)


def mattr(before: Whole, window: int = WINDOW) -> float:
    """The mean type-token ratio of all windows of so many words; of the whole text when it is shorter. Takes `said_before`.

    M. A. Covington and J. D. McFall, Cutting the Gordian knot: the moving-average type-token ratio (2010).
    """
    size = min(window, len(before))
    final, at = len(before) - size, np.arange(len(before))
    # A word counts in every window that it enters before it is said again: those that begin after it was last said.
    first = np.maximum(before, at - size) + 1
    total = int(np.maximum(np.minimum(at, final) - first + 1, 0).sum())
    return total / size / (final + 1) if size else 0.0


def mtld(before: Whole) -> float | None:
    """The mean length of stretches in which the type-token ratio stays above 0.72, read forwards and backwards.

    None when no word is said twice: such a text is too short to tell. P. M. McCarthy and S. Jarvis, MTLD, vocd-D, and HD-D
    (2010). Takes `said_before`.
    """
    ways = [_factors(before), _factors(_backwards(before))]
    return sum(len(before) / factors for factors in ways) / 2 if all(ways) else None


def _backwards(before: Whole) -> Whole:
    """The same of the text read from its end."""
    after = np.full(len(before), len(before), np.int64)
    again = before >= 0
    after[before[again]] = np.flatnonzero(again)
    return len(before) - 1 - after[::-1]


def _factors(before: Whole) -> float:
    """How many times the ratio falls to 0.72; what is left at the end counts by how far it fell.

    Only words that were said before can make it fall, and stretches are short, so stepping costs less than arrays.
    """
    again = np.flatnonzero(before >= 0)
    factors = begin = repeated = 0
    for at, last_said in zip(again.tolist(), before[again].tolist(), strict=True):
        if last_said >= begin:
            repeated += 1
            number = at + 1 - begin
            if number - repeated <= _FACTOR * number:
                factors, begin, repeated = factors + 1, at + 1, 0
    number = len(before) - begin
    return factors + (1 - (number - repeated) / number) / (1 - _FACTOR) if number else float(factors)

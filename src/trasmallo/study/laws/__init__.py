"""The statistical laws of a corpus: Zipf, Mandelbrot, hapax legomena, shares by frequency, Heaps (textbook, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.study.laws.heaps import Growth, Heaps, fit_heaps
from trasmallo.study.laws.zipf import Mandelbrot, Share, Spectrum, constant, fit_mandelbrot, log_spaced, shares

HEAD = 50
"""Ranks that a table shows one by one before it goes on in ever larger steps (textbook, table 4.2)."""

_FREQUENT = 1_000
"""Occurrences above which a word counts as frequent, as in the textbook's table 4.1."""


class RankedWord(msgspec.Struct, frozen=True):
    """A row of the table of Zipf: `probability` is the word's share of the text, `rp` that share times its rank."""

    rank: int
    word: str
    frequency: int
    probability: float
    rp: float


class Laws(msgspec.Struct, frozen=True):
    """What the laws say of a corpus.

    `frequent` are the words that occur more than 1,000 times. `constant` is the C of Zipf's r.P = C. A law is None where there
    is too little text to fit it. `growth` is in the order in which the documents arrived.
    """

    documents: int
    words: int
    types: int
    hapax: int
    frequent: int
    constant: float
    mandelbrot: Mandelbrot | None
    heaps: Heaps | None
    shares: tuple[Share, ...]
    growth: tuple[Growth, ...]
    ranks: tuple[RankedWord, ...]


def shown_ranks(types: int) -> list[int]:
    """The ranks of the table: the first 50, then some evenly on a logarithmic scale, and the last."""
    return sorted({*range(1, min(HEAD, types) + 1), *log_spaced(types, 100)})


def describe(found: Spectrum, ranked: Sequence[tuple[int, str, int]], growth: Sequence[Growth], documents: int) -> Laws:
    """All laws of a corpus, from its spectrum, some (rank, word, frequency) of it, and its growth."""
    total = found.total
    rows = (RankedWord(rank, word, times, times / total, rank * times / total) for rank, word, times in ranked)
    often = sum(words for times, words in zip(found.frequencies, found.words, strict=True) if times > _FREQUENT)
    return Laws(
        documents=documents,
        words=total,
        types=found.types,
        hapax=found.hapax,
        frequent=often,
        constant=constant(found),
        mandelbrot=fit_mandelbrot(found),
        heaps=fit_heaps(growth),
        shares=tuple(shares(found)),
        growth=tuple(growth),
        ranks=tuple(rows),
    )

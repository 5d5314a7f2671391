from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.spectra import spectrum
from trasmallo.study.laws import Laws, describe, shown_ranks
from trasmallo.study.laws.heaps import Growth

WORDS = "el mar y el puerto y el faro de la isla y la red de la pesca del mar".split()  # noqa: SIM905 - read as a text


def laws_of(words: list[str]) -> Laws:
    ranked = [(rank, word, times) for rank, (word, times) in enumerate(Counter(words).most_common(), 1)]
    growth = [Growth(size, size, len(set(words[:size]))) for size in range(1, len(words) + 1)]
    return describe(spectrum(Counter(words).values()), ranked, growth, len(words))


def test_a_small_corpus() -> None:
    laws = laws_of(WORDS)
    assert (laws.words, laws.types, laws.hapax, laws.frequent) == (19, 11, 6, 0)
    assert (laws.ranks[0].word, laws.ranks[0].probability, laws.ranks[2].rp) == ("el", 3 / 19, 3 * 3 / 19)
    assert sum(row.frequency for row in laws.ranks) == laws.words
    assert laws.heaps is not None
    assert laws.mandelbrot is not None


def test_two_words_have_no_laws() -> None:
    laws = laws_of(["hola", "hola"])
    assert (laws.mandelbrot, laws.constant) == (None, 1.0)


def test_frequent_words_are_counted() -> None:
    assert describe(spectrum([2_000, 1_001, 1_000, 3]), [], [], 1).frequent == 2


@given(st.integers(0, 10**8))
def test_the_table_has_the_first_ranks_and_the_last(types: int) -> None:
    ranks = shown_ranks(types)
    assert ranks[: min(types, 50)] == list(range(1, min(types, 50) + 1))
    assert ranks[-1:] == ([types] if types else [])
    assert len(ranks) <= 150


def test_every_figure_of_the_textbooks_table_is_a_word_and_its_rank() -> None:
    """'the' in AP89: 2,420,778 of 37.3 million occurrences, 6.49 %, r.P 0.065 (table 4.2)."""
    found = spectrum([2_420_778, 37_300_139 - 2_420_778])
    row = describe(found, [(1, "the", 2_420_778)], [], 84_678).ranks[0]
    assert (round(100 * row.probability, 2), round(row.rp, 3)) == (pytest.approx(6.49), 0.065)

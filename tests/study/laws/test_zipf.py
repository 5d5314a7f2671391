from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.spectra import spectrum
from trasmallo.study.laws import zipf

counts = st.lists(st.integers(1, 200), min_size=1, max_size=60)


@given(counts)
def test_the_spectrum_keeps_words_and_occurrences(frequencies: list[int]) -> None:
    found = spectrum(frequencies)
    assert (found.types, found.total) == (len(frequencies), sum(frequencies))
    assert found.hapax == frequencies.count(1)
    assert list(found.frequencies) == sorted(set(frequencies), reverse=True)
    assert [found.frequency_of(rank) for rank in range(1, len(frequencies) + 1)] == sorted(frequencies, reverse=True)


def test_ranks_of_the_textbooks_table() -> None:
    """Four words have the frequency 5,099: the last of them has rank 1,006, the last of those before it 1,002 (table 4.4)."""
    found = zipf.from_pairs([(5_100, 3), (6_000, 999), (5_099, 4), (5_098, 1)])
    assert found.last_ranks() == [999, 1_002, 1_006, 1_007]


def test_shares_of_the_textbooks_table() -> None:
    """The third TREC volume: 508,209 different words (table 4.5)."""
    seen = [204_357, 67_082, 35_083, 23_271, 16_332, 12_421, 9_766, 8_200, 6_907, 5_893]
    rest = 508_209 - sum(seen)
    rows = zipf.shares(zipf.from_pairs([*enumerate(seen, 1), (1_000, rest)]))
    assert [round(row.predicted, 3) for row in rows] == [0.5, 0.167, 0.083, 0.05, 0.033, 0.024, 0.018, 0.014, 0.011, 0.009]
    assert [round(row.share, 3) for row in rows] == [0.402, 0.132, 0.069, 0.046, 0.032, 0.024, 0.019, 0.016, 0.014, 0.012]
    assert rows[0].expected == pytest.approx(254_104.5)


def test_the_constant_of_a_text_that_obeys_zipf() -> None:
    found = spectrum([27_720 // rank for rank in range(1, 13)])
    assert zipf.constant(found) == pytest.approx(27_720 / found.total)
    assert zipf.constant(spectrum([])) == 0


@pytest.mark.parametrize(
    ("alpha", "beta", "types"), [(1.0, 0.0, 5_000), (1.0, 2.7, 3_000), (1.2, 5.0, 4_000), (0.8, 30.0, 2_500)]
)
def test_mandelbrots_parameters_are_found_again(alpha: float, beta: float, types: int) -> None:
    expected = (np.arange(1, types + 1) + beta) ** -alpha
    found = zipf.fit_mandelbrot(spectrum(np.maximum((expected / expected.sum() * 1e9).round(), 1).astype(int).tolist()))
    assert found is not None
    assert (found.alpha, found.beta) == (pytest.approx(alpha, abs=1e-3), pytest.approx(beta, abs=0.02))
    assert found.gamma == pytest.approx(1 / expected.sum(), rel=0.02)
    assert found.distance < 1e-4
    assert found.probability(7) == pytest.approx(expected[6] / expected.sum(), rel=1e-2)


def test_a_drawn_text_has_the_parameters_of_its_law() -> None:
    law = (np.arange(1, 20_001) + 2.7) ** -1.1
    drawn = np.random.default_rng(7).multinomial(300_000, law / law.sum())
    found = zipf.fit_mandelbrot(spectrum(drawn[drawn > 0].tolist()))
    assert found is not None
    assert (found.alpha, found.beta) == (pytest.approx(1.1, abs=0.02), pytest.approx(2.7, abs=0.5))
    assert found.distance < 0.01


def test_no_other_parameters_are_likelier() -> None:
    text = "el perro y el gato y el pez de la casa de la esquina"
    found = spectrum(Counter(text.split()).values())
    law = zipf.fit_mandelbrot(found)
    assert law is not None

    def likelihood(alpha: float, beta: float) -> float:
        norm = sum((rank + beta) ** -alpha for rank in range(1, found.types + 1))
        times = [found.frequency_of(rank) for rank in range(1, found.types + 1)]
        return sum(n * np.log((rank + beta) ** -alpha / norm) for rank, n in enumerate(times, 1))

    best = likelihood(law.alpha, law.beta)
    others = [(law.alpha + 0.05, law.beta), (law.alpha - 0.05, law.beta), (law.alpha, law.beta + 0.3)]
    assert all(best >= likelihood(alpha, max(beta, 0)) - 1e-9 for alpha, beta in others)


def test_too_little_text_has_no_law() -> None:
    assert zipf.fit_mandelbrot(spectrum([5, 1])) is None


@given(counts)
def test_every_text_gets_finite_parameters(frequencies: list[int]) -> None:
    law = zipf.fit_mandelbrot(spectrum(frequencies))
    assert law is None or (0 <= law.distance <= 1 and law.beta >= 0 and np.isfinite([law.alpha, law.gamma]).all())


@pytest.mark.parametrize(
    ("alpha", "beta", "types"), [(1.1, 2.5, 100_000), (1.0, 0.0, 50_000), (0.4, 9.0, 3_000), (2.0, 1.0, 7)]
)
def test_long_sums_are_exact(alpha: float, beta: float, types: int) -> None:
    assert zipf._norm(alpha, beta, types) == pytest.approx(((np.arange(1, types + 1) + beta) ** -alpha).sum(), rel=1e-12)


@given(st.integers(0, 10**9))
def test_spaced_ranks_reach_from_the_first_to_the_last(most: int) -> None:
    ranks = zipf.log_spaced(most)
    assert ranks == sorted(set(ranks))
    assert len(ranks) <= 200
    assert (ranks[0], ranks[-1]) == (1, most) if most else not ranks

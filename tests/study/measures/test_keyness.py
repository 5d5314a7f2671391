from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.measures import keyness
from trasmallo.study.measures.keyness import Key, KeynessLimits, keywords

sizes = st.integers(1_000, 10**9)
counts = st.integers(0, 1_000)


def test_the_formula_of_rayson_and_garside() -> None:
    # 20 of 1,000 against 10 of 2,000: expected 10 and 20, G2 = 2 (20 ln 2 - 10 ln 2).
    assert keyness.log_likelihood(20, 1_000, 10, 2_000) == pytest.approx(13.862943611)
    assert keyness.log_likelihood(0, 1_000, 30, 2_000) == pytest.approx(60 * 0.4054651081)


@pytest.mark.parametrize(("likelihood", "p"), [(3.84, 0.05), (6.63, 0.01), (10.83, 0.001), (15.13, 0.0001)])
def test_critical_values_as_published(likelihood: float, p: float) -> None:
    assert keyness.probability(likelihood) == pytest.approx(p, rel=0.01)


def test_log_ratio_counts_doublings() -> None:
    assert keyness.log_ratio(40, 1_000, 10, 1_000) == pytest.approx(2)
    assert keyness.log_ratio(10, 1_000, 40, 2_000) == pytest.approx(-1)
    assert keyness.log_ratio(8, 1_000, 0, 1_000) == pytest.approx(4), "absent counts as half an occurrence"


def test_difference_in_percent() -> None:
    assert keyness.difference(30, 1_000, 10, 1_000) == pytest.approx(200)
    assert keyness.difference(5, 1_000, 10, 1_000) == pytest.approx(-50)
    assert keyness.difference(5, 1_000, 0, 1_000) is None


def test_bayes_factor() -> None:
    assert keyness.bayes_factor(20, 500_000, 500_000) == pytest.approx(20 - 13.8155105)


def key_of(count: int, size: int, reference: float, reference_size: float) -> Key:
    """A word's measures, whatever they are, with all other words in one."""
    ours, theirs = {"w": count, "x": size - count}, {"w": float(reference), "x": float(reference_size - reference)}
    for negative in (False, True):
        limits = KeynessLimits(least_count=0, p=1.0, bayes=None, negative=negative)
        for row in keywords(ours.items(), size, theirs, limits=limits):
            if row.word == "w":
                return row
    raise AssertionError("a word is either too frequent or too rare")


@given(counts, sizes, counts, sizes)
def test_the_sides_can_be_exchanged(count: int, size: int, reference: int, reference_size: int) -> None:
    one, other = key_of(count, size, reference, reference_size), key_of(reference, reference_size, count, size)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-6)
    assert one.log_ratio == pytest.approx(-other.log_ratio)
    assert (one.ratio_low, one.ratio_high) == (pytest.approx(-other.ratio_high), pytest.approx(-other.ratio_low))
    assert 0 <= one.p <= one.adjusted <= 1


@given(st.integers(1, 1_000), sizes, st.integers(1, 50))
def test_the_same_share_is_not_key(count: int, size: int, times: int) -> None:
    row = key_of(count, size, count * times, size * times)
    assert row.log_likelihood == pytest.approx(0, abs=1e-5)
    assert (row.log_ratio, row.difference) == (pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-6))


CORPUS = Counter({"trasmallo": 60, "red": 300, "de": 5_000, "rara": 2, "coche": 10})
REFERENCE = {"red": 100.0, "de": 50_000.0, "coche": 3_000.0, "ausente": 9_000.0}


def found(measure: keyness.Measure = "log_likelihood", limits: KeynessLimits | None = None) -> list[str]:
    rows = keywords(CORPUS.items(), CORPUS.total(), REFERENCE, measure=measure, limits=limits)
    return [row.word for row in rows]


def test_key_words_by_each_measure() -> None:
    assert found() == ["red", "trasmallo", "de"]
    assert found("log_ratio")[0] == "trasmallo"
    assert found("difference") == ["trasmallo", "red", "de"]


def test_words_that_are_too_rare() -> None:
    assert found(limits=KeynessLimits(negative=True)) == ["coche"]


def test_limits() -> None:
    assert found(limits=KeynessLimits(least_count=61)) == ["red", "de"]
    assert found(limits=KeynessLimits(least_count=1, p=1, bayes=None)) == ["red", "trasmallo", "de", "rara"]
    assert found(limits=KeynessLimits(bayes=1e9)) == []


def test_the_interval_of_the_log_ratio() -> None:
    # log2((20 / 1000) / (10 / 2000)) = 2, and 1.96 sqrt(1/20 - 1/1000 + 1/10 - 1/2000) / ln 2 = 1.0897.
    row = key_of(20, 1_000, 10, 2_000)
    assert (row.ratio_low, row.ratio_high) == (pytest.approx(2 - 1.0897, abs=1e-3), pytest.approx(2 + 1.0897, abs=1e-3))
    wide, narrow = row.ratio_high - row.ratio_low, key_of(2_000, 100_000, 1_000, 200_000)
    assert narrow.ratio_high - narrow.ratio_low < wide, "of more words more is known"


def test_the_interval_holds_what_it_says() -> None:
    """Of 2,000 draws with a true ratio of 2 some 95 % have it within their interval."""
    chance = np.random.default_rng(5)
    counts, references = chance.binomial(50_000, 0.002, 2_000), chance.binomial(100_000, 0.001, 2_000)
    ratios = keyness.log_ratio(counts, 50_000, references, 100_000)
    margins = keyness.ratio_margin(counts, 50_000, references, 100_000)
    assert 0.935 < float(np.mean(np.abs(ratios - 1) <= margins)) < 0.965


def test_probabilities_are_corrected_as_published() -> None:
    # Benjamini and Hochberg (1995), section 4: of fifteen tests the first four are significant at .05.
    published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    published += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    adjusted = keyness.adjusted_probabilities(published[::-1])[::-1]
    assert (adjusted <= 0.05).tolist() == [True] * 4 + [False] * 11
    assert adjusted[:4] == pytest.approx([0.0015, 0.003, 0.0095, 0.035625])


def test_by_chance_hardly_a_word_is_key() -> None:
    """5,000 words that are as frequent on both sides: without the correction some 125 too frequent ones would be below .05."""
    chance = np.random.default_rng(7)
    counts = {f"w{n}": int(count) for n, count in enumerate(chance.poisson(50, 5_000))}
    reference = {f"w{n}": float(count) for n, count in enumerate(chance.poisson(50, 5_000))}
    limits = KeynessLimits(p=0.05, bayes=None)
    assert len(keywords(counts.items(), sum(counts.values()), reference, limits=limits, number=5_000)) <= 3


def test_nothing_to_compare_is_no_error() -> None:
    assert keywords([], 0, REFERENCE) == keywords(CORPUS.items(), CORPUS.total(), {}) == []

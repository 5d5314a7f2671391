from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.measures import keyness
from trasmallo.study.measures.keyness import KeynessLimits, key, keywords

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


@given(counts, sizes, counts, sizes)
def test_the_sides_can_be_exchanged(count: int, size: int, reference: int, reference_size: int) -> None:
    one, other = key("a", count, size, reference, reference_size), key("a", reference, reference_size, count, size)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-6)
    assert one.log_ratio == pytest.approx(-other.log_ratio)
    assert 0 <= one.p <= 1


@given(st.integers(1, 1_000), sizes, st.integers(1, 50))
def test_the_same_share_is_not_key(count: int, size: int, times: int) -> None:
    row = key("a", count, size, count * times, size * times)
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


def test_nothing_to_compare_is_no_error() -> None:
    assert keywords([], 0, REFERENCE) == keywords(CORPUS.items(), CORPUS.total(), {}) == []

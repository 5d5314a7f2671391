from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.laws.heaps import Growth, Heaps, fit_heaps


def grown(law: Heaps, sizes: list[int]) -> list[Growth]:
    return [Growth(number, size, round(law.types(size))) for number, size in enumerate(sizes, 1)]


def test_the_textbooks_prediction() -> None:
    """AP89: k = 62.95 and beta = 0.455 predict 100,151 different words in 10,879,522."""
    assert round(Heaps(62.95, 0.455, 1.0).types(10_879_522)) == 100_151


@given(st.floats(5, 100), st.floats(0.3, 0.9))
def test_the_parameters_are_found_again(k: float, beta: float) -> None:
    found = fit_heaps(grown(Heaps(k, beta, 1), [10**power for power in range(3, 10)]))
    assert found is not None
    assert (found.k, found.beta) == (pytest.approx(k, rel=0.02), pytest.approx(beta, abs=0.002))
    assert found.fit > 0.999


def test_the_first_thousand_words_do_not_count() -> None:
    law = Heaps(20, 0.6, 1)
    settled = grown(law, [1_000, 5_000, 100_000])
    assert fit_heaps([Growth(1, 10, 10), Growth(2, 500, 11), *settled]) == fit_heaps(settled)


def test_a_small_corpus_is_fitted_as_it_is() -> None:
    found = fit_heaps([Growth(1, 10, 10), Growth(2, 100, 50)])
    assert found is not None
    assert found.types(100) == pytest.approx(50)


@pytest.mark.parametrize("points", [[], [Growth(1, 50, 20)], [Growth(1, 50, 20), Growth(2, 50, 20)]])
def test_one_size_has_no_growth(points: list[Growth]) -> None:
    assert fit_heaps(points) is None


def test_a_vocabulary_that_does_not_grow() -> None:
    found = fit_heaps([Growth(1, 10, 5), Growth(2, 100, 5)])
    assert found is not None
    assert (found.beta, found.fit) == (pytest.approx(0), 1.0)

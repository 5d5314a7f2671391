from __future__ import annotations

from math import log, log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.association import ContingencyTable, measure

NEWSWIRE = 14_307_668
"""Tokens of the New York Times corpus of Manning and Schütze, Foundations of Statistical NLP (1999), chapter 5."""


def table(*rows: tuple[int, int, int], total: int) -> ContingencyTable:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return ContingencyTable(columns[0], columns[1], columns[2], total)


def test_likelihood_ratios_of_dunning() -> None:
    """The first bigrams of Dunning's own table (1993): "the swiss", "can be", "previous year", "mineral water"."""
    cells = [
        (110, 2_442, 111, 29_114),
        (29, 13, 123, 31_612),
        (31, 23, 139, 31_584),
        (10, 0, 3, 31_764),
        (76, 104, 2_476, 29_121),
    ]
    rows = [(joint, joint + first, joint + second) for joint, first, second, _ in cells]
    assert {sum(row) for row in cells} == {31_777}
    found = measure(table(*rows, total=31_777)).log_likelihood
    assert found == pytest.approx([270.72, 263.90, 256.84, 167.23, 157.21], abs=0.005)


def test_t_scores_of_newswire() -> None:
    """Their table 5.6 and the worked example of "new companies"."""
    rows = [(20, 42, 20), (20, 41, 27), (20, 30, 117), (20, 14_907, 9_017), (8, 15_828, 4_675)]
    found = measure(table(*rows, total=NEWSWIRE)).t
    assert found == pytest.approx([4.4721, 4.4721, 4.4720, 2.3714, 0.999932], abs=1e-4)


def test_mutual_information_of_newswire() -> None:
    """Their table 5.14."""
    rows = [(20, 42, 20), (20, 41, 27), (20, 30, 117), (20, 77, 59), (20, 24, 320)]
    assert measure(table(*rows, total=NEWSWIRE)).mi == pytest.approx([18.38, 17.98, 16.31, 15.94, 15.19], abs=0.01)


def test_delta_p_of_of_course() -> None:
    """Gries, 50-something years of work on collocations (2013): 0.032 and 0.697 in the spoken BNC."""
    joint, of, course = 5_610, 5_610 + 168_938, 5_610 + 2_257
    found = measure(table((joint, of, course), total=of + 2_257 + 10_233_063))
    assert (found.delta_p[0], found.delta_p_back[0]) == pytest.approx((0.032, 0.697), abs=5e-4)


def test_log_dice_is_fourteen_for_words_that_never_part() -> None:
    found = measure(table((7, 7, 7), (1, 7, 7), total=1_000)).log_dice
    assert found.tolist() == pytest.approx([14.0, 14 - log2(7)])


def test_a_corpus_of_one_pair() -> None:
    found = measure(table((3, 3, 3), total=3))
    assert [values[0] for values in found] == [0.0, 0.0, 2 * log2(3), 0.0, 14.0, 1.0, 1.0]


def test_no_pairs() -> None:
    assert [len(values) for values in measure(table(total=5))] == [0] * 7


@given(st.integers(1, 1_000), st.integers(0, 1_000), st.integers(0, 1_000), st.integers(0, 10**9))
def test_every_measure_is_its_formula(o11: int, o12: int, o21: int, o22: int) -> None:
    n, r1, c1 = o11 + o12 + o21 + o22, o11 + o12, o11 + o21
    e11 = r1 * c1 / n
    cells = [(o11, r1, c1), (o12, r1, n - c1), (o21, n - r1, c1), (o22, n - r1, n - c1)]
    found = measure(table((o11, r1, c1), total=n))
    expected = [
        2 * sum(observed * log(observed * n / (row * column)) for observed, row, column in cells if observed),
        log2(o11 / e11),
        log2(o11**3 / e11),
        (o11 - e11) / sqrt(o11),
        14 + log2(2 * o11 / (r1 + c1)),
        o11 / r1 - (o21 / (n - r1) if n > r1 else 0),
        o11 / c1 - (o12 / (n - c1) if n > c1 else 0),
    ]
    assert [float(values[0]) for values in found] == pytest.approx(expected, rel=1e-6, abs=1e-5)

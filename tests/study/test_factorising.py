from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.factorising import Factorised, concatenated, factorise


@given(st.lists(st.text(max_size=2)))
def test_a_column_comes_back(column: list[str]) -> None:
    found = factorise(column)
    assert found.spread() == column
    assert found.values == list(dict.fromkeys(column))


@given(st.lists(st.lists(st.sampled_from("abc"))))
def test_columns_are_joined_in_order(columns: list[list[str]]) -> None:
    assert concatenated(map(factorise, columns)).spread() == [value for column in columns for value in column]


def test_values_that_columns_share_are_not_copied() -> None:
    values = ["a", "b", "c"]
    found = concatenated([Factorised(values, np.array([1])), Factorised(values, np.array([0, 1]))])
    assert found.values is values
    assert found.spread() == ["b", "a", "b"]

from __future__ import annotations

import numpy as np

from trasmallo.crawl.focus.weights import (
    FIRST_FEATURES,
    FIRST_WEIGHTS,
    LINK_FEATURES,
    LINK_WEIGHTS,
    MARKED_WEIGHTS,
    PAGE_FEATURES,
    PAGE_WEIGHTS,
    rows_of,
    weigh,
)


def test_every_feature_has_one_weight() -> None:
    tables = ((PAGE_FEATURES, PAGE_WEIGHTS), (FIRST_FEATURES, FIRST_WEIGHTS), (LINK_FEATURES, LINK_WEIGHTS))
    for names, weights in (*tables, (LINK_FEATURES, MARKED_WEIGHTS)):
        assert len(set(names)) == len(names) == len(weights)
        assert np.isfinite(weights).all()


def test_rows_have_features_in_the_order_of_the_table() -> None:
    rows = rows_of({"b": 2.0, "a": np.array([1.0, 3.0])}, ("a", "b"), 2)
    assert rows.tolist() == [[1.0, 2.0], [3.0, 2.0]]


def test_rows_are_weighed_without_the_threads_of_blas() -> None:
    rows = np.random.default_rng(7).normal(size=(50, 6))
    weights = np.arange(6.0)
    assert np.allclose(weigh(rows, weights), rows @ weights)

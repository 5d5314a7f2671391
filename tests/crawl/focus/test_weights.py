from __future__ import annotations

import numpy as np

from trasmallo.crawl.focus.weights import LINK_FEATURES, LINK_WEIGHTS, PAGE_FEATURES, PAGE_WEIGHTS, rows_of


def test_every_feature_has_one_weight() -> None:
    for names, weights in ((PAGE_FEATURES, PAGE_WEIGHTS), (LINK_FEATURES, LINK_WEIGHTS)):
        assert len(set(names)) == len(names) == len(weights)
        assert np.isfinite(weights).all()


def test_rows_have_features_in_the_order_of_the_table() -> None:
    rows = rows_of({"b": 2.0, "a": np.array([1.0, 3.0])}, ("a", "b"), 2)
    assert rows.tolist() == [[1.0, 2.0], [3.0, 2.0]]

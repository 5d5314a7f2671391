"""Arrays that grow."""

from __future__ import annotations

import numpy as np

from trasmallo.study.entities.growing_rows import GrowingRows


def test_rows_stay_as_they_were_added() -> None:
    rows = GrowingRows((2,), np.int64)
    assert rows.array.shape == (0, 2)
    for number in range(5):
        rows.add(np.full((number, 2), number))
    assert rows.array[:, 1].tolist() == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]

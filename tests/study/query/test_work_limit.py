"""The work that a question may take."""

from __future__ import annotations

import pytest

from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.work_limit import WorkLimit, steps


def test_steps_are_spent_until_there_are_none() -> None:
    work = WorkLimit(10)
    work.spend(10)
    with pytest.raises(QueryError, match="takes more than 10 steps: use smaller repeats, or rarer words"):
        work.spend(1)


def test_larger_corpora_may_be_walked_longer_and_labels_cost_more() -> None:
    few, many = WorkLimit.of_corpus(0), WorkLimit.of_corpus(1_000_000)
    many.spend(50_000_000)
    with pytest.raises(QueryError):
        few.spend(50_000_000)
    assert steps(100, 0) == 100 < steps(100, 1) < steps(100, 2)

from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study import sequence_bounds
from trasmallo.study.sequence_bounds import Bounds, count_numbers


def test_joined_are_tokens_of_one_sentence_of_one_document() -> None:
    documents = np.array([0, 4, 4, 6])
    assert Bounds(documents, np.array([0, 2])).joined().tolist() == [False, True, False, True, False, True, False]
    assert Bounds(documents).joined().tolist() == [False, True, True, True, False, True, False]


def test_a_range_of_what_is_joined() -> None:
    bounds = Bounds(np.array([0, 4, 4, 6]), np.array([0, 2, 5]))
    whole = bounds.joined().tolist()
    assert all(bounds.joined(begin, end).tolist() == whole[begin:end] for begin in range(8) for end in range(begin, 8))


def test_documents_of_places() -> None:
    bounds = Bounds(np.array([0, 2, 2, 3]))
    assert bounds.documents_of(np.array([0, 1, 2])).tolist() == [0, 0, 2]
    assert bounds.documents_of(np.array([1, 1])).tolist() == [0, 0]
    assert bounds.documents_of(np.zeros(0, dtype=np.int64)).tolist() == []


def test_counting_goes_by_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence_bounds, "AT_ONCE", 2)
    assert count_numbers(np.array([3, 1, 0, 1, 5], dtype=np.uint8)).tolist() == [1, 2, 0, 1, 0, 1]
    assert count_numbers(np.zeros(0, dtype=np.uint32)).tolist() == []

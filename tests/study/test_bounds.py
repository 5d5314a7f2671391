from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study import bounds
from trasmallo.study.bounds import Bounds, count_numbers


def test_joined_are_tokens_of_one_sentence_of_one_document() -> None:
    documents = np.array([0, 4, 4, 6])
    assert Bounds(documents, np.array([0, 2])).joined().tolist() == [False, True, False, True, False, True, False]
    assert Bounds(documents).joined().tolist() == [False, True, True, True, False, True, False]


def test_documents_of_tokens_take_as_few_bytes_as_they_need() -> None:
    few, many = Bounds(np.array([0, 2, 2, 3])), Bounds(np.arange(1_001))
    assert (few.documents_of_tokens().tolist(), few.documents_of_tokens().dtype) == ([0, 0, 2], np.uint8)
    assert many.documents_of_tokens().dtype == np.uint16


def test_counting_goes_by_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "AT_ONCE", 2)
    assert count_numbers(np.array([3, 1, 0, 1, 5], dtype=np.uint8)).tolist() == [1, 2, 0, 1, 0, 1]
    assert count_numbers(np.zeros(0, dtype=np.uint32)).tolist() == []

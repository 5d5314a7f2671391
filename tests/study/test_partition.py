from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study.partition import Partition

BLOCKS = st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2**64 - 1)), max_size=20), max_size=4)


@settings(max_examples=60, deadline=None)
@given(BLOCKS)
def test_what_was_put_is_taken_part_by_part_in_the_same_order(blocks: list[list[tuple[int, int]]]) -> None:
    kept = Partition(5)
    for block in blocks:
        kept.put(
            np.array([number for _, number in block], dtype=np.uint64), np.array([part for part, _ in block], dtype=np.int64)
        )
    for part in range(5):
        expected = [[number for one, number in block if one == part] for block in blocks]
        taken = kept.take(part)
        assert taken.numbers.tolist() == [number for some in expected for number in some]
        assert taken.lengths.tolist() == list(map(len, expected))


def test_rows_of_several_numbers() -> None:
    kept = Partition(300, width=2)
    kept.put(np.array([[1, 2], [3, 4], [5, 6]], dtype=np.uint64), np.array([299, 0, 299]))
    kept.put(np.array([[7, 8]], dtype=np.uint64), np.array([299]))
    assert kept.take(299).numbers.tolist() == [[1, 2], [5, 6], [7, 8]]
    assert kept.take(1).numbers.shape == (0, 2)


def test_blocks_can_be_read_between_and_are_put_as_they_are() -> None:
    kept = Partition(2)
    kept.put_in_order(np.array([1, 2, 3], dtype=np.uint64), np.array([1, 2]))
    assert kept.take(1).numbers.tolist() == [2, 3]
    kept.put_in_order(np.array([4], dtype=np.uint64), np.array([0, 1]))
    assert kept.take(1).numbers.tolist() == [2, 3, 4]
    assert kept.take(0).numbers.tolist() == [1]


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    kept = Partition(1, tmp_path)
    kept.put(np.arange(1_000, dtype=np.uint64), np.zeros(1_000, dtype=np.int64))
    del kept
    assert list(tmp_path.iterdir()) == []


def test_the_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Partition(1, tmp_path / "nowhere")

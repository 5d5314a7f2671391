from __future__ import annotations

import numpy as np
import pytest

from trasmallo.clean.content.trees import Trees, pack, unpack

# Two trees of two levels over three features.
FEATURE = np.array([[0, 2], [1, 0]], np.uint8)
THRESHOLD = np.array([[0.5, 1.5], [0.0, np.inf]], np.float32)
LEAF = np.array([[1, 2, 3, 4], [10, 20, 30, 40]], np.float16)


def walk(column: list[float]) -> float:
    """The same trees, asked one question after the other."""
    total = 0.25
    for tree in range(2):
        number = 0
        for level in range(2):
            number |= int(column[FEATURE[level, tree]] > THRESHOLD[level, tree]) << level
        total += float(LEAF[tree, number])
    return float(1 / (1 + np.exp(-total)))


@pytest.mark.parametrize("count", [1, 7, 4_096, 9_000])
def test_all_columns_at_once_as_one_by_one(count: int) -> None:
    rows = np.random.default_rng(3).normal(0, 1, (3, count)).astype(np.float32)

    found = Trees(FEATURE, THRESHOLD, LEAF / 16, 0.25)(rows)

    assert found.shape == (count,)
    for column in range(0, count, 997):
        raw = Trees(FEATURE, THRESHOLD, LEAF, 0.25)(rows[:, column : column + 1])
        assert raw[0] == pytest.approx(walk(rows[:, column].tolist()))
        assert found[column] < raw[0]


def test_a_level_without_a_question_is_never_answered_yes() -> None:
    never = np.array([[0], [1]], np.uint8), np.array([[np.inf], [np.inf]], np.float32), np.array([[3, 9, 9, 9]], np.float16)

    assert Trees(*never, bias=0.0)(np.full((2, 1), 1e30, np.float32))[0] == pytest.approx(1 / (1 + np.exp(-3)))


def test_a_model_file_says_how_it_was_made_in_its_first_line() -> None:
    arrays = {"feature": FEATURE, "leaf": LEAF, "nothing": np.zeros(0, np.float32)}

    content = pack({"made by": "año"}, arrays)
    header, found = unpack(content)

    assert content.split(b"\n")[0].startswith('{"made by": "año"'.encode())
    assert header["made by"] == "año"
    assert {name: (array.dtype, array.tolist()) for name, array in found.items()} == {
        name: (array.dtype, array.tolist()) for name, array in arrays.items()
    }

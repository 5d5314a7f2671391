from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

TRAINING = Path(__file__).resolve().parents[2] / "training"
ALWAYS, TELLING, OTHER, DISPUTED = 11, 22, 33, 44
NEVER_SEEN = 55


@pytest.fixture(scope="module")
def loglinear() -> Iterator[ModuleType]:
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("loglinear")
    sys.path.remove(str(TRAINING))


def blocks(loglinear: ModuleType) -> NDArray[np.float32]:
    """Two treebanks agree on what two features mean, not on a third; of three labels the last is never possible.

    Block 0 is shared, 1 and 2 are the treebanks' own, 3 is a register in which the first feature means something else.
    """
    first = [([ALWAYS, TELLING], 0, -1), ([ALWAYS, OTHER], 1, -1), ([ALWAYS, DISPUTED], 0, -1)]
    second = [([ALWAYS, TELLING], 0, -1), ([ALWAYS, OTHER], 1, -1), ([NEVER_SEEN, DISPUTED], 1, -1), ([ALWAYS, TELLING], 1, 3)]
    words = [
        (given, gold, [0, 1 + bank, register]) for bank, its in enumerate((first, second)) for given, gold, register in its * 20
    ]
    features, gold, groups = (np.array(column) for column in zip(*words, strict=True))
    keys = np.array([ALWAYS, TELLING, OTHER, DISPUTED], np.uint32)
    allowed = np.tile([True, True, False], (len(words), 1))
    given = loglinear.Words(features.astype(np.uint32), allowed, gold, groups, np.ones(len(words), np.float32))
    found: NDArray[np.float32] = loglinear.fit(given, keys, [0.5, 3, 3, 0.3])
    return found


def weights(loglinear: ModuleType) -> NDArray[np.float32]:
    """Those of the two treebanks outside the register."""
    found = blocks(loglinear)
    whole: NDArray[np.float32] = found[0] + found[1:3]
    return whole


def test_features_tell_categories_apart(loglinear: ModuleType) -> None:
    for ours in weights(loglinear):
        assert ours[1, 0] > ours[1, 1] + 1
        assert ours[2, 1] > ours[2, 0] + 1
        assert not ours[:, 2].any()


def test_treebanks_keep_their_own_opinions(loglinear: ModuleType) -> None:
    first, second = weights(loglinear)
    assert first[3, 0] > first[3, 1]
    assert second[3, 1] > second[3, 0]


def test_a_register_changes_what_a_feature_means(loglinear: ModuleType) -> None:
    found = blocks(loglinear)
    second = found[0] + found[2]
    assert second[:2, 0].sum() > second[:2, 1].sum()
    assert (second + found[3])[:2, 1].sum() > (second + found[3])[:2, 0].sum()


def test_words_that_count_more_are_learnt_better(loglinear: ModuleType) -> None:
    keys, groups = np.array([ALWAYS], np.uint32), np.zeros((4, 1), np.int64)
    shares = []
    for much in (0.1, 10):
        counts = np.array([much, much, 1, 1], np.float32)
        given = loglinear.Words(
            np.full((4, 1), ALWAYS, np.uint32), np.ones((4, 2), bool), np.array([0, 0, 1, 1]), groups, counts
        )
        found = loglinear.fit(given, keys, [0.1])[0, 0]
        shares.append(found[0] - found[1])
    assert shares[0] < 0 < shares[1]


def test_the_same_words_give_the_same_weights(loglinear: ModuleType) -> None:
    assert np.array_equal(weights(loglinear), weights(loglinear))


def test_of_features_in_one_slot_the_most_frequent_is_kept(loglinear: ModuleType) -> None:
    rare, rival, frequent = 5, 7, 7 + (1 << 20)
    seen = np.array([rare] + [rival] * 2 + [frequent] * 3, np.uint32)
    assert loglinear.kept_features(seen, 2).tolist() == [frequent]

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


def weights(loglinear: ModuleType) -> NDArray[np.float32]:
    """Two treebanks agree on what two features mean, not on a third; of three categories the last is never possible."""
    first = [([ALWAYS, TELLING], 0), ([ALWAYS, OTHER], 1), ([ALWAYS, DISPUTED], 0)]
    second = [([ALWAYS, TELLING], 0), ([ALWAYS, OTHER], 1), ([NEVER_SEEN, DISPUTED], 1)]
    words = [(*word, bank) for bank, its in enumerate((first, second)) for word in its * 20]
    features, gold, bank = (np.array(column) for column in zip(*words, strict=True))
    keys = np.array([ALWAYS, TELLING, OTHER, DISPUTED], np.uint32)
    allowed = np.tile([True, True, False], (len(words), 1))
    found: NDArray[np.float32] = loglinear.fit(features.astype(np.uint32), keys, allowed, gold, bank)
    return found


def test_features_tell_categories_apart(loglinear: ModuleType) -> None:
    for ours in weights(loglinear):
        assert ours[1, 0] > ours[1, 1] + 1
        assert ours[2, 1] > ours[2, 0] + 1
        assert not ours[:, 2].any()


def test_treebanks_keep_their_own_opinions(loglinear: ModuleType) -> None:
    first, second = weights(loglinear)
    assert first[3, 0] > first[3, 1]
    assert second[3, 1] > second[3, 0]


def test_the_same_words_give_the_same_weights(loglinear: ModuleType) -> None:
    assert np.array_equal(weights(loglinear), weights(loglinear))


def test_of_features_in_one_slot_the_most_frequent_is_kept(loglinear: ModuleType) -> None:
    rare, rival, frequent = 5, 7, 7 + (1 << 20)
    seen = np.array([rare] + [rival] * 2 + [frequent] * 3, np.uint32)
    assert loglinear.kept_features(seen, 2).tolist() == [frequent]

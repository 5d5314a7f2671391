from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

TRAINING = Path(__file__).resolve().parents[2] / "training"


@pytest.fixture(scope="module")
def blocks() -> Any:
    pytest.importorskip("catboost")
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("blocks")
    sys.path.remove(str(TRAINING))


def test_heavy_rows_are_all_drawn_and_the_weight_of_the_others_is_kept(blocks: Any) -> None:
    weight = np.concatenate([np.full(100, 50.0), np.linspace(0.01, 1, 20_000)])

    drawn, weights = blocks.draw(weight, 3_000, 1)

    assert drawn[:100].tolist() == list(range(100))
    assert len(drawn) == pytest.approx(3_000, rel=0.1)
    assert weights.sum() / weights[0] == pytest.approx(weight.sum() / weight[0], rel=0.1)

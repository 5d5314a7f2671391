"""The floors of finding near copies; a floor is only lowered by hand, with a reason in the commit."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load
from trasmallo.clean.copies import METHODS

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["copies"]


@cache
def _held() -> Any:
    benchmark = load("copies")
    return benchmark.halves(benchmark.made_up(FLOORS["originals"], random.Random(benchmark.SEED)))[1]


@pytest.mark.quality
@pytest.mark.parametrize("method", FLOORS["f1"])
def test_near_copies_stay_above_their_floors(method: str) -> None:
    reached = load("copies").score(_held(), method, METHODS[method].least)

    assert reached.f1 >= FLOORS["f1"][method], reached

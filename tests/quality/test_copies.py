"""The floors of finding near copies; a floor is only lowered by hand, with a reason in the commit."""

from __future__ import annotations

import importlib.util
import json
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from trasmallo.clean.copies import METHODS

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["copies"]


@cache
def _benchmark() -> ModuleType:
    """The maker of the set has one home, the benchmark."""
    path = HERE.parents[1] / "benchmarks" / "copies.py"
    spec = importlib.util.spec_from_file_location("benchmark_copies", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _held() -> Any:
    benchmark = _benchmark()
    return benchmark.halves(benchmark.made_up(FLOORS["originals"], random.Random(benchmark.SEED)))[1]


@pytest.mark.quality
@pytest.mark.parametrize("method", FLOORS["f1"])
def test_near_copies_stay_above_their_floors(method: str) -> None:
    reached = _benchmark().score(_held(), method, METHODS[method].least)

    assert reached.f1 >= FLOORS["f1"][method], reached

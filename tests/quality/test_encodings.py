"""The floors of reading bytes as text; a floor is only lowered by hand, with a reason in the commit."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["encodings"]


@cache
def _benchmark() -> ModuleType:
    """The maker of the samples has one home, the benchmark."""
    path = HERE.parents[1] / "benchmarks" / "encodings.py"
    spec = importlib.util.spec_from_file_location("benchmark_encodings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _samples() -> list[Any]:
    benchmark = _benchmark()
    made: list[Any] = benchmark.samples(benchmark.sphinx_folder())
    return made[:: FLOORS["every"]]


@pytest.mark.quality
@pytest.mark.parametrize("hint", FLOORS["right"])
def test_encodings_stay_above_their_floors(hint: str) -> None:
    made = _benchmark().suited(_samples(), hint)
    wrong = _benchmark().failures(made, _benchmark().HINTS[hint])

    assert len(made) > 150
    assert 1 - wrong.total() / len(made) >= FLOORS["right"][hint], wrong

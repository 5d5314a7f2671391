"""The floors of the plan of revisits, on real changes; a floor is only moved by hand, with a reason in the commit."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load

FLOORS: dict[str, Any] = json.loads((Path(__file__).resolve().parent / "floors.json").read_text("utf-8"))["freshness"]
DATA = load("freshness").folder() / "open.npz"


@pytest.mark.quality
@pytest.mark.skipif(not DATA.exists(), reason=f"no changes in {DATA}: set TRASMALLO_SHARED to the folder that holds bench")
@pytest.mark.parametrize("days", FLOORS["most age"])
def test_the_collection_stays_young(days: str) -> None:
    """Every sixth page, visited every so many days on the average; a policy that knows nothing reaches .63 and 5.24."""
    assert hashlib.sha256(DATA.read_bytes()).hexdigest() == FLOORS["sha256"]
    benchmark = load("freshness")
    reached = benchmark.load_replay().run(benchmark.load_data(every=FLOORS["every"]), benchmark.Policy, float(days), tpd=1)
    assert reached["age"] <= FLOORS["most age"][days], reached

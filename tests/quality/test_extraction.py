"""The floors of main-content quality; a floor is only lowered by hand, with a reason in the commit."""

from __future__ import annotations

import hashlib
import json
import random
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load
from trasmallo.clean.content.best import MODEL
from trasmallo.clean.content.trees import unpack
from trasmallo.clean.read import extract

HERE = Path(__file__).resolve().parent
benchmark = load("extraction")
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["extraction"]
DATA: Path = benchmark.data_folder()


def _sample(name: str) -> list[dict[str, Any]]:
    """A few pages of a set, always the same."""
    chosen = set(random.Random(FLOORS["seed"]).sample(range(FLOORS["among"][name]), FLOORS["pages"]))
    found = []
    for number, line in enumerate(benchmark.lines(DATA / f"{name}.jsonl.zst")):
        if number in chosen:
            found.append(benchmark.page_in(line))
        if len(found) == len(chosen):
            break
    return found


def _score(name: str, method: str = "best") -> Any:
    score = benchmark.Score()
    for page in _sample(name):
        score.add(page, extract(page["html"], method=method).text, 0.0)
    return score


@pytest.mark.quality
def test_the_model_was_good_on_sites_that_it_never_saw() -> None:
    header, _ = unpack(resources.files("trasmallo.clean.content").joinpath(MODEL).read_bytes())
    reached = header["F1 cross-validated by site"]["both stages"]

    assert header["data sha256"] == FLOORS["sha256"], "the model was made from other pages: measure and pin both anew"
    assert {name: reached[name] for name, floor in FLOORS["f1 cross-validated"].items() if reached[name] < floor} == {}


@pytest.mark.quality
@pytest.mark.skipif(not DATA.is_dir(), reason=f"no pages in {DATA}: set TRASMALLO_SHARED to the folder that holds data/extract")
def test_main_content_stays_above_its_floors_on_pages_it_has_learned_from() -> None:
    digests = {name: hashlib.sha256((DATA / f"{name}.jsonl.zst").read_bytes()).hexdigest() for name in FLOORS["sha256"]}
    assert digests == FLOORS["sha256"], "the pages are not those that the floors were measured on: measure and pin both anew"

    scores = {name: _score(name) for name in benchmark.SETS}
    reached = {name: round(score.quality, 4) for name, score in scores.items()}
    reached["macro"] = round(sum(scores[name].quality for name in benchmark.FULL) / len(benchmark.FULL), 4)

    assert {name: value for name, value in reached.items() if value < FLOORS["f1 in sample"][name]} == {}, reached
    assert sum(score.empty for score in scores.values()) == 0


@pytest.mark.quality
@pytest.mark.skipif(not DATA.is_dir(), reason=f"no pages in {DATA}: set TRASMALLO_SHARED to the folder that holds data/extract")
def test_the_chars_nodes_ratio_stays_above_its_floors() -> None:
    reached = {name: round(_score(name, "cnr").quality, 4) for name in benchmark.FULL}
    reached["macro"] = round(sum(reached.values()) / len(benchmark.FULL), 4)

    assert {name: value for name, value in reached.items() if value < FLOORS["f1 in sample of cnr"][name]} == {}, reached

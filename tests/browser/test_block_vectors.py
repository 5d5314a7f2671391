"""Blocks are the same in Python and in JavaScript: on the vectors of `golden/blocks` and on pages drawn by lot."""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Evaluate
from support import block_vectors
from support.block_vectors import GOLDEN, read_lines
from trasmallo.clean.content.best import MODEL

CORE = Path(__file__).resolve().parents[2] / "extension" / "core"
ORDERED = [
    folder / name for folder in (CORE, CORE / "blocks") for name in json.loads((folder / "order.json").read_text("utf-8"))
]
SCRIPTS = [*ORDERED, GOLDEN / "compare.js"]
RANDOM = 80


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with vectors of random pages."""
    folder, chance = tmp_path_factory.mktemp("drawn"), random.Random(3)
    block_vectors.write(folder, block_vectors.cases(chance, RANDOM), chance)
    return folder


def _model() -> bytes:
    return resources.files("trasmallo.clean.content").joinpath(MODEL).read_bytes()


def _compare(evaluate: Evaluate, folder: Path) -> Any:
    vectors = {"pages": read_lines(folder / "pages.jsonl"), "cases": read_lines(folder / "cases.jsonl")}
    return evaluate(SCRIPTS, "compareBlocks", vectors | {"model": base64.b64encode(_model()).decode()})


def test_every_script_is_loaded() -> None:
    assert {path.name for path in ORDERED if path.parent != CORE} == {path.name for path in (CORE / "blocks").glob("*.js")}


def test_python_finds_what_is_written_down(tmp_path: Path) -> None:
    chance = random.Random(block_vectors.SEED)
    block_vectors.write(tmp_path, block_vectors.golden_cases(chance), chance)

    for name in ("pages.jsonl", "cases.jsonl"):
        found, expected = (folder.joinpath(name).read_text("ascii").splitlines() for folder in (tmp_path, GOLDEN))
        assert found == expected, "look at what changed, then run: PYTHONPATH=tests python -m support.block_vectors"


def test_a_browser_finds_what_is_written_down(evaluate: Evaluate) -> None:
    found = _compare(evaluate, GOLDEN)

    assert found["wrong"] == []
    assert found["run"] == len(read_lines(GOLDEN / "cases.jsonl")) > 2_000


def test_a_browser_finds_what_python_finds_in_random_pages(evaluate: Evaluate, drawn: Path) -> None:
    found = _compare(evaluate, drawn)

    assert found["wrong"] == []
    assert found["run"] == 16 * RANDOM


@pytest.mark.skipif(not shutil.which("node"), reason="no node on this machine: on Debian, apt-get install nodejs")
def test_node_finds_the_same(drawn: Path, tmp_path: Path) -> None:
    (tmp_path / "best.model").write_bytes(_model())
    command = ["node", GOLDEN / "node.js", CORE, drawn, tmp_path / "best.model"]

    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100).stdout

    assert json.loads(told) == {"run": 16 * RANDOM, "wrong": 0, "first": []}


def test_a_method_needs_its_model_and_a_name_that_is_known(evaluate: Evaluate) -> None:
    page = {"parent": [-1, 0, 1], "tag": ["html", "body", "#text"], "attrs": [None, None, None], "text": ["", "", "uno"]}
    asks = """page => ["best", "other"].map(method => {
      try { return trasmallo.blocks(page, {method}); } catch (error) { return error.message; }
    }).concat(trasmallo.hasModel(), [...trasmallo.blocks(page, {method: "cnr"}).nodes])"""

    assert evaluate(ORDERED, asks, page) == [
        "the model is not there: await trasmallo.loadModel(bytes) first",
        "there is no method other: choose best, plain, cnr or cetr",
        False,
        1,
    ]


def test_what_is_no_model_is_refused(evaluate: Evaluate) -> None:
    asks = "text => trasmallo.loadModel(new TextEncoder().encode(text)).then(() => 'taken', error => error.name)"
    names = [evaluate(ORDERED, asks, text) for text in ("no line end", "{\n", '{"arrays": {}}\nnot deflated')]

    assert names[:2] == ["Error", "SyntaxError"]
    assert names[2] != "taken"


def test_nodes_that_are_not_displayed_may_be_told(evaluate: Evaluate) -> None:
    page = {
        "parent": [-1, 0, 1, 2, 1, 4],
        "tag": ["html", "body", "p", "#text", "p", "#text"],
        "attrs": [None] * 6,
        "text": ["", "", "", "uno " * 200, "", "dos " * 300],
    }
    asks = 'page => [...trasmallo.blocks(page, {method: "cnr", favour: 0}).nodes]'

    assert evaluate(ORDERED, asks, page) == [4]
    assert evaluate(ORDERED, asks, page | {"hidden": [4]}) == [2]

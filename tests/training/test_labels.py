from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from trasmallo.clean.content.outline import Names, Outline

TRAINING = Path(__file__).resolve().parents[2] / "training"
PROSE = "La red se cala al anochecer y se recoge de madrugada cuando el viento ha calmado"


@pytest.fixture(scope="module")
def training() -> Iterator[tuple[ModuleType, ModuleType]]:
    """The parts of the training that need no library of their own; they are scripts beside each other."""
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("labels"), importlib.import_module("words")
    sys.path.remove(str(TRAINING))


def sample_of(labels: Any, html: str, gold: str, url: str = "http://a.es/") -> Any:
    return labels._sample("daniel", {"id": "1", "url": url, "html": html, "gold_text": gold})


def test_blocks_of_the_gold_are_labelled(training: Any) -> None:
    labels, _ = training
    html = (
        f"<ul><li>Redes<li>Barcos</ul><h1>Redes</h1><p>{PROSE}.</p><p>{PROSE} y luego otra cosa que no viene al caso aquí.</p>"
    )

    sample = sample_of(labels, html, f"Redes\n{PROSE}")

    assert sample.texts()[:3] == ["Redes", "Barcos", "Redes"]
    assert sample.label[[0, 1, 2, 3]].tolist() == [0, 0, 1, 1]
    assert 0.2 < sample.label[4] < 1


def test_segments_label_what_they_speak_of(training: Any) -> None:
    labels, _ = training
    record = {"id": "1", "html": "<p>uno dos<p>tres<p>cuatro", "gold_text": None, "with_": ["dos"], "without": ["cuatro"]}

    sample = labels._sample("trafilatura", record)

    assert sample.label.tolist() == [1, labels.UNKNOWN, 0]
    assert sample.site == "id:1"


@pytest.mark.parametrize(
    ("url", "site"),
    [("http://www.bbc.co.uk/x", "bbc.co.uk"), ("https://a.b.example.com/", "example.com"), ("", "id:1")],
)
def test_the_site_of_a_page(training: Any, url: str, site: str) -> None:
    labels, _ = training

    assert sample_of(labels, "<p>x", "x", url).site == site


def test_a_word_is_valued_by_the_sites_that_use_it_without_the_own_one(training: Any) -> None:
    labels, words = training
    html = f"<div class=menu><p>Otra cosa</p></div><div class=story><p>{PROSE}</p></div>"
    found = []
    for number in range(words.MIN_SITES):
        sample = sample_of(labels, html, PROSE, f"http://sitio{number}.es/")
        outline = Outline(sample.page, sample.layout, Names(lambda _word: 0.0))
        found.append((sample.site, words.name_values(sample, outline)))

    table = words.Table(found)

    assert table.values(0.05)["story"] > 0 > table.values(0.05)["menu"]
    assert table.without("otro.es")("story") == table.values(0.05)["story"]
    assert table.without("sitio1.es")("story") == 0

"""Labels of drawings in other languages."""

from __future__ import annotations

import re

import pytest

from trasmallo.values.drawing.labels import label, labels, translated
from trasmallo.values.drawing.shapes import Drawing, Label


@pytest.mark.parametrize(
    ("text", "spanish"),
    [
        ("rank", "rango"),
        ("1,000", "1.000"),
        ("0.05", "0,05"),
        ("1e-06", "1e-06"),
        ("Heaps: v = 12.50 n^0.512", "Heaps: v = 12,50 n^0,512"),
        ("La casa 1.5", "La casa 1.5"),
    ],
)
def test_a_label_is_said_in_spanish(text: str, spanish: str) -> None:
    assert label(text, "es") == spanish
    assert label(text, "en") == text


def test_a_word_of_the_corpus_stays(sheet: Drawing) -> None:
    texts = [shape.text for shape in translated(sheet, "es", "rank").shapes if isinstance(shape, Label)]
    assert texts == ["rank", "por millón", "2.000"]


@pytest.fixture
def sheet() -> Drawing:
    """A drawing with the name of a word, that of an axis and a figure."""
    made = Drawing(100, 100, "rank")
    made.add(Label(0, 0, "rank"), Label(0, 0, "per million"), Label(0, 0, "2,000"))
    return made


def test_what_is_unknown_is_said_otherwise(sheet: Drawing) -> None:
    sheet.shapes = [Label(0, 0, "seen never")]
    found = translated(sheet, "es", otherwise=str.upper).shapes[0]
    assert isinstance(found, Label)
    assert found.text == "SEEN NEVER"


def test_a_translation_has_the_same_figures() -> None:
    for text, spanish in labels("es").items():
        assert text.count("#") == spanish.count("#"), text
        assert not re.search(r"\d", text) or "95 %" in text, "a figure is #"

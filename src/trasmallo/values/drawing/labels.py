"""Labels of drawings in other languages than English, in which they are drawn: `labels.<language>.json` maps one to the other.

In a label `#` stands for each figure, which is written as the language does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from trasmallo.values.drawing.shapes import Drawing, Label

_FIGURE = re.compile(r"\d(?:[\d,]*\d)?(?:\.\d+)?")
_SEPARATORS = {"es": str.maketrans(",.", ".,")}
"""How a language separates thousands and decimals, where not as English does."""


@cache
def labels(language: str) -> Mapping[str, str]:
    """What labels are in a language by what they are in English; nothing is said otherwise in English."""
    path = Path(__file__).with_name(f"labels.{language}.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}


def figure(written: str, language: str) -> str:
    """A figure as English writes it (1,234.5) in a language."""
    return written.translate(_SEPARATORS.get(language, {}))


def label(text: str, language: str, otherwise: Callable[[str], str] = str) -> str:
    """One label in a language; one that nobody knows, such as the title of a page, is as `otherwise` says."""
    known = labels(language)
    if text in known:
        return known[text]
    if _FIGURE.fullmatch(text.lstrip("-")):
        return figure(text, language)
    template = known.get(_FIGURE.sub("#", text))
    if template is None:
        return otherwise(text)
    figures = iter(_FIGURE.findall(text))
    return re.sub("#", lambda _: figure(next(figures), language), template)


def translated(drawing: Drawing, language: str, kept: str = "", otherwise: Callable[[str], str] = str) -> Drawing:
    """A drawing, changed so that its labels are in a language; one that is `kept`, such as a word of a corpus, stays."""

    def told(text: str) -> str:
        return text if text == kept else label(text, language, otherwise)

    drawing.title = told(drawing.title)
    drawing.shapes = [
        msgspec.structs.replace(shape, text=told(shape.text)) if isinstance(shape, Label) else shape for shape in drawing.shapes
    ]
    return drawing

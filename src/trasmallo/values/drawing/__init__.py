"""Drawings: shapes on a sheet, charts with axes, and the sheet as SVG or PNG. Knows nothing of what is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from trasmallo.values.drawing.axes import WIDTH
from trasmallo.values.drawing.shapes import Drawing, Label, shorten
from trasmallo.values.errors import UsageError

__all__ = ["Drawing", "encode", "stack"]

_HEAD = 48.0  # judgement: pixels for the title
_GAP = 18.0  # judgement: pixels between parts


def stack(parts: Sequence[Drawing], name: str, title: str = "") -> Drawing:
    """Drawings under each other on one sheet, under a title where there is one; `name` is read out instead of none."""
    head = _HEAD if title else 8.0
    sheet = Drawing(WIDTH, head + sum(part.height + _GAP for part in parts), title or name)
    if title:
        sheet.add(Label(16, 30, shorten(title, 90), size=18, ink="ink", anchor="start", bold=True))
    at = head
    for part in parts:
        sheet.place(part, 0, at)
        at += part.height + _GAP
    return sheet


def encode(drawing: Drawing, suffix: str) -> bytes:
    """The file of a drawing by the end of its name, .svg or .png; raises UsageError for another."""
    if suffix.lower() == ".svg":
        return drawing.svg().encode()
    if suffix.lower() == ".png":
        from trasmallo.values.drawing.raster import png

        return png(drawing)
    raise UsageError(
        "a picture cannot be written as {suffix}",
        "give a name that ends in .svg or .png",
        suffix=suffix or "a file without ending",
    )

"""Pictures of a page: how much text stands on how many nodes, and what each method makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from trasmallo.clean.pictures.axes import WIDTH
from trasmallo.clean.pictures.drawing import Drawing, Label, shorten
from trasmallo.clean.pictures.panels import PANELS, Subject
from trasmallo.errors import UsageError

__all__ = ["Drawing", "Subject", "draw", "encode"]

_HEAD = 48.0
_GAP = 18.0


def encode(drawing: Drawing, suffix: str) -> bytes:
    """The file of a drawing by the end of its name, .svg or .png; raises UsageError for another."""
    if suffix.lower() == ".svg":
        return drawing.svg().encode()
    if suffix.lower() == ".png":
        from trasmallo.clean.pictures.raster import png

        return png(drawing)
    raise UsageError(
        f"a picture cannot be written as {suffix or 'a file without ending'}", "give a name that ends in .svg or .png"
    )


def draw(subject: Subject, names: Sequence[str] = (), title: str = "") -> Drawing:
    """The named pictures under each other, all of them without names."""
    for name in names:
        if name not in PANELS:
            raise UsageError(f"there is no picture {name!r}", f"choose among {', '.join(PANELS)}")
    parts = [PANELS[name](subject) for name in names or PANELS]
    head = _HEAD if title else 8.0
    sheet = Drawing(WIDTH, head + sum(part.height + _GAP for part in parts), title or "Pictures of a page")
    if title:
        sheet.add(Label(16, 30, shorten(title, 90), 18, "ink", "start", bold=True))
    at = head
    for part in parts:
        sheet.place(part, 0, at)
        at += part.height + _GAP
    return sheet

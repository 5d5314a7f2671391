"""Pictures of a page: how much text stands on how many nodes, and what each method makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from trasmallo.clean.pictures.panels import PANELS, Subject
from trasmallo.values.drawing import Drawing, stack
from trasmallo.values.errors import UsageError

__all__ = ["Subject", "draw"]


def draw(subject: Subject, names: Sequence[str] = (), title: str = "") -> Drawing:
    """The named pictures under each other, all of them without names."""
    for name in names:
        if name not in PANELS:
            raise UsageError("there is no picture {name!r}", "choose among {panels}", name=name, panels=", ".join(PANELS))
    return stack([PANELS[name](subject) for name in names or PANELS], "Pictures of a page", title)

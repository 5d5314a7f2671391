"""Pictures of how many sites, or pages, change how often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from trasmallo.values.drawing import Drawing
from trasmallo.values.drawing.axes import WIDTH, panel
from trasmallo.values.drawing.shapes import Label, Rect

CLASSES = (
    ("at least once a day", 1.0),
    ("at least once a week", 1 / 7),
    ("at least once a month", 12 / 365.25),
    ("at least once a year", 1 / 365.25),
    ("less often", 0.0),
)
"""Classes of rates by the least of them, in changes a day."""

_ROW, _TOP, _LEFT = 34.0, 60.0, 220.0  # judgement: pixels; the longest name in either language fits


def count_rates(rates: ArrayLike) -> list[int]:
    """How many rates, in changes a day, fall into each of the classes."""
    known = np.asarray(rates, float)
    edges = [np.inf, *(least for _, least in CLASSES)]
    return [int(((low <= known) & (known < high)).sum()) for high, low in pairwise(edges)]


def draw_rates(rates: ArrayLike) -> Drawing:
    """A bar for each class of rates, as long as the sites in it are many."""
    return _draw("Sites by change rate", "sites whose pages change so often, on the average of a site", count_rates(rates))


def draw_page_rates(numbers: Sequence[int]) -> Drawing:
    """A bar for each class of rates, as long as the pages in it are many."""
    return _draw("Pages by change rate", "pages that are expected to change so often", numbers)


def _draw(title: str, hint: str, numbers: Sequence[int]) -> Drawing:
    drawing = panel(title, hint, WIDTH, _TOP + _ROW * len(numbers) + 10)
    scale = (WIDTH - _LEFT - 80) / max(*numbers, 1)
    for row, ((name, _), number) in enumerate(zip(CLASSES, numbers, strict=True)):
        y = _TOP + _ROW * row
        drawing.add(Label(_LEFT - 12, y + 17, name, size=12, anchor="end"))
        drawing.add(Rect(_LEFT, y + 3, max(number * scale, 1.0), _ROW - 14, "main" if number else "grid"))
        drawing.add(Label(_LEFT + number * scale + 8, y + 17, f"{number:,}", size=12, ink="faint"))
    return drawing

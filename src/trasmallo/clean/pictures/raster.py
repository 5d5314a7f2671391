"""A drawing as PNG, with the light colours and a font that comes with the library, so that it is the same everywhere."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from trasmallo.clean.pictures.drawing import LIGHT, Dot, Drawing, Label, Path, Rect, Shape

# Painted twice as large as it is kept, for smooth edges.
_SCALE = 1.5
_FINE = 2
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png(drawing: Drawing) -> bytes:
    """The picture, one and a half times as large as the SVG says."""
    scale = _SCALE * _FINE
    image = Image.new("RGB", (round(drawing.width * scale), round(drawing.height * scale)), LIGHT["paper"])
    brush = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        _paint(brush, shape, scale)
    image = image.resize((round(drawing.width * _SCALE), round(drawing.height * _SCALE)), Image.Resampling.BOX)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _paint(brush: Any, shape: Shape, scale: float) -> None:
    if isinstance(shape, Rect):
        _paint_rect(brush, shape, scale)
    elif isinstance(shape, Path):
        for points in _dashes(shape) if shape.dashed else [shape.points]:
            brush.line([(x * scale, y * scale) for x, y in points], LIGHT[shape.ink], round(shape.width * scale), "curve")
    elif isinstance(shape, Dot):
        brush.circle((shape.x * scale, shape.y * scale), shape.radius * scale, LIGHT[shape.fill])
    else:
        _write(brush, shape, scale)


def _paint_rect(brush: Any, shape: Rect, scale: float) -> None:
    left, top = shape.x * scale, shape.y * scale
    right, bottom = left + shape.width * scale - 1, top + shape.height * scale - 1
    if right >= left and bottom >= top:
        edge = LIGHT[shape.outline] if shape.outline else None
        brush.rectangle(
            (left, top, right, bottom), LIGHT[shape.fill] if shape.fill else None, edge, round(2 * scale) if edge else 0
        )


def _dashes(shape: Path) -> list[tuple[tuple[float, float], ...]]:
    """Dashes of four pixels along each straight line, with gaps of three."""
    found: list[tuple[tuple[float, float], ...]] = []
    for (x, y), (to_x, to_y) in zip(shape.points, shape.points[1:], strict=False):
        length = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 0.1)
        for at in range(0, int(length), 7):
            one, other = at / length, min(at + 4, length) / length
            found.append(((x + (to_x - x) * one, y + (to_y - y) * one), (x + (to_x - x) * other, y + (to_y - y) * other)))
    return found


def _write(brush: Any, label: Label, scale: float) -> None:
    place = (label.x * scale, label.y * scale)
    stroke = round(0.25 * scale) if label.bold else 0
    font = _font(label.size * scale)
    brush.text(place, _known(label.text), LIGHT[label.ink], font, _ANCHORS[label.anchor], stroke_width=stroke)


@cache
def _font(size: float) -> Any:
    return ImageFont.load_default(size)


def _known(text: str) -> str:
    """The text with what the font cannot show as a question mark."""
    return "".join(letter if letter in "…–—·×" or " " <= letter <= "ÿ" else "?" for letter in text)

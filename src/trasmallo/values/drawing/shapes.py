"""Shapes on a sheet, and the sheet as SVG: readable, the same in every run, for light and dark screens."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import msgspec

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
HEATS = 8
"""Steps of the scale from low to high."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "grid": "#d8dee4",
    "main": "#0969da",
    "other": "#afb8c1",
    "shade": "#ddf4ff",
    "accent": "#bc4c00",
    **dict(zip(
        (f"heat{n}" for n in range(HEATS)),
        ("#eef1f4", "#d6e4f0", "#b0d0e8", "#7fb4dc", "#4d94cc", "#2a72b5", "#15518f", "#0a3161"),
        strict=True,
    )),
}  # fmt: skip
DARK = {
    "paper": "#0d1117",
    "ink": "#e6edf3",
    "faint": "#9198a1",
    "grid": "#30363d",
    "main": "#4493f8",
    "other": "#545d68",
    "shade": "#12263f",
    "accent": "#f0883e",
    **dict(zip(
        (f"heat{n}" for n in range(HEATS)),
        ("#1c2229", "#1d3145", "#1f4465", "#225b8b", "#3377b0", "#5497cf", "#86bce6", "#c6e2f7"),
        strict=True,
    )),
}  # fmt: skip

Point = tuple[float, float]


class Rect(msgspec.Struct, frozen=True):
    """A filled rectangle; `note` is shown by a browser when pointed at, `outline` is the colour of its border or ""."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    note: str = ""
    outline: str = ""


class Path(msgspec.Struct, frozen=True):
    """Straight lines from point to point, dashed or not."""

    points: tuple[Point, ...]
    ink: str
    width: float = 1.0
    dashed: bool = False


class Dot(msgspec.Struct, frozen=True):
    """A small disc."""

    x: float
    y: float
    radius: float
    fill: str


class Label(msgspec.Struct, frozen=True):
    """A line of text; `anchor` is start, middle or end, `y` is its base line."""

    x: float
    y: float
    text: str
    size: float = 12.0
    ink: str = "ink"
    anchor: str = "start"
    bold: bool = False


Shape = Rect | Path | Dot | Label


class Drawing:
    """Shapes in the order in which they are painted, on paper of a size in pixels."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[Shape] = []

    def add(self, *shapes: Shape) -> None:
        """Paint over what is there."""
        self.shapes.extend(shapes)

    def place(self, other: Drawing, x: float, y: float) -> None:
        """Paint another drawing with its corner at a point."""
        self.shapes.extend(_moved(shape, x, y) for shape in other.shapes)

    def svg(self) -> str:
        """The drawing as a document of its own."""
        size = f'width="{_number(self.width)}" height="{_number(self.height)}"'
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">', f"<title>{clean(self.title)}</title>"]
        lines += ["<style>", *_styles(), "</style>", '<rect class="paper" width="100%" height="100%"/>']
        return "\n".join([*lines, *map(_element, self.shapes), "</svg>", ""])


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Path):
        return msgspec.structs.replace(shape, points=tuple((a + x, b + y) for a, b in shape.points))
    return msgspec.structs.replace(shape, x=shape.x + x, y=shape.y + y)


def clean(text: str) -> str:
    """A text from a page as XML takes it."""
    return escape("".join(letter if letter.isprintable() else " " for letter in text), quote=False)


def shorten(text: str, most: int) -> str:
    """A text without its middle when it is longer than so many characters."""
    return text if len(text) <= most else f"{text[: most // 3]}…{text[len(text) - (most - most // 3 - 1) :]}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _styles() -> Iterator[str]:
    yield f"text {{ font-family: {FONT}; }}"
    yield from _colours(LIGHT)
    yield "@media (prefers-color-scheme: dark) {"
    yield from _colours(DARK)
    yield "}"


def _colours(palette: dict[str, str]) -> Iterator[str]:
    for name, colour in palette.items():
        yield f".{name} {{ fill: {colour} }} .line-{name}, .edge-{name} {{ stroke: {colour} }} .line-{name} {{ fill: none }}"


def _element(shape: Shape) -> str:
    if isinstance(shape, Rect):
        return _rect(shape)
    if isinstance(shape, Path):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        dashes = ' stroke-dasharray="4 3"' if shape.dashed else ""
        return f'<polyline class="line-{shape.ink}" stroke-width="{_number(shape.width)}"{dashes} points="{points}"/>'
    if isinstance(shape, Dot):
        return f'<circle class="{shape.fill}" cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"/>'
    bold = ' font-weight="600"' if shape.bold else ""
    place = f'x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size)}" text-anchor="{shape.anchor}"'
    return f'<text class="{shape.ink}" {place}{bold}>{clean(shape.text)}</text>'


def _rect(shape: Rect) -> str:
    edge = f" edge-{shape.outline}" if shape.outline else ""
    place = f'x="{_number(shape.x)}" y="{_number(shape.y)}" width="{_number(shape.width)}" height="{_number(shape.height)}"'
    start = f'<rect class="{shape.fill}{edge}" {place}' + (' stroke-width="2"' if edge else "")
    return f"{start}><title>{clean(shape.note)}</title></rect>" if shape.note else f"{start}/>"

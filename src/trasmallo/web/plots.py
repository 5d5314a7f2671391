"""Pictures that pages hold: graphs whose nodes can be followed, and curves. Places are pixels of a sheet of a fixed size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from trasmallo.results.graphs import Graph, Node
from trasmallo.values.drawing.springs import spread

WIDTH, HEIGHT = 960, 560  # judgement: pixels; fits a page of the app
_MARGIN_X, _MARGIN_Y = 90, 30  # judgement: pixels for names of nodes
LEFT, RIGHT, TOP, BOTTOM = 60, 200, 20, 40  # judgement: pixels for ticks and legend


class Dot(msgspec.Struct, frozen=True):
    """A node: its place, radius, text and address; `centre` is the one that was asked for."""

    x: float
    y: float
    radius: float
    text: str
    address: str
    title: str = ""
    centre: bool = False


class PlotEdge(msgspec.Struct, frozen=True):
    """An edge: its ends, its thickness, and what it says."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    title: str


class PlotSheet(msgspec.Struct, frozen=True):
    """A graph as it is drawn."""

    dots: tuple[Dot, ...]
    lines: tuple[PlotEdge, ...]
    width: int = WIDTH
    height: int = HEIGHT


def sheet_of(graph: Graph, address: Callable[[Node], str], name: Callable[[Node], str]) -> PlotSheet:
    """A graph with a place for each node; heavier nodes and edges are larger."""
    places = spread(len(graph.nodes), [(edge.source, edge.target) for edge in graph.edges], graph.centre)
    at = [(_MARGIN_X + x * (WIDTH - 2 * _MARGIN_X), _MARGIN_Y + y * (HEIGHT - 2 * _MARGIN_Y)) for x, y in places]
    largest = max((node.size for node in graph.nodes), default=0) or 1
    heaviest = max((edge.weight for edge in graph.edges), default=0) or 1
    dots = [
        Dot(
            x=round(x, 1),
            y=round(y, 1),
            radius=round(4 + 9 * math.sqrt(node.size / largest), 1),
            text=name(node),
            address=address(node),
            title=node.title,
            centre=number == graph.centre,
        )
        for number, (node, (x, y)) in enumerate(zip(graph.nodes, at, strict=True))
    ]
    lines = [_line(at[edge.source], at[edge.target], max(edge.weight, 0) / heaviest, str(edge.count)) for edge in graph.edges]
    return PlotSheet(tuple(dots), tuple(lines))


def _line(begin: tuple[float, float], end: tuple[float, float], share: float, title: str) -> PlotEdge:
    x1, y1, x2, y2 = (round(value, 1) for value in (*begin, *end))
    return PlotEdge(x1=x1, y1=y1, x2=x2, y2=y2, width=round(1 + 3 * share, 1), title=title)


class Curve(msgspec.Struct, frozen=True):
    """A curve with its name at its end; `points` are as `<polyline>` takes them."""

    name: str
    points: str
    x: float
    y: float


class Chart(msgspec.Struct, frozen=True):
    """Curves over two axes with marks: (place, value)."""

    curves: tuple[Curve, ...]
    across: tuple[tuple[float, float], ...]
    up: tuple[tuple[float, float], ...]
    width: int = WIDTH
    height: int = 380
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = 380 - BOTTOM


def chart_of(named: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> Chart:
    """Curves from their points; both axes begin at 0."""
    most_x = max((x for _, points in named for x, _ in points), default=0) or 1
    most_y = max((y for _, points in named for _, y in points), default=0) or 1
    empty = Chart((), (), ())

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            round(empty.left + (empty.right - empty.left) * x / most_x, 1),
            round(empty.bottom - (empty.bottom - empty.top) * y / most_y, 1),
        )

    curves = [(name, [place(x, y) for x, y in points]) for name, points in named if points]
    apart = _apart([places[-1][1] for _, places in curves])
    drawn = tuple(
        Curve(name, " ".join(f"{x},{y}" for x, y in places), places[-1][0], level)
        for (name, places), level in zip(curves, apart, strict=True)
    )
    across = tuple((place(value, 0)[0], value) for value in _round_steps(most_x))
    up = tuple((place(0, value)[1], value) for value in _round_steps(most_y))
    return Chart(drawn, across, up)


def _apart(levels: list[float], least: float = 16) -> list[float]:
    """Levels of names, moved so that none covers another."""
    moved = dict.fromkeys(range(len(levels)), 0.0)
    above = -least
    for place in sorted(moved, key=levels.__getitem__):
        moved[place] = above = max(levels[place], above + least)
    return [moved[place] for place in range(len(levels))]


def _round_steps(most: float) -> list[float]:
    unit = 10.0 ** math.floor(math.log10(most / 5))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= most / 5)
    return [number * step for number in range(int(most / step) + 1)]

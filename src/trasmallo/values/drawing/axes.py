"""A chart's frame: where values lie on the paper, its ticks and their names."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from trasmallo.values.drawing.shapes import Drawing, Label, Path, Rect

WIDTH = 960.0  # judgement: pixels; fits a page of the app
LEFT, RIGHT, TOP, BOTTOM = 64.0, 24.0, 74.0, 48.0  # judgement: pixels for ticks and their names

Scale = Callable[[float], float]


class Frame:
    """A drawing with axes; `x` and `y` turn values into places."""

    def __init__(
        self, title: str, hint: str, size: tuple[float, float], most: tuple[float, float], *, curbed: bool = False
    ) -> None:
        self.drawing = panel(title, hint, *size)
        self.left, self.right = LEFT, size[0] - RIGHT
        self.top, self.bottom = TOP, size[1] - BOTTOM
        self.most_x, self.most_y = max(most[0], 1e-9), max(most[1], 1e-9)
        # Ratios run over three powers of ten; their logarithm shows the low ones too.
        self._curbed: Scale = math.log1p if curbed else float

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        return self.left + (self.right - self.left) * value / self.most_x

    def y(self, value: float) -> float:
        """Where a value lies from bottom to top."""
        return self.bottom - (self.bottom - self.top) * self._curbed(value) / self._curbed(self.most_y)

    def x_steps(self) -> list[float]:
        """Round values from left to right."""
        return _round_steps(self.most_x)

    def x_label(self, value: float) -> str:
        """What is written under one of them."""
        return _figure(value)

    def y_steps(self) -> list[float]:
        """Round values from bottom to top."""
        return _powers(self.most_y) if self._curbed is math.log1p else _round_steps(self.most_y)

    def rule(self, x_name: str, y_name: str) -> None:
        """Draw lines and names for round values of both axes."""
        for value in self.y_steps():
            height = self.y(value)
            self.drawing.add(Path(((self.left, height), (self.right, height)), "grid"))
            self.drawing.add(Label(self.left - 8, height + 4, _figure(value), size=11, ink="faint", anchor="end"))
        for value in self.x_steps():
            label = self.x_label(value)
            self.drawing.add(Label(self.x(value), self.bottom + 17, label, size=11, ink="faint", anchor="middle"))
        self.drawing.add(Path(((self.left, self.bottom), (self.right, self.bottom)), "faint"))
        self.drawing.add(Label(self.right, self.bottom + 36, x_name, size=11, ink="faint", anchor="end"))
        self.drawing.add(Label(self.left, self.top - 10, y_name, 11, "faint"))

    def key(self, entries: Sequence[tuple[str, str]]) -> None:
        """What the colours mean, below the chart at the left."""
        at = self.left
        for colour, name in entries:
            self.drawing.add(Rect(at, self.bottom + 27, 10, 10, colour), Label(at + 15, self.bottom + 36, name, 11, "faint"))
            at += 34 + 6.2 * len(name)


class LogFrame(Frame):
    """A drawing with two logarithmic axes; the smallest values of both are above 0."""

    def __init__(
        self, title: str, hint: str, size: tuple[float, float], least: tuple[float, float], most: tuple[float, float]
    ) -> None:
        super().__init__(title, hint, size, most)
        self.least_x, self.least_y = (min(low, high) for low, high in zip(least, (self.most_x, self.most_y), strict=True))

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        return self.left + (self.right - self.left) * _log_share(value, self.least_x, self.most_x)

    def y(self, value: float) -> float:
        """Where a value lies from bottom to top."""
        return self.bottom - (self.bottom - self.top) * _log_share(value, self.least_y, self.most_y)

    def x_steps(self) -> list[float]:
        """The powers of ten on the axis."""
        return _powers_between(self.least_x, self.most_x)

    def y_steps(self) -> list[float]:
        """The powers of ten on the axis."""
        return _powers_between(self.least_y, self.most_y)


def panel(title: str, hint: str, width: float, height: float) -> Drawing:
    """A piece of paper with a heading and a line under it that says how to read it."""
    drawing = Drawing(width, height, title)
    drawing.add(Label(16, 20, title, size=15, ink="ink", anchor="start", bold=True), Label(16, 37, hint, 11.5, "faint"))
    return drawing


def _round_steps(most: float) -> list[float]:
    """Up to six round values from 0 to the greatest."""
    rough = most / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return [number * step for number in range(int(most / step) + 1)]


def _powers(most: float) -> list[float]:
    return [0.0, *(10.0**power for power in range(math.floor(math.log10(max(most, 1.0))) + 1))]


def _powers_between(least: float, most: float) -> list[float]:
    return [10.0**power for power in range(math.ceil(math.log10(least) - 1e-9), math.floor(math.log10(most) + 1e-9) + 1)]


def _log_share(value: float, least: float, most: float) -> float:
    return math.log(value / least) / math.log(most / least) if most > least else 0.0


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"

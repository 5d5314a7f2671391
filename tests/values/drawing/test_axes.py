from __future__ import annotations

import pytest

from trasmallo.values.drawing.axes import Frame, LogFrame, panel
from trasmallo.values.drawing.shapes import Label


def labels(frame: Frame) -> list[str]:
    return [shape.text for shape in frame.drawing.shapes if isinstance(shape, Label)]


def test_values_lie_between_the_ends() -> None:
    frame = Frame("t", "h", (400, 300), (50, 10))

    assert (frame.x(0), frame.x(50)) == (frame.left, frame.right)
    assert (frame.y(0), frame.y(10)) == (frame.bottom, frame.top)
    assert frame.y(5) == pytest.approx((frame.top + frame.bottom) / 2)


def test_a_curbed_axis_shows_low_values_too() -> None:
    frame = Frame("t", "h", (400, 300), (50, 1000), curbed=True)
    frame.rule("nodes", "ratio")

    assert frame.y(10) < frame.bottom - 0.3 * (frame.bottom - frame.top)
    assert {"0", "1", "10", "100", "1,000", "nodes", "ratio"} <= set(labels(frame))


@pytest.mark.parametrize(
    ("most", "ticks"),
    [(7, ["0", "2", "4", "6"]), (1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]), (2600, ["0", "1,000", "2,000"])],
)
def test_ticks_are_round(most: float, ticks: list[str]) -> None:
    frame = Frame("t", "h", (400, 300), (1e9, most))
    frame.rule("", "")

    assert [text for text in labels(frame) if text in ticks][: len(ticks)] == ticks


def test_nothing_to_show_is_no_error() -> None:
    frame = Frame("t", "h", (400, 300), (0, 0))
    frame.rule("x", "y")
    frame.key((("main", "principal"),))

    assert frame.x(0) == frame.left


def test_a_panel_says_what_it_is() -> None:
    assert [shape.text for shape in panel("Árbol", "cómo leerlo", 100, 50).shapes if isinstance(shape, Label)] == [
        "Árbol",
        "cómo leerlo",
    ]


def test_logarithmic_axes() -> None:
    frame = LogFrame("t", "h", (400, 300), (1, 0.001), (1_000, 1))
    frame.rule("rank", "probability")

    assert (frame.x(1), frame.x(1_000)) == (frame.left, pytest.approx(frame.right))
    assert frame.y(0.001) == pytest.approx(frame.bottom)
    assert frame.x(10) - frame.x(1) == pytest.approx(frame.x(100) - frame.x(10))
    assert {"1", "10", "100", "1,000", "0.001", "0.01", "0.1"} <= set(labels(frame))


def test_a_logarithmic_axis_of_one_value() -> None:
    frame = LogFrame("t", "h", (400, 300), (1, 1), (1, 1))
    frame.rule("x", "y")

    assert (frame.x(1), frame.y(1)) == (frame.left, frame.bottom)

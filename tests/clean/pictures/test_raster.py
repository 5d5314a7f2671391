from __future__ import annotations

import io

from PIL import Image, ImageColor

from trasmallo.clean.pictures.drawing import LIGHT, Dot, Drawing, Label, Path, Rect
from trasmallo.clean.pictures.raster import png


def painted(*shapes: Rect | Path | Dot | Label) -> Image.Image:
    drawing = Drawing(100, 60, "")
    drawing.add(*shapes)
    return Image.open(io.BytesIO(png(drawing)))


def colour(name: str) -> tuple[int, ...]:
    return ImageColor.getrgb(LIGHT[name])


def test_shapes_lie_where_the_svg_has_them() -> None:
    image = painted(
        Rect(20, 10, 20, 20, "main", outline="accent"), Dot(70, 30, 10, "other"), Path(((0, 50), (100, 50)), "ink", 4)
    )

    assert image.size == (150, 90)
    assert image.getpixel((45, 30)) == colour("main")
    assert image.getpixel((31, 16)) == colour("accent")
    assert image.getpixel((105, 45)) == colour("other")
    assert image.getpixel((75, 75)) == colour("ink")
    assert image.getpixel((2, 2)) == colour("paper")


def test_a_dashed_line_has_gaps() -> None:
    image = painted(Path(((0, 30), (100, 30)), "ink", 2, dashed=True))
    row = {image.getpixel((x, 45)) for x in range(150)}

    assert {colour("ink"), colour("paper")} <= row


def test_any_text_can_be_written() -> None:
    written = painted(Label(50, 30, "año 漁 \U0001f41f", 14, anchor="middle", bold=True))

    assert written.convert("L").getextrema()[0] < 100


def test_nothing_of_no_size_is_painted() -> None:
    assert painted(Rect(10, 10, 0, 0, "main")).getcolors() == [(150 * 90, colour("paper"))]


def test_the_same_drawing_gives_the_same_file() -> None:
    drawing = Drawing(40, 40, "")
    drawing.add(Label(2, 20, "red"))

    assert png(drawing) == png(drawing)

"""Pictures, read back by a small PNG reader of the tests' own."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from trasmallo.values.drawing.raster import png
from trasmallo.values.drawing.shapes import LIGHT, Dot, Drawing, Label, Path, Rect


def painted(*shapes: Rect | Path | Dot | Label) -> NDArray[np.uint8]:
    drawing = Drawing(100, 60, "")
    drawing.add(*shapes)
    return pixels(png(drawing))


def pixels(file: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG file whose lines have no filter; checks its frame."""
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(file):
        length, name = struct.unpack_from(">I4s", file, at)
        content = file[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", file, at + 8 + length)[0] == zlib.crc32(name + content)
        chunks[name] = content
        at += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 3)


def colour(name: str) -> list[int]:
    return list(bytes.fromhex(LIGHT[name][1:]))


def test_shapes_lie_where_the_svg_has_them() -> None:
    image = painted(
        Rect(20, 10, 20, 20, "main", outline="accent"), Dot(70, 30, 10, "other"), Path(((0, 50), (100, 50)), "ink", 4)
    )

    assert image.shape == (90, 150, 3)
    assert image[30, 45].tolist() == colour("main")
    assert image[16, 31].tolist() == colour("accent")
    assert image[45, 105].tolist() == colour("other")
    assert image[75, 75].tolist() == colour("ink")
    assert image[2, 2].tolist() == colour("paper")


def test_a_dashed_line_has_gaps() -> None:
    image = painted(Path(((0, 30), (100, 30)), "ink", 2, dashed=True))
    row = image[45].tolist()

    assert colour("ink") in row
    assert colour("paper") in row


def test_any_text_can_be_written() -> None:
    written = painted(Label(50, 30, "año 漁 \U0001f41f", 14, anchor="middle", bold=True))

    assert written.min() < 100


def test_spanish_letters_are_not_boxes() -> None:
    accented, plain, unknown = (painted(Label(10, 40, text, 30)) for text in "ón\ue000")

    assert (accented != plain).any()
    assert (accented != unknown).any()
    assert (painted(Label(10, 40, "ñ", 30))[:45] != 255).sum() > (plain[:45] != 255).sum(), "the tilde is above"


def test_labels_end_where_they_should() -> None:
    left, right = painted(Label(50, 30, "word", 12)), painted(Label(50, 30, "word", 12, anchor="end"))

    assert (left[:, :73] == 255).all()
    assert (right[:, 77:] == 255).all()


def test_nothing_of_no_size_is_painted() -> None:
    assert (painted(Rect(10, 10, 0, 0, "main")) == 255).all()


def test_the_same_drawing_gives_the_same_file() -> None:
    drawing = Drawing(40, 40, "")
    drawing.add(Label(2, 20, "red"))

    assert png(drawing) == png(drawing)

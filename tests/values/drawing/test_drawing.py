from __future__ import annotations

import pytest

from trasmallo.values.drawing import Drawing, encode, stack
from trasmallo.values.drawing.axes import Frame
from trasmallo.values.errors import UsageError

CURVE = Frame("Curva", "cómo leerla", (400, 300), (50, 10)).drawing


def test_drawings_stand_under_each_other() -> None:
    bare, titled = stack([CURVE, CURVE], "Curvas"), stack([CURVE, CURVE], "Curvas", "Redes")

    assert titled.height > bare.height > 2 * CURVE.height
    assert "<title>Curvas</title>" in bare.svg()
    assert ">Redes<" in titled.svg()
    assert len(bare.shapes) == 2 * len(CURVE.shapes)


def test_files_by_the_end_of_their_name() -> None:
    assert encode(CURVE, ".svg").startswith(b"<svg ")
    assert encode(Drawing(10, 10, ""), ".PNG").startswith(b"\x89PNG")
    with pytest.raises(UsageError, match="ends in .svg or .png"):
        encode(CURVE, ".gif")

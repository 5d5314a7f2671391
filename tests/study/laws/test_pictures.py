from __future__ import annotations

from lxml import etree

from support.spectra import spectrum
from trasmallo.study.laws import Laws, describe
from trasmallo.study.laws.heaps import Growth
from trasmallo.study.laws.pictures import draw, growth, shares, zipf
from trasmallo.values.drawing import encode
from trasmallo.values.drawing.shapes import Dot, Label, Path, Rect

FREQUENCIES = [1_000 // rank for rank in range(1, 101)]
LAWS = describe(
    spectrum(FREQUENCIES),
    [(rank, f"palabra{rank}", times) for rank, times in enumerate(FREQUENCIES, 1)],
    [Growth(1, 1_000, 60), Growth(2, 3_000, 90), Growth(3, sum(FREQUENCIES), 100)],
    3,
)


def test_every_word_of_the_table_is_a_dot_inside_the_paper() -> None:
    drawing = zipf(LAWS)
    dots = [shape for shape in drawing.shapes if isinstance(shape, Dot)]
    assert len(dots) == len(LAWS.ranks)
    assert all(0 < dot.x < drawing.width and 0 < dot.y < drawing.height for dot in dots)
    assert [dot.x for dot in dots] == sorted(dot.x for dot in dots)


def test_the_laws_are_lines_with_their_parameters() -> None:
    assert LAWS.mandelbrot is not None
    assert LAWS.heaps is not None
    texts = [shape.text for shape in [*zipf(LAWS).shapes, *growth(LAWS).shapes] if isinstance(shape, Label)]
    assert f"Heaps: v = {LAWS.heaps.k:.2f} n^{LAWS.heaps.beta:.3f}" in texts
    assert any(text.startswith(f"Mandelbrot: (r + {LAWS.mandelbrot.beta:.2f})") for text in texts)
    assert len([path for path in zipf(LAWS).shapes if isinstance(path, Path) and path.ink in ("accent", "other")]) == 2


def test_shares_are_two_bars_each() -> None:
    bars = [shape for shape in shares(LAWS).shapes if isinstance(shape, Rect) and shape.note]
    assert len(bars) == 20


def test_the_sheet_is_svg_and_png() -> None:
    sheet = draw(LAWS, "Corpus <demo>")
    assert len(etree.fromstring(encode(sheet, ".svg"))) > 100
    assert encode(sheet, ".png").startswith(b"\x89PNG")


def test_a_single_word_can_be_drawn() -> None:
    laws: Laws = describe(spectrum([3]), [(1, "hola", 3)], [Growth(1, 3, 1)], 1)
    assert encode(draw(laws), ".png").startswith(b"\x89PNG")

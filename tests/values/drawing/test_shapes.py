from __future__ import annotations

from lxml import etree

from trasmallo.values.drawing.shapes import DARK, LIGHT, Dot, Drawing, Label, Path, Rect, clean, shorten


def drawing() -> Drawing:
    made = Drawing(100, 50, "Una <página>")
    made.add(Rect(1, 2, 30.26, 4, "main", "nota & ruta", "accent"), Path(((0, 0), (1, 2)), "ink", 2, dashed=True))
    made.add(Dot(5, 6, 2, "other"), Label(1, 2, "a < b\x00\ud800", 12, "faint", "end", bold=True))
    return made


def test_svg_is_well_formed_and_says_what_it_shows() -> None:
    root = etree.fromstring(drawing().svg().encode())

    assert [etree.QName(element).localname for element in root] == [
        "title", "style", "rect", "rect", "polyline", "circle", "text",
    ]  # fmt: skip
    assert root[0].text == "Una <página>"
    assert root[3][0].text == "nota & ruta"
    assert root[3].get("width") == "30.3"
    assert root[6].text == "a < b  "


def test_every_colour_has_a_dark_one() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert "prefers-color-scheme: dark" in drawing().svg()


def test_the_same_drawing_gives_the_same_file() -> None:
    assert drawing().svg() == drawing().svg()


def test_a_drawing_placed_on_another_moves() -> None:
    sheet = Drawing(300, 300, "")
    sheet.place(drawing(), 10, 20)

    assert sheet.shapes[0] == Rect(11, 22, 30.26, 4, "main", "nota & ruta", "accent")
    assert sheet.shapes[1] == Path(((10, 20), (11, 22)), "ink", 2, dashed=True)


def test_texts_from_pages() -> None:
    assert clean("<a>\n&") == "&lt;a&gt; &amp;"
    assert shorten("/html/body/div", 20) == "/html/body/div"
    assert shorten("abcdefghijklmnopqrstuvwxyz", 10) == "abc…uvwxyz"

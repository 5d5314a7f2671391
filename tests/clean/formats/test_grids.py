from __future__ import annotations

from trasmallo.clean.formats.grids import TextLine, is_item, rows


def row(height: float, *cells: tuple[float, float]) -> TextLine:
    return TextLine("celdas", 10, height, tuple((left, right, "celda") for left, right in cells))


def test_rows_stand_one_under_the_other() -> None:
    lines = [TextLine("texto", 10, 90), row(70, (50, 80), (150, 190)), row(56, (50, 99), (152, 170)), TextLine("texto", 10, 40)]

    assert rows(lines) == {1, 2}


def test_numbers_are_aligned_at_their_right() -> None:
    assert rows([row(70, (50, 80), (180, 190)), row(56, (50, 99), (150, 190))]) == {0, 1}


def test_a_line_alone_and_lines_that_are_not_aligned_are_no_rows() -> None:
    assert rows([row(70, (50, 80), (150, 190))]) == set()
    assert rows([row(70, (50, 80), (150, 190)), row(56, (50, 99), (120, 130))]) == set()
    assert rows([row(70, (50, 80), (150, 190)), row(56, (50, 80), (90, 99), (150, 190))]) == set()


def test_items_begin_with_a_bullet_and_are_no_rows() -> None:
    items = [TextLine("• uno", 10, height, ((50, 54, "•"), (70, 99, "uno"))) for height in (70, 56)]

    assert all(map(is_item, items))
    assert rows(items) == set()
    assert not is_item(TextLine("— Hola, dijo", 10, 70))

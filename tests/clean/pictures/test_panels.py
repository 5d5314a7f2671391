from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from support.broken_markup import soup
from trasmallo.clean.dom import see
from trasmallo.clean.pictures.panels import PANELS, Subject, cetr_result, cnr_result, curve, nodes, slope, tree
from trasmallo.values.drawing.shapes import Dot, Drawing, Label, Path, Rect

SENTENCE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. "
MENU = "<ul>" + "".join(f"<li><a href=/{n}>Sección {n}</a> nueva" for n in range(30)) + "</ul>"
PAGE = f"<nav>{MENU}</nav><main>{f'<p>{SENTENCE * 4}</p>' * 8}</main><footer>{MENU}</footer>"


@pytest.fixture
def subject() -> Subject:
    return Subject(*see(PAGE))


def texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Label)]


def rects(drawing: Drawing, fill: str) -> list[Rect]:
    return [shape for shape in drawing.shapes if isinstance(shape, Rect) and shape.fill == fill]


def test_the_list_has_ratio_and_path_of_the_best_nodes(subject: Subject) -> None:
    drawing = nodes(subject)

    assert "/html/body/main[1]/p[1]" in texts(drawing)
    assert f"{len(''.join(SENTENCE.split())) * 4:,}.0" in texts(drawing)
    assert rects(drawing, "main")[0].width == max(rect.width for rect in rects(drawing, "main"))


def test_the_curve_rises_and_its_end_is_shaded(subject: Subject) -> None:
    drawing = curve(subject)
    line = next(shape for shape in drawing.shapes if isinstance(shape, Path) and shape.ink == "main")

    heights = [y for _, y in line.points]
    assert heights == sorted(heights, reverse=True)
    assert f"best {subject.taken} of {len(subject.ratios.nodes)}" in texts(drawing)
    assert rects(drawing, "shade")[0].x + rects(drawing, "shade")[0].width == pytest.approx(line.points[-1][0], abs=12)


def test_the_tree_is_dark_where_text_is_dense(subject: Subject) -> None:
    drawing = tree(subject)
    colours = {shape.note.split(":")[0]: shape.fill for shape in drawing.shapes if isinstance(shape, Rect) and shape.note}

    assert colours["/html/body/main[1]/p[1]"] > colours["/html/body/footer[1]/ul[1]"]
    assert "main block: /html/body/main[1]" in texts(drawing)


def test_children_stand_under_their_parent(subject: Subject) -> None:
    placed = {shape.note.split(":")[0]: shape for shape in tree(subject).shapes if isinstance(shape, Rect) and shape.note}
    parent, child = placed["/html/body/main[1]"], placed["/html/body/main[1]/p[8]"]

    assert parent.y < child.y
    assert parent.x <= child.x
    assert child.x + child.width <= parent.x + parent.width + 1


def test_results_colour_the_main_blocks(subject: Subject) -> None:
    assert len(rects(cnr_result(subject), "main")) == 8 + 1
    assert len(rects(cetr_result(subject), "main")) >= 8
    dots = [shape for shape in cetr_result(subject).shapes if isinstance(shape, Dot)]
    assert {dot.fill for dot in dots} == {"main", "other"}


def test_the_plateau_holds_the_text(subject: Subject) -> None:
    words = 8 * 4 * len(SENTENCE.split())

    assert any(text.startswith(f"plateau: {words:,} of ") for text in texts(slope(subject)))


@settings(deadline=None, max_examples=40)
@given(soup, st.sampled_from(sorted(PANELS)))
def test_any_soup_can_be_drawn(html: str, name: str) -> None:
    drawing = PANELS[name](Subject(*see(html)))

    root = etree.fromstring(drawing.svg().encode())
    assert len(root) >= len(drawing.shapes)


def test_a_large_page_gives_no_large_picture() -> None:
    drawing = tree(Subject(*see(f"<div>{'<p>uno<b>dos</b>' * 20_000}</div>")))

    assert len(drawing.shapes) < 5_000
    assert len(cnr_result(Subject(*see(f"<div>{'<p>uno' * 20_000}</div>"))).shapes) < 2_500

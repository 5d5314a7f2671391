from __future__ import annotations

import pytest

from support.slicing_vectors import LEXICON
from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.extent import Extent, find_extent
from trasmallo.clean.slicing.matching import Matcher, WordComparison
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.clean.slicing.page import PageArrays, from_flat
from trasmallo.clean.slicing.relevance import find_relevant
from trasmallo.clean.slicing.tolerance import read_tolerance

HTML = "<p>El <b>gato</b> de la casa duerme. Un perro ladra.<img src=x></p><p>Otra cosa.</p>"


def extent_of(html: str, criterion: str, tolerance: str) -> tuple[PageArrays, Extent]:
    matcher = Matcher(from_flat(flatten(html)), WordComparison())
    tree = parse(criterion)
    found = find_relevant(matcher, tree)
    return matcher.page, find_extent(matcher, tree, found, read_tolerance(tolerance), Lexicon(LEXICON))


def shown(html: str, criterion: str, tolerance: str) -> str:
    page, extent = extent_of(html, criterion, tolerance)
    taken = []
    for node, text in enumerate(page.text):
        if extent.whole[node]:
            taken.append(text)
        taken += [text[start:end] for start, end in extent.parts.get(node, [])]
    return "|".join(filter(None, taken))


@pytest.mark.parametrize(
    ("tolerance", "text"),
    [
        ("0", "gato"),
        ("1", "El |gato| de la casa duerme. Un perro ladra."),
        ("near:0", "gato"),
        ("near:1", "El |gato| de"),
        ("near:3", "El |gato| de la casa"),
        ("near:4", "El |gato| de la casa duerme."),
        ("near:5", "El |gato| de la casa duerme. Un perro ladra."),
        ("near:6", "El |gato| de la casa duerme. Un perro ladra.|Otra cosa."),
        ("meaning:0", "El |gato| de la"),
        ("meaning:1", "El |gato| de la casa"),
        ("meaning:2", "El |gato| de la casa duerme."),
        ("meaning:3", "El |gato| de la casa duerme. Un perro ladra."),
    ],
)
def test_what_is_taken_in(tolerance: str, text: str) -> None:
    assert shown(HTML, "gato", tolerance) == text


def test_related_words_are_found_far_away() -> None:
    html = "<p>Un gato.</p>" + "<p>Nada aquí ahora mismo.</p>" * 9 + "<p>Llegó tarde ayer otro perro.</p>"
    assert shown(html, "gato", "meaning:4").endswith("perro.")
    assert "perro" not in shown(html, "gato", "near:4")


@pytest.mark.parametrize(("tolerance", "most"), [("0", 2), ("near:0", 6), ("near:99", 6), ("meaning:0", 4)])
def test_the_greatest_useful_tolerance(tolerance: str, most: int) -> None:
    assert extent_of(HTML, "gato", tolerance)[1].most == most
    kind = tolerance.rpartition(":")[0]
    page, extent = extent_of(HTML, "gato", f"{kind}:{most}" if kind else str(most))
    assert extent.whole[page.scope]


def test_pictures_go_with_what_is_around_them() -> None:
    page, extent = extent_of(HTML, "gato", "near:5")
    assert extent.whole[page.tag.index("img")]
    page, extent = extent_of(HTML, "gato", "near:4")
    assert not extent.whole[page.tag.index("img")]


def test_a_node_without_a_found_word_is_taken_whole() -> None:
    assert shown("<p>a</p><p title=gato>uno dos</p>", "gato", "near:0") == "uno dos"
    page, extent = extent_of("<p>a<img alt=gato></p>", "gato", "near:0")
    assert extent.whole[page.tag.index("img")]


def test_places_lead_back_through_folding() -> None:
    assert shown("<p>u\u0301no ga\u00adto\u0301 dós</p>", "gato", "near:0") == "ga\u00adto\u0301"

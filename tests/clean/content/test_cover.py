from __future__ import annotations

import pytest

from trasmallo.clean.content.cover import common, cover
from trasmallo.clean.dom import see
from trasmallo.clean.flat import FlatPage


def covered(html: str, main: list[bool]) -> list[str]:
    page, layout = see(html)
    paths = page.paths()
    return [paths[node] + "/text()" * (page.tag[node] == "#text") for node in cover(page, layout, main)]


@pytest.mark.parametrize(
    ("html", "main", "expected"),
    [
        ("<p>a<p>b", [True, True], ["/html/body"]),
        ("<p>a<p>b", [False, False], []),
        ("", [], []),
        ("<p>a<div><p>b<p>c</div>", [False, True, True], ["/html/body/div[1]"]),
        ("<p>a<div><p>b<p>c</div>", [False, True, False], ["/html/body/div[1]/p[1]"]),
        ("<div>a<p>b</p>c</div>", [True, False, True], ["/html/body/div[1]/text()", "/html/body/div[1]/text()"]),
        ("<div>a <b>c</b><p>b</p></div>", [True, False], ["/html/body/div[1]/text()", "/html/body/div[1]/b[1]"]),
        ("<div><img><p>a</p></div><p>b", [True, False], ["/html/body/div[1]"]),
        ("<p>a<p hidden>x<p>b", [True, False], ["/html/body/p[1]"]),
    ],
)
def test_nodes_hold_main_text_and_no_other(html: str, main: list[bool], expected: list[str]) -> None:
    assert covered(html, main) == expected


def test_the_smallest_node_around() -> None:
    page, _ = see("<div><p>a<p>b</div><p>c")

    def node(tag: str, number: int = 0) -> int:
        return [index for index, name in enumerate(page.tag) if name == tag][number]

    assert common(page, [node("p")]) == node("p")
    assert common(page, [node("p"), node("p", 1)]) == node("div")
    assert common(page, [node("p", 1), node("p", 2)]) == node("body")


def test_an_empty_page_has_nothing_to_cover() -> None:
    _, layout = see("")
    assert cover(FlatPage(), layout, []) == []

from __future__ import annotations

import pytest

from support.article_pages import SENTENCE
from trasmallo.clean.content.menus import compute, find_menus
from trasmallo.clean.dom import see

ENTRIES = "".join(f"<li><a href=/{n}>Sección {n}</a></li>" for n in range(9))


def menus_of(html: str, count: int = 10, favour: float = 0.5) -> list[tuple[str, int]]:
    page, layout = see(html)
    return [(page.paths()[found.node], found.size) for found in find_menus(page, layout, count, favour=favour)]


@pytest.mark.parametrize(
    ("html", "menus"),
    [
        (f"<div><ul>{ENTRIES}</ul></div><p>{SENTENCE * 9}", [("/html/body/div[1]/ul[1]", 9)]),
        (
            f"<p>{SENTENCE * 9}<div><a href=/a>A</a> | <a href=/b>B</a> | <a href=/c>C</a></div><ul>{ENTRIES}</ul>",
            [("/html/body/ul[1]", 9), ("/html/body/div[1]", 3)],
        ),
        (f"<p>{SENTENCE} <a href=/a>uno</a> {SENTENCE} <a href=/b>dos</a> <a href=/c>tres</a>", []),
        ("<ul>" + f"<li><a href=/x>{SENTENCE}</a>" * 9 + "</ul>", []),
        ("<p><a name=x>uno</a><a name=y>dos</a><a name=z>tres</a>", []),
        (f"<ul hidden>{ENTRIES}</ul><p>{SENTENCE * 9}", []),
        ("", []),
    ],
)
def test_menus(html: str, menus: list[tuple[str, int]]) -> None:
    assert menus_of(html) == menus


def test_no_more_menus_than_asked_for() -> None:
    html = f"<p>{SENTENCE * 9}</p>".join(f"<ul>{ENTRIES}</ul>" for _ in range(4))

    assert len(menus_of(html, 2)) == 2
    assert len(menus_of(html)) == 4


def test_favour_asks_for_less() -> None:
    html = f"<p>{SENTENCE * 9}</p><ul>" + "<li><a href=/a>Red</a> nueva</li>" * 2 + f"{ENTRIES}</ul>"

    assert menus_of(html, favour=0) == []
    assert menus_of(html, favour=1) == [("/html/body/ul[1]", 11)]


def test_the_ratio_is_links_per_link_and_word() -> None:
    page, layout = see("<p>dos palabras <a href=/>enlace</a> <a href=/>con cinco o seis palabras</a>")
    paragraph = page.tag.index("p")

    assert compute(page, layout).ratio(paragraph) == 2 / (2 + 2 + 1)

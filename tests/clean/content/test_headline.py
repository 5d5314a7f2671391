from __future__ import annotations

import pytest

import trasmallo
from support.article_pages import MENU, SENTENCE
from trasmallo.clean.content.headline import FARTHEST, add_headline
from trasmallo.clean.dom import see

PROSE = f"<p>{SENTENCE * 4}</p>" * 5


def main_with_headline(html: str, main: list[bool]) -> list[bool]:
    return add_headline(*see(html), main)


def test_the_headline_beside_the_main_block_belongs_to_it() -> None:
    html = f"<h1>Las redes</h1><div id=content>{PROSE}</div>"
    assert "Las redes" not in trasmallo.extract(html, method="cnr").text
    assert trasmallo.extract(html, method="cnr", headline=True).text.startswith("Las redes\n")


@pytest.mark.parametrize(
    ("html", "main", "found"),
    [
        ("<h1>t</h1><p>a<p>b", [False, True, True], [True, True, True]),
        ("<h1>t</h1><p>3 de mayo<p>b", [False, False, True], [True, False, True]),
        ("<header><h1><a href=/>t</a></h1></header><p>b", [False, True], [True, True]),
        ("<h2>t</h2><p>b", [False, True], [False, True]),
        ("<p>b<h1>t</h1>", [True, False], [True, False]),
        ("<h1>sitio</h1><h1>t</h1><p>b", [False, False, True], [False, True, True]),
        ("<p>a<p>b", [False, False], [False, False]),
    ],
)
def test_only_the_nearest_headline_above(html: str, main: list[bool], found: list[bool]) -> None:
    assert main_with_headline(html, main) == found


def test_a_headline_far_above_is_another_block_s() -> None:
    near, far = (["<h1>t</h1>", *["<p>x"] * between, "<p>b"] for between in (FARTHEST, FARTHEST + 1))
    assert main_with_headline("".join(near), [False] * (len(near) - 1) + [True])[0]
    assert not main_with_headline("".join(far), [False] * (len(far) - 1) + [True])[0]


def test_a_headline_that_was_taken_in_is_told_once() -> None:
    html = f"<nav>{MENU}</nav><article><h1>Las redes</h1>{PROSE}</article>"
    assert trasmallo.extract(html, headline=True).text.count("Las redes") == 1

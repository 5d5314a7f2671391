"""The demo's markup: its blocks, its inline marks, and what it escapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from trasmallo.demo.markup import Shape, parse, plain, render

TAGS = {
    "paragraph": "<p>{}</p>",
    "heading": "<h2>{}</h2>",
    "quotation": "<q>{}</q>",
    "list": "<ul>{}</ul>",
    "item": "<li>{}</li>",
    "table": "<table>{}</table>",
    "row": "<tr>{}</tr>",
    "cell": "<td>{}</td>",
    "emphasis": "<i>{}</i>",
    "strong": "<b>{}</b>",
    "link": '<a href="{0}">{1}</a>',
    "related link": '<a href="{0}" rel="{2}">{1}</a>',
    "image": '<img src="{0}" alt="{1}">',
}
SHAPE = Shape(TAGS, lambda address: address.replace("faro:", "http://h"), lambda prefix: f"<list {prefix}>")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo", "<p>one two</p>"),
        ("## A & B", "<h2>A &amp; B</h2>"),
        ("> said", "<q>said</q>"),
        ("- a\n- *b*", "<ul><li>a</li>\n<li><i>b</i></li></ul>"),
        ("| a | b |\n| c | **d** |", "<table><tr><td>a</td><td>b</td></tr>\n<tr><td>c</td><td><b>d</b></td></tr></table>"),
        ("[x](faro:/y)", '<p><a href="http://h/y">x</a></p>'),
        ('[x](/y "nofollow")', '<p><a href="/y" rel="nofollow">x</a></p>'),
        ("![x](/y.png)", '<p><img src="/y.png" alt="x"></p>'),
        ("{{/puerto/}}", "<list /puerto/>"),
        ("a\n\n\nb", "<p>a</p>\n<p>b</p>"),
        ("", ""),
    ],
)
def test_renders(text: str, html: str) -> None:
    assert render(text, SHAPE) == html


def test_plain_text_has_no_marks() -> None:
    assert plain("**a** *b* [c](/d)") == "a b c"


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="*[]()#->|{}!"), min_size=1))
def test_text_without_marks_survives(text: str) -> None:
    (block,) = parse(text)
    assert block.text == text
    body = LexborHTMLParser(render(text, SHAPE)).body
    assert body is not None
    assert body.text() == text

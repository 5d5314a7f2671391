"""The text of a page from its octets."""

from __future__ import annotations

from trasmallo.crawl.page_text import text_outside


def test_scripts_styles_and_links_are_left_out() -> None:
    page = b"<title>Mar</title><style>p{}</style><p>una <b>red</b> <a href='/x'>aqu\xc3\xad</a> rota<script>if(a<b){}</script>."
    assert text_outside(page).split() == [b"Mar", b"una", b"red", b"rota", b"."]


def test_who_asks_says_what_is_left_out() -> None:
    page = b"<title>Mar</title><p>una <a href='/x'>red</a>"
    assert text_outside(page, frozenset([b"title"])).split() == [b"una", b"red"]


def test_an_element_that_never_ends_takes_the_rest() -> None:
    assert text_outside(b"a<script>b<p>c").split() == [b"a"]

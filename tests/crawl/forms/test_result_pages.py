# ruff: noqa: E501 - markup is one line
"""What a page of results lists."""

from __future__ import annotations

from trasmallo.crawl.forms.result_pages import links_of, read_results

URL = "https://a.example/search?q=barca&page=1"
HTML = b"""<a href="/">home</a><ol>
<li><h3><a href="/p/1">Uno</a></h3><p>barca vela</p></li><li><a href="/p/2">Dos</a><span>barca red</span> <a href="/p/2#c">x</a></li></ol>
<a href="/search?q=barca&amp;page=2">2</a><a href="/search?q=otra">otra</a><a href="https://b.example/">fuera</a>"""


def test_documents_their_words_and_further_pages_are_told_apart() -> None:
    page = read_results(HTML, URL, "q", frozenset({"https://a.example/"}))
    assert dict(page.documents) == {
        "https://a.example/p/1": ("uno", "barca", "vela"),
        "https://a.example/p/2": ("dos", "barca", "red"),
    }
    assert page.further == ("https://a.example/search?q=barca&page=2",)


def test_a_page_without_results_has_only_its_frame() -> None:
    empty = b'<a href="/">home</a><p>Sin resultados</p>'
    frame = links_of(empty, URL)
    assert frame == {"https://a.example/"}
    assert read_results(empty, URL, "q", frame).documents == ()

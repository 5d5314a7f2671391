from __future__ import annotations

import pytest

from support.sample_documents import make_epub
from trasmallo.clean.formats.epub import read_epub
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable

LOCK = (
    '<e xmlns="u"><EncryptedData><EncryptionMethod Algorithm="{}"/><CipherData>'
    '<CipherReference URI="OPS/t/99.xhtml"/></CipherData></EncryptedData></e>'
).format


def read(content: bytes) -> HtmlBuilder:
    page = HtmlBuilder()
    read_epub(content, page)
    return page


def test_chapters_in_the_order_of_the_spine() -> None:
    page = read(make_epub("<h1>Uno</h1><p>a<br/>b</p><div/>", '<p>dos <a href="99.xhtml#x">véase</a></p>'))

    assert page.title == "Título"
    assert page.body() == ("<section><h1>Uno</h1><p>a<br>b</p><div></div></section><section><p>dos <a>véase</a></p></section>")


def test_scripts_are_left_out() -> None:
    assert read(make_epub("<script>x()</script><p>a</p>")).body() == "<section><p>a</p></section>"


def test_protected_books_are_refused_but_mangled_fonts_do_not_matter() -> None:
    with pytest.raises(Unreadable, match="encrypted"):
        read(make_epub("<p>a</p>", encryption=LOCK("aes")))
    assert "a" in read(make_epub("<p>a</p>", encryption=LOCK("http://www.idpf.org/2008/embedding"))).body()


def test_a_missing_chapter_is_noted() -> None:
    content = make_epub("<p>a</p>", "<p>b</p>")
    page = read(content.replace(b"OPS/t/98.xhtml", b"OPS/t/97.xhtml"))

    assert page.body() == "<section><p>a</p></section>"
    assert page.losses == ["its part OPS/t/98.xhtml is missing"]

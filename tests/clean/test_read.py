from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import trasmallo
from support.broken_markup import soup
from support.small_pdfs import make_pdf
from trasmallo.clean.read import extract, read
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Drop, Field, Link, Page, PageLinks

URL = "http://example.org/a/"
PROSE = "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado. " * 3
PAGE = f"<html lang=es><head><title>Redes</title></head><body><nav><a href=/>Inicio</a></nav><h1>Año</h1><p>{PROSE}</p></body>"


def test_a_page() -> None:
    page = read(PAGE.encode("latin-1"), url=URL, media="text/html", http_charset="latin1")

    assert (page.url, page.title, page.language, page.charset, page.charset_from) == (
        URL,
        "Redes",
        "es",
        "windows-1252",
        "http",
    )
    assert page.text == f"Inicio\nAño\n{PROSE.strip()}"
    assert page.main_text == f"Año\n{PROSE.strip()}"
    assert [block.path for block in page.blocks] == ["/html/body/nav[1]", "/html/body/h1[1]", "/html/body/p[1]"]
    assert page.fields == (Field("title", "Redes"), Field("heading", "Año"))
    assert page.drop is None


def test_a_page_that_is_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<p>" + "palabras de una página muy larga. " * 100
    assert (extract(page).truncated, extract(page).cause) == (False, "")
    monkeypatch.setattr("trasmallo.clean.flat.MAX_CHARACTERS", 1_000)
    cut = extract(page)
    assert (cut.drop, cut.truncated, cut.cause) == (None, True, "the page is too large to be read to its end")
    assert 900 < len(cut.text) < 1_000
    stored = read(page.encode(), url="http://a.es/")
    assert (stored.drop, stored.cause) == (None, cut.cause)


def test_a_pdf_is_a_page() -> None:
    page = read(make_pdf([[(12, 700, "Las redes de pesca")]], title="Redes"), url=URL, media="application/pdf")

    assert (page.title, page.main_text, page.drop) == ("Redes", "Las redes de pesca", None)


def test_who_is_handed_in_tells_the_language_when_the_page_does_not() -> None:
    asked: list[str] = []

    def detect(text: str) -> str:
        asked.append(text)
        return "gl"

    assert read(f"<p>{PROSE}".encode(), url=URL, detect=detect).language == "gl"
    assert extract(f"<p>{PROSE}", detect=detect).language == "gl"
    assert asked == [PROSE.strip()] * 2
    assert read(PAGE.encode(), url=URL, detect=detect).language == extract(PAGE, detect=detect).language == "es"
    assert (read(f"<p>{PROSE}".encode(), url=URL).language, extract(f"<p>{PROSE}").language) == ("", "")
    assert trasmallo.extract(f"<p>{PROSE}").language == trasmallo.extract(f"<p>{PROSE}").metadata.language == "es"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"html": None}, "`html` is of the type NoneType: give the page as a text or as bytes"),
        ({"html": ["<p>"]}, "`html` is of the type list"),
        ({"url": b"http://a.test/"}, "`url` is of the type bytes: give a text"),
        ({"method": 3}, "`method` is of the type int"),
        ({"favour": "1"}, "`favour` is of the type str: give a number from 0"),
        ({"media": b"text/html"}, "`media` is of the type bytes"),
        ({"charset": None}, "`charset` is of the type NoneType"),
        ({"name": Path("a.html")}, "`name` is of the type PosixPath"),
    ],
)
def test_what_is_of_a_wrong_type_is_one_clear_error(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(problem)}"):
        trasmallo.extract(**{"html": "<p>x", **arguments})


@pytest.mark.parametrize(
    ("content", "drop"),
    [
        (b"", Drop.EMPTY),
        (b"<title>x</title><p> </p>", Drop.EMPTY),
        (b"\x89PNG\r\n\x1a\n", Drop.FORMAT),
        (b"%PDF-1.4", Drop.BROKEN),
        (b"<p>texto", None),
    ],
)
def test_why_a_document_is_dropped(content: bytes, drop: Drop | None) -> None:
    page = read(content, url=URL)

    assert page.drop == drop
    assert bool(page.text) == (drop is None)


def encodings(content: bytes, media: str = "text/html", charset: str = "") -> list[str]:
    """With which encodings the links of a document are asked for."""
    asked: list[str] = []

    def find_links(tree: LexborHTMLParser, url: str, encoding: str) -> PageLinks:
        assert url == URL
        asked.append(encoding)
        return PageLinks(tuple(Link(node.attributes["href"] or "") for node in tree.css("a")), (("robots", "none"),))

    page = read(content, url=URL, media=media, http_charset=charset, find_links=find_links)
    assert (page.links, page.directives) == (((Link("/x"),), (("robots", "none"),)) if asked else ((), ()))
    return asked


def test_the_links_of_a_page_come_from_the_same_tree() -> None:
    link = "<a href=/x>año</a>"
    assert encodings(link.encode()) == ["utf-8"]
    assert encodings(link.encode("latin-1"), charset="latin-1") == ["windows-1252"]
    assert encodings(b"<a href=/x>a&ntilde;o</a>", charset="latin-1") == ["utf-8"]
    assert encodings(f"<p><a href=/x></a><noscript><a href=/y></a>{PROSE}</noscript>".encode()) == ["utf-8"]
    assert encodings(f"<noframes><p><a href=/y></a>{PROSE}</noframes><a href=/x></a>".encode()) == ["utf-8"]


def test_what_is_no_web_page_has_no_links() -> None:
    assert encodings(make_pdf([[(12, 700, "uno")]])) == []
    assert encodings(b"[a](http://b.test/)", "text/markdown") == []
    assert read(b"<a href=/x>x</a>", url=URL).links == ()


def check(page: Page) -> None:
    assert page.drop is not None or page.main_text.strip()
    ends = [0, *(end for block in page.blocks for end in (block.start, block.end))]
    assert ends == sorted(ends)
    assert ends[-1] <= len(page.text)
    assert all(block.start < block.end for block in page.blocks)


@settings(deadline=None, max_examples=60)
@given(
    st.binary(max_size=400) | soup.map(lambda html: html.encode("utf-8", "replace")),
    st.sampled_from(["", "text/html", "text/xml"]),
)
def test_any_bytes_make_a_page_with_blocks_in_order(content: bytes, media: str) -> None:
    check(read(content, url=URL, media=media))


def test_extract_gives_text_markup_and_blocks() -> None:
    found = extract(PAGE.replace("anochecer", "<a href=../b>anochecer</a>"), URL)

    assert found.text == f"Año\n{PROSE.strip()}"
    assert (found.title, found.language, found.drop) == ("Redes", "es", None)
    assert '<a href="http://example.org/b">anochecer</a>' in found.html
    assert found.markdown.startswith("# Año\n\nLa red se cala al [anochecer](http://example.org/b) y se")
    assert "\n".join(found.page_text[b.start : b.end] for b in found.blocks if b.main) == found.text
    assert found.fields[0] == Field("title", "Redes")


def test_extract_gives_metadata() -> None:
    found = extract(
        PAGE.replace("</title>", "</title><meta name=author content='Ana Mar'>"), "http://example.org/2024/05/17/red"
    )

    assert (found.metadata.title, found.metadata.author, found.metadata.date) == ("Redes", "Ana Mar", "2024-05-17")
    assert extract("").metadata.title == ""


def test_blocks_one_after_the_other_and_menus() -> None:
    menu = "".join(f"<li><a href=/{n}>Puerto {n}</a>" for n in range(5))
    found = extract(f"<ul>{menu}</ul><section><p>{PROSE * 3}</p><p>{PROSE}</p></section><aside><p>Corto.</p></aside>")

    blocks = found.ranked_blocks(10)
    assert [block.rank for block in blocks] == list(range(1, len(blocks) + 1))
    assert blocks[0].text.startswith("La red")
    assert sum(block.text.count("calmado") for block in blocks) == 12
    assert [(menu.path, menu.size, menu.ratio) for menu in found.menus(3)] == [("/html/body/ul[1]", 5, 1.0)]
    assert found.picture("tree").svg().startswith("<svg")
    assert extract("").ranked_blocks(3) == extract("").menus(3) == []


def test_extract_takes_bytes_and_the_whole_page() -> None:
    assert extract(PAGE.encode("utf-16"), method="all").text.startswith("Inicio\nAño")
    assert extract(make_pdf([[(12, 700, "uno dos")]])).text == "uno dos"
    assert extract(b"GIF89a").drop == Drop.FORMAT
    assert extract("").text == ""


def test_a_link_without_a_page_address_is_kept_only_when_absolute() -> None:
    found = extract("<p><a href=http://b.org/x>uno</a> <a href=/y>dos</a> <a href=#z>tres</a>")

    assert found.html == '<p><a href="http://b.org/x">uno</a> <a>dos</a> <a>tres</a></p>'


@pytest.mark.parametrize(("method", "favour"), [("worst", 0.5), ("best", 1.1), ("best", -0.1), ("best", float("nan"))])
def test_wrong_arguments_are_refused(method: str, favour: float) -> None:
    with pytest.raises(UsageError):
        extract("<p>x", method=method, favour=favour)


def test_the_blocks_of_a_role_are_the_text_of_what_is_taken() -> None:
    article = (
        "<article>"
        + "<p>La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado.</p>" * 5
        + "</article>"
    )
    found = extract(f"{article}<div id=comments><p>Muy <b>bueno</b>.</p></div>")
    comments = found.take("comments")

    assert (comments.text, comments.markdown) == ("Muy bueno.", "Muy **bueno**.\n")
    assert "anochecer" in found.text
    assert comments.blocks == found.blocks
    with pytest.raises(UsageError, match="unknown role 'footer': choose one of main, comments"):
        found.take("footer")


FRAMED = f"<html lang=es><title>Marco</title><p>Menú</p><iframe srcdoc='<h2>Dentro</h2><p>{PROSE}</p>'></iframe>"
FRAMESET = "<html lang=es><head><title>Marcos</title></head><frameset><frame src=menu.html><frame src=in.html></frameset>"


def test_a_frame_that_holds_more_than_the_page_is_its_content() -> None:
    assert PROSE.strip() in extract(FRAMED).text
    page = read(FRAMED.encode(), url=URL)
    assert (PROSE.strip() in page.main_text, page.title, page.language) == (True, "Marco", "es")


def test_a_frame_beside_the_main_content_stays_closed() -> None:
    beside = f"<article><p>{PROSE}</p><p>{PROSE}</p></article><iframe srcdoc='<p>Anuncio de unas tijeras</p>'></iframe>"
    assert "Anuncio" not in extract(beside).page_text
    assert "Anuncio" not in read(beside.encode(), url=URL).text


def test_a_frameset_is_the_pages_of_its_frames() -> None:
    pages = {"https://e.es/in.html": f"<p>{PROSE}</p>", "https://e.es/menu.html": "<ul><li><a href=/>Inicio</a></ul>"}
    found = extract(FRAMESET, "https://e.es/", load=lambda address: pages.get(address, ""))
    assert PROSE.strip() in found.text
    assert (found.title, found.language, found.drop) == ("Marcos", "es", None)
    assert extract(FRAMESET, "https://e.es/").drop == Drop.EMPTY

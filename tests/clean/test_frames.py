from __future__ import annotations

import pytest

from trasmallo import slice_page
from trasmallo.clean.frames import open_frames
from trasmallo.clean.read import extract, read

PAGES = {
    "https://e.es/in.html": "<title>t</title><body><p>dentro del marco</p>",
    "https://e.es/loop.html": "<p>vuelta</p><iframe src=loop2.html></iframe>",
    "https://e.es/loop2.html": "<p>otra</p><iframe src=loop.html></iframe>",
    "https://otro.es/in.html": "<p>ajeno</p>",
}


def load(address: str) -> str:
    return PAGES.get(address, "")


def test_a_page_in_an_attribute_is_read() -> None:
    html = "<p>fuera</p><iframe title=x srcdoc='<p>El <b>Madrid</b> &amp; más</p>'></iframe>"
    assert slice_page(html, "madrid").text == "Madrid"
    assert slice_page(html, "madrid", 1).text == "El Madrid & más"
    assert '<div title="x"><p>El <b>Madrid</b> &amp; más</p></div>' in open_frames(html)


def test_frames_of_the_same_site_are_read_and_others_are_not() -> None:
    html = "<p>fuera</p><iframe src=in.html></iframe><iframe src=https://otro.es/in.html></iframe>"
    opened = open_frames(html, "https://e.es/a.html", load)
    assert "dentro del marco" in opened
    assert "ajeno" not in opened
    assert slice_page(html, "marco", url="https://e.es/a.html", load=load).text == "dentro del marco"
    assert slice_page(html, "marco", url="https://e.es/a.html").count == 0


def test_a_frameset_becomes_the_pages_of_its_frames() -> None:
    html = "<head><title>Marcos</title></head><frameset><frame src=in.html name=a><frame src=nada.html></frameset>"
    page = slice_page(html, "marco", url="https://e.es/", load=load)
    assert page.text == "dentro del marco"
    assert "<title>Marcos</title>" in page.html


def test_frames_in_circles_end() -> None:
    opened = open_frames("<iframe src=/loop.html></iframe>", "https://e.es/a.html", load)
    assert opened.count("vuelta") + opened.count("otra") == 3


@pytest.mark.parametrize(("source", "found"), [("b.html", "b.html"), ("/b.html", ""), ("file:///b.html", ""), ("#x", "")])
def test_a_page_without_address_has_the_files_beside_it(source: str, found: str) -> None:
    asked: list[str] = []
    open_frames(f"<iframe src='{source}'></iframe>", "", lambda address: asked.append(address) or "")
    assert asked == ([found] if found else [])


def test_a_page_without_frames_stays_as_it_is() -> None:
    html = "<table><td>uno<iframe src=https://otro.es/></iframe>"
    assert open_frames(html, "https://e.es/", load) is html
    assert open_frames("<p>uno", "https://e.es/", load) == "<p>uno"


@pytest.mark.parametrize("around", ["{}", "<noscript>{}</noscript>", "<noframes><p>nada</noframes>{}"])
def test_the_main_content_is_found_in_a_frame_that_holds_its_page(around: str) -> None:
    text = "El puerto abre a las ocho, y a esa hora salen los barcos que pescan en la bahía. " * 8
    html = "<body><p>Marco</p>" + around.format(f"<iframe srcdoc='<article><p>{text}</p></article>'></iframe>")

    assert "salen los barcos" in extract(html).text
    assert "salen los barcos" in read(html.encode(), url="https://e.es/", media="text/html").main_text

from __future__ import annotations

from pathlib import Path

import pytest

from support.small_pdfs import ENCRYPTION, make_pdf
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.pdf import read_lines, read_pdf
from trasmallo.clean.formats.print_layout import lay_out

PAGE = [
    (24, 740, "La red"),
    (12, 700, "El trasmallo es una red de tres pa\u00f1os que se"),
    (12, 686, "cala fija en el fondo, y es muy co-"),
    (12, 672, "nocida."),
    (12, 640, "Otro p\u00e1rrafo."),
]


def test_lines_become_paragraphs_and_headings() -> None:
    page = HtmlBuilder()

    read_pdf(make_pdf([PAGE], title="Redes < todo"), page)

    assert page.document() == (
        "<!doctype html><html><head><title>Redes &lt; todo</title></head><body><h1>La red</h1>"
        "<p>El trasmallo es una red de tres paños que se cala fija en el fondo, y es muy conocida.</p><p>Otro párrafo.</p>"
        "</body></html>"
    )


def test_words_in_heavy_type_are_bold() -> None:
    content = make_pdf([[(12, 700, "la red"), (12, 686, "es vieja")]]).replace(b"/Helvetica ", b"/Helvetica-Bold ")
    page = HtmlBuilder()
    read_pdf(content, page)

    assert page.body() == "<p><b>la red es vieja</b></p>"


def test_pages_and_text_are_bounded() -> None:
    content = make_pdf([[(12, 700, f"pagina {number}")] for number in range(5)])

    assert len(read_lines(content, max_pages=2)[1]) == 2
    assert len(read_lines(content, max_text=10)[1]) == 2


def test_wide_gaps_part_a_line() -> None:
    content = make_pdf([[(12, 700, "izquierda" + " " * 30 + "derecha de todo")]])
    ((line,),) = read_lines(content)[1]

    assert line.text == "izquierda derecha de todo"
    assert [part[2] for part in line.parts] == ["izquierda", "derecha de todo"]
    assert line.parts[0][1] < line.parts[1][0]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"%PDF-1.7\nnothing more", "damaged"),
        (make_pdf([PAGE], trailer=ENCRYPTION), "encrypted: save it without a password"),
        (make_pdf([[]]), "pictures without text"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        read_lines(content)


@pytest.mark.parametrize("cut", range(50, 1200, 50))
def test_a_truncated_file_is_refused_or_read(cut: int) -> None:
    try:
        title, pages = read_lines(make_pdf([PAGE])[:cut])
    except Unreadable:
        return
    assert title == ""
    assert all(text for _, text in lay_out(pages))


def test_what_an_office_program_writes() -> None:
    page = HtmlBuilder()
    read_pdf((Path(__file__).parent / "office" / "redes.pdf").read_bytes(), page)

    assert page.body() == (
        "<p>cabecera</p><h1>Las redes</h1><p>El trasmallo tiene <b>tres paños</b> de distinta malla y <b>poco peso.</b></p>"
        "<h2>Cómo se cala</h2><ul><li>de noche</li><li>con luna nueva</li></ul>"
        "<table><tr><td>paño</td><td>malla</td></tr><tr><td>interior</td><td>estrecha</td></tr></table><p>Más en otro sitio</p>"
    )

from __future__ import annotations

import pytest

from pdfs import ENCRYPTION, make_pdf
from trasmallo.clean.pdf import Line, PdfRefused, paragraphs, read_pdf

PAGE = [
    (24, 740, "La red"),
    (12, 700, "El trasmallo es una red de tres pa\u00f1os que se"),
    (12, 686, "cala fija en el fondo, y es muy co-"),
    (12, 672, "nocida."),
    (12, 640, "Otro p\u00e1rrafo."),
]


def read(content: bytes) -> tuple[str, list[tuple[str, str]]]:
    return read_pdf(content, max_pages=10, max_text=10_000)


def test_lines_become_paragraphs_and_headings() -> None:
    title, found = read(make_pdf([PAGE], title="Redes"))

    assert title == "Redes"
    assert found == [
        ("h1", "La red"),
        ("p", "El trasmallo es una red de tres paños que se cala fija en el fondo, y es muy conocida."),
        ("p", "Otro párrafo."),
    ]


def test_pages_and_text_are_bounded() -> None:
    content = make_pdf([[(12, 700, f"pagina {number}")] for number in range(5)])

    assert len(read_pdf(content, max_pages=2, max_text=1000)[1]) == 2
    assert len(read_pdf(content, max_pages=9, max_text=10)[1]) == 2


def test_the_next_column_goes_on_an_open_sentence() -> None:
    lines = [Line("una frase", 12, 100), Line("sigue", 12, 86), Line("arriba.", 12, 700), Line("Otra", 12, 720)]

    assert paragraphs(lines, 12, []) == [("p", "una frase sigue arriba."), ("p", "Otra")]


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"%PDF-1.7\nnothing more", "damaged"), (make_pdf([PAGE], trailer=ENCRYPTION), "encrypted")],
)
def test_a_file_that_cannot_be_opened_says_why(content: bytes, cause: str) -> None:
    with pytest.raises(PdfRefused, match=cause):
        read(content)


@pytest.mark.parametrize("cut", range(50, 1200, 50))
def test_a_truncated_file_is_refused_or_read(cut: int) -> None:
    try:
        title, found = read(make_pdf([PAGE])[:cut])
    except PdfRefused:
        return
    assert title == ""
    assert all(text for _, text in found)

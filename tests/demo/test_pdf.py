"""The handmade PDF is read by a real reader, whatever its text."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.demo import pdf
from trasmallo.demo.markup import DemoBlock, parse

Reader = Callable[[bytes], list[str]]


def test_headings_and_paragraphs_come_in_order(read_pdf: Reader) -> None:
    (page,) = read_pdf(pdf.write("T", "es", parse("## Título\n\nUn *párrafo* (con paréntesis) y \\barra.")))
    assert page.split("\r\n") == ["Título", "Un párrafo (con paréntesis) y \\barra."]


def test_dashes_start_a_page_and_long_texts_too(read_pdf: Reader) -> None:
    assert [page.strip() for page in read_pdf(pdf.write("T", "es", parse("uno\n\n## ---\n\ndos")))] == ["uno", "dos"]
    assert len(read_pdf(pdf.write("T", "es", [DemoBlock("paragraph", ("palabra " * 80,))] * 20))) > 1


def test_title_is_kept() -> None:
    with pypdfium2.PdfDocument(pdf.write("Catálogo", "es", parse("x"))) as document:
        assert document.get_metadata_dict()["Title"] == "Catálogo"


@settings(max_examples=30)
@given(st.lists(st.from_regex(r"[a-zñáü()\\]{1,12}", fullmatch=True), min_size=1, max_size=200))
def test_every_word_is_read_back(read_pdf: Reader, words: list[str]) -> None:
    read = " ".join(read_pdf(pdf.write("T", "es", [DemoBlock("paragraph", (" ".join(words),))]))).split()
    assert read == words

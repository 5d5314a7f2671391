from __future__ import annotations

from xml.etree.ElementTree import fromstring

from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.properties import write_pdf_properties, write_properties


def fields(page: HtmlBuilder) -> list[tuple[str, str]]:
    return [(field.name, field.text) for field in page.fields]


def test_an_office_document_says_who_wrote_it_and_when() -> None:
    page = HtmlBuilder()
    made = "<c:created>2024-01-02T10:00:00Z</c:created><d:creator>Ana Pérez</d:creator><d:creator>Ana Pérez</d:creator>"
    root = fromstring(
        f'<c:p xmlns:c="c" xmlns:d="d">{made}<c:keywords>redes</c:keywords><c:lastPrinted>x</c:lastPrinted></c:p>'
    )
    write_properties(root, page)  # type: ignore[arg-type]
    assert fields(page) == [("date", "2024-01-02T10:00:00Z"), ("author", "Ana Pérez"), ("keywords", "redes")]
    write_properties(None, page)
    assert len(fields(page)) == 3


def test_a_pdf_does_too() -> None:
    page = HtmlBuilder()
    write_pdf_properties({"Author": "Ana", "CreationDate": "D:20240102103000Z", "Subject": "\0 "}, page)
    assert fields(page) == [("author", "Ana"), ("date", "2024-01-02")]
    plain = HtmlBuilder()
    write_pdf_properties({"CreationDate": "yesterday"}, plain)
    assert fields(plain) == []

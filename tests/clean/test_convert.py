from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.office97 import make_ole
from support.sample_documents import GOOD
from support.small_pdfs import ENCRYPTION, make_pdf
from trasmallo.clean.convert import convert, convert_page
from trasmallo.clean.flat import flatten
from trasmallo.clean.formats.registry import formats
from trasmallo.clean.layout import lay_out
from trasmallo.values.model import Drop


def text_of(content: bytes, media: str = "") -> str:
    return lay_out(flatten(convert(content, media=media).html)).text


def test_plain_text_has_paragraphs() -> None:
    assert text_of("uno\r\ndos\r\n \r\n\r\n<tres> & ñ".encode(), "text/plain") == "uno dos\n<tres> & ñ"


def test_xhtml_may_close_any_element_at_once() -> None:
    page = b"<html xmlns='x'><head><script src='a'/><title/></head><body><p>uno<br/>dos</p><div/>tres</body></html>"

    assert text_of(page, "application/xhtml+xml") == "uno\ndos\ntres"


def test_pdf_becomes_html() -> None:
    converted = convert(make_pdf([[(12, 700, "uno & dos")]], title="T < t"))

    assert converted.html == "<!doctype html><html><head><title>T &lt; t</title></head><body><p>uno &amp; dos</p></body></html>"


@pytest.mark.parametrize(
    ("content", "media", "drop", "cause"),
    [
        (b"%PDF-1.4 broken", "", Drop.BROKEN, "damaged"),
        (make_pdf([], trailer=ENCRYPTION), "", Drop.BROKEN, "encrypted: save it without a password"),
        (make_ole({"EncryptedPackage": b"x"}), "", Drop.BROKEN, "encrypted: save it without a password"),
        (make_ole({"__substg1.0_0037001F": b"x"}), "", Drop.FORMAT, "save it in a newer format"),
        (b"GIF89a", "", Drop.FORMAT, "image/gif"),
        (b"a", "text/x-unheard-of", Drop.FORMAT, "text/x-unheard-of"),
    ],
)
def test_what_is_not_read_says_why(content: bytes, media: str, drop: Drop, cause: str) -> None:
    converted = convert(content, media=media)

    assert (converted.html, converted.drop) == ("", drop)
    assert cause in converted.cause


def test_the_name_is_a_hint() -> None:
    assert "<h1>a</h1>" in convert(b"# a", name="a.md").html


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from([*(known.media for known in formats()), "", "image/svg+xml", "x/y"]))
def test_any_bytes_under_any_name(content: bytes, media: str) -> None:
    converted = convert(content, media=media)

    assert converted.drop is None or not converted.html
    assert converted.drop is None or converted.cause


def test_every_format_goes_through_the_child_but_the_light_ones() -> None:
    for ending, content in GOOD.items():
        assert convert(content, name=f"a.{ending}").drop is None
    assert {known.name for known in formats() if known.light} == {"html", "xhtml", "text", "prepared"}


def test_a_text_that_is_xml_is_read_as_its_bytes_and_xhtml_stays_as_it_is() -> None:
    xml = '\ufeff\n<?xml version="1.0" encoding="iso-8859-1"?><Libro><Título Núm="1">El mar</Título></Libro>'
    found = convert_page(xml)
    assert 'data-element="Título"' in found.html
    assert found.html == convert(xml.encode(), http_charset="utf-8").html
    xhtml = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>El mar</p></body></html>'
    assert convert_page(xhtml).html == xhtml
    for text in ("", "<p>mar", "<?xml", "<?xml \ud800", "<?xml?>" + "<a>" * 3):
        convert_page(text)

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdfs import ENCRYPTION, make_pdf
from trasmallo.clean.convert import CONVERTERS, convert, media_of
from trasmallo.clean.dom import flatten, lay_out
from trasmallo.model import Drop


def text_of(content: bytes, media: str = "") -> str:
    return lay_out(flatten(convert(content, media=media).html)).text


@pytest.mark.parametrize(
    ("content", "told", "found"),
    [
        (b"%PDF-1.4", "text/html", "application/pdf"),
        (b"junk\n%PDF-1.4", "", "application/pdf"),
        (b"PK\x03\x04", "text/html", "application/zip"),
        (b"\x89PNG\r\n\x1a\n", "text/html", "image/png"),
        (b"<!DOCTYPE html><p>", "text/plain", "text/html"),
        (b"<html xmlns='x'>", "application/xhtml+xml", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><!-- x --><html>", "text/xml", "text/html"),
        (b"<?xml version='1.0'?><rss>", "", "application/xml"),
        (b"una frase <b", "", "text/plain"),
        (b"una <p>frase", "application/octet-stream", "text/html"),
        (b"una <p>frase", "text/plain", "text/plain"),
        (b"\0\1\2\3", "text/html", "application/octet-stream"),
        (b"\0\1\2\3", "", "application/octet-stream"),
        (b"\0\1\2\3", "video/mp4", "video/mp4"),
        (b"<p>con un \0 dentro", "text/html", "text/html"),
        ("<p>ñ".encode("utf-16"), "", "text/html"),
        ("ñandú".encode("utf-16"), "", "text/plain"),
        ("<html>".encode("utf-16"), "text/plain", "text/html"),
        (b"x", "Text/HTML; charset=utf-8", "text/html"),
        (b"", "", "text/plain"),
    ],
)
def test_media_by_content(content: bytes, told: str, found: str) -> None:
    assert media_of(content, told) == found


def test_plain_text_has_paragraphs() -> None:
    assert text_of("uno\r\ndos\r\n \r\n\r\n<tres> & ñ".encode(), "text/plain") == "uno dos\n<tres> & ñ"


def test_xml_elements_are_blocks_with_their_names() -> None:
    converted = convert(b"<?xml version='1.0'?><a:x xmlns:a='u' n='1&quot;'><y>uno</y> dos <!-- c --><![CDATA[<z>]]></a:x>")

    assert '<div data-element="x" data-n="1&quot;"><div data-element="y">uno</div> dos &lt;z&gt;</div>' in converted.html


def test_an_entity_bomb_stays_small() -> None:
    rows = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 10))
    bomb = f"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxx'>{rows}]><a>&e9;</a>"

    assert len(convert(bomb.encode()).html) < 10_000


@pytest.mark.parametrize("before", [b"", b"<?xml version='1.0'?>", b"<?xml version='1.0'?><!-- > --><?x y?>\n"])
def test_an_external_entity_is_not_read(before: bytes) -> None:
    attack = before + b"<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>x&f;y</a>"

    assert text_of(attack, "application/xml") == "xy"


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
        (make_pdf([], trailer=ENCRYPTION), "", Drop.BROKEN, "encrypted"),
        (b"GIF89a", "", Drop.FORMAT, "image/gif"),
        (b"a,b", "text/csv", Drop.FORMAT, "text/csv"),
    ],
)
def test_what_is_not_read_says_why(content: bytes, media: str, drop: Drop, cause: str) -> None:
    converted = convert(content, media=media)

    assert (converted.html, converted.drop) == ("", drop)
    assert cause in converted.cause


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from([*CONVERTERS, "", "image/svg+xml", "x/y"]))
def test_any_bytes_under_any_name(content: bytes, media: str) -> None:
    converted = convert(content, media=media)

    assert converted.drop is None or not converted.html

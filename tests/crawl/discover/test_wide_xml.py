"""XML in wide encodings becomes UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.discover.wide_xml import to_utf8

XML = "<?xml version='1.0'{}?><a>ñandú</a>"


@pytest.mark.parametrize("declared", ["", ' encoding="UTF-16"', " encoding = 'utf-32'"])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_texts_are_read_with_and_without_a_mark(codec: str, declared: str) -> None:
    assert to_utf8(XML.format(declared).encode(codec)).decode() == XML.format("")


@pytest.mark.parametrize("codec", ["utf-8", "latin-1"])
def test_others_stay_as_they_are(codec: str) -> None:
    body = XML.format(f" encoding='{codec}'").encode(codec)
    assert to_utf8(body) is body


@given(st.binary(max_size=50), st.sampled_from([b"", b"<\0", b"\0<", b"\xff\xfe", b"\0\0\0<"]))
def test_any_octets_will_do(body: bytes, mark: bytes) -> None:
    to_utf8(mark + body)

from __future__ import annotations

import gzip

import pytest

from support.sample_documents import GOOD, zipped
from trasmallo.clean.formats.archives import MAX_UNPACKED, read_gzip, read_zip, write_member
from trasmallo.clean.formats.html_builder import HtmlBuilder, TooMuchMarkup, Unreadable


def test_a_packed_document_is_read_as_if_it_were_bare() -> None:
    page = HtmlBuilder(name="a.md.gz")
    read_gzip(gzip.compress(b"# Uno\n"), page)

    assert page.body() == "<h1>Uno</h1>\n"


def test_an_office_document_in_gzip_is_no_second_level() -> None:
    page = HtmlBuilder()
    read_gzip(gzip.compress(GOOD["docx"]), page)

    assert "trasmallo" in page.body()


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (gzip.compress(b"a"), "packed inside"),
        (zipped({"a.txt": "a"}), "packed inside"),
        (b"\0" * (MAX_UNPACKED + 1), "more than 100 MB"),
        (b"\x89PNG", "image/png is not read"),
    ],
    ids=["gzip", "zip", "bomb", "picture"],
)
def test_what_is_not_unpacked_says_why(content: bytes, cause: str) -> None:
    with pytest.raises(Unreadable, match=cause):
        read_gzip(gzip.compress(content, 1), HtmlBuilder())


def test_a_truncated_gzip_is_refused() -> None:
    with pytest.raises(Unreadable, match="damaged"):
        read_gzip(gzip.compress(b"a" * 1000)[:-12], HtmlBuilder())


def test_members_of_a_zip_are_sections_with_their_names() -> None:
    page = HtmlBuilder()
    read_zip(zipped({"a.txt": "uno", "d/b.html": "<html><p>dos", "c.zip": zipped({"x": "y"}), "d.png": b"\x89PNG"}), page)

    assert page.body() == ("<section><h2>a.txt</h2><p>uno</p></section><section><h2>d/b.html</h2><p>dos</p></section>")
    assert page.losses == ["c.zip: it is packed inside another file: unpack it first", "d.png: image/png is not read"]


def test_a_member_that_is_too_much_leaves_what_fitted() -> None:
    page = HtmlBuilder(most=60)
    with pytest.raises(TooMuchMarkup):
        write_member(page, "a.txt", b"uno\n\n" + b"dos " * 100)
    assert "uno" in page.body()

from __future__ import annotations

import pytest

from support.sample_documents import GOOD, WORDS, make_docx
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.readers import read_as, render
from trasmallo.clean.formats.registry import format_of, formats
from trasmallo.clean.formats.sniff import media_of
from trasmallo.values.model import Drop


@pytest.mark.parametrize("ending", GOOD)
def test_every_format_keeps_its_words(ending: str) -> None:
    content = GOOD[ending]
    converted = render(media_of(content, name=f"a.{ending}"), content, name=f"a.{ending}")

    assert converted.drop is None
    assert [word for word in WORDS if word not in converted.html] == []


@pytest.mark.parametrize("ending", ["docx", "odt", "fodt", "odp", "epub", "rtf", "pptx", "md", "eml", "mbox", "zip", "html.gz"])
def test_every_rich_format_keeps_its_structure(ending: str) -> None:
    content = GOOD[ending]
    html = render(media_of(content, name=f"a.{ending}"), content, name=f"a.{ending}").html.replace("\n", "").replace("'", '"')

    for mark in (
        ">Redes</h",
        ">negrita</",
        '<a href="https://example.org/a">enlace</a>',
        "<li>segundo</li>",
        "<td>última</td>",
    ):
        assert mark in html


def test_every_reader_is_there() -> None:
    for known in formats():
        try:
            read_as(known.media, b"", HtmlBuilder())
        except Unreadable as refused:
            assert str(refused)


def test_kinds_of_xml_are_read_as_xml_and_the_rest_is_refused() -> None:
    assert format_of("image/svg+xml") is format_of("text/xml")
    with pytest.raises(Unreadable, match="video/mp4 is not read"):
        read_as("video/mp4", b"", HtmlBuilder())


@pytest.mark.parametrize(
    ("ending", "content", "drop", "cause"),
    [
        ("docx", make_docx(""), Drop.EMPTY, "nothing to read in"),
        ("csv", b"", Drop.EMPTY, "the file is empty"),
        ("csv", b";;\n;;\n", Drop.EMPTY, "nothing to read in 6 bytes of text/csv"),
        ("docx", b"PK\x03\x04word/document.xml", Drop.BROKEN, "damaged"),
    ],
)
def test_nothing_from_a_file_is_a_failure_with_its_cause(ending: str, content: bytes, drop: Drop, cause: str) -> None:
    converted = render(media_of(content, name=f"a.{ending}"), content)

    assert (converted.html, converted.drop) == ("", drop)
    assert cause in converted.cause


def test_what_was_lost_is_told_beside_what_was_read() -> None:
    converted = render("application/zip", GOOD["zip"])

    assert (converted.drop, converted.cause) == (None, "c.png: image/png is not read")


def test_only_what_is_no_web_page_is_all_content() -> None:
    bare = {ending for ending, content in GOOD.items() if render(media_of(content, name=f"a.{ending}"), content).bare}

    assert bare == set(GOOD) - {"html", "xhtml", "txt", "xml", "html.gz", "zip"}

from __future__ import annotations

import random

import pytest

from support.office97 import make_ole
from support.sample_documents import GOOD, zipped
from trasmallo.clean.formats.sniff import media_of

_OFFICE = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."


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
        (b"una frase con un \x01 dentro", "", "text/plain"),
        (b"uno,do\0s\n", "text/csv", "text/csv"),
        ("日本語の文\x02です".encode(), "", "text/plain"),
        (("\x02" + "日本語の文です" * 60).encode(), "", "text/plain"),
        ("日本語の文\x02です".encode("euc-jp"), "", "application/octet-stream"),
        (b"una\0palabra\0" * 100, "text/plain", "application/octet-stream"),
        (random.Random(7).randbytes(2_000), "text/plain", "application/octet-stream"),
        ("<p>ñ".encode("utf-16"), "", "text/html"),
        ("ñandú".encode("utf-16"), "", "text/plain"),
        ("<html>".encode("utf-16"), "text/plain", "text/html"),
        (b"x", "Text/HTML; charset=utf-8", "text/html"),
        (b"", "", "text/plain"),
        (b"x", "text/rtf", "application/rtf"),
        (b"a;b", "application/vnd.ms-excel", "text/csv"),
        (b"From: the sea\n\nis far", "", "message/rfc822"),
        (b"From here 2020 on\nit goes", "", "text/plain"),
        (b"Nota: una frase\nOtra", "", "text/plain"),
    ],
)
def test_media_by_content(content: bytes, told: str, found: str) -> None:
    assert media_of(content, told) == found


@pytest.mark.parametrize(
    ("ending", "found"),
    [
        ("docx", f"{_OFFICE}wordprocessingml.document"),
        ("pptx", f"{_OFFICE}presentationml.presentation"),
        ("xlsx", f"{_OFFICE}spreadsheetml.sheet"),
        ("odt", f"{_ODF}text"),
        ("ods", f"{_ODF}spreadsheet"),
        ("odp", f"{_ODF}presentation"),
        ("fodt", f"{_ODF}text"),
        ("epub", "application/epub+zip"),
        ("rtf", "application/rtf"),
        ("eml", "message/rfc822"),
        ("mbox", "application/mbox"),
        ("html.gz", "application/gzip"),
        ("zip", "application/zip"),
        ("pdf", "application/pdf"),
    ],
)
def test_formats_are_known_without_a_name_and_under_a_wrong_one(ending: str, found: str) -> None:
    assert media_of(GOOD[ending]) == media_of(GOOD[ending], "application/octet-stream", name="a.bin") == found
    if ending not in ("eml", "mbox"):
        assert media_of(GOOD[ending], "text/html", name="a.txt") == found


@pytest.mark.parametrize(
    ("name", "told", "found"),
    [
        ("a.md", "", "text/markdown"),
        ("a.MD", "text/plain", "text/markdown"),
        ("a.csv", "text/plain; charset=utf-8", "text/csv"),
        ("a.tsv", "", "text/tab-separated-values"),
        ("a.md", "text/html", "text/html"),
        ("md", "", "text/plain"),
        ("a.exe", "", "text/plain"),
    ],
)
def test_endings_tell_where_bytes_and_server_do_not(name: str, told: str, found: str) -> None:
    assert media_of(b"una frase", told, name=name) == found


@pytest.mark.parametrize(
    ("stream", "found"),
    [
        ("WordDocument", "application/msword"),
        ("PowerPoint Document", "application/vnd.ms-powerpoint"),
        ("Workbook", "application/vnd.ms-excel"),
        ("EncryptedPackage", "application/x-ole-encrypted"),
        ("Something", "application/x-ole-storage"),
    ],
)
def test_old_office_files_by_their_streams(stream: str, found: str) -> None:
    assert media_of(make_ole({stream: b"x"})) == found


def test_a_truncated_office_file_is_still_one() -> None:
    assert media_of(zipped({"a": "b", "word/document.xml": "c" * 5000})[:100]) == f"{_OFFICE}wordprocessingml.document"

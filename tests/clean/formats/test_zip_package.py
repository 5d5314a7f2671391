from __future__ import annotations

import io
import zipfile

import pytest

from support.sample_documents import relations, zipped
from trasmallo.clean.formats import zip_package as parcels
from trasmallo.clean.formats.html_builder import Unreadable
from trasmallo.clean.formats.zip_package import (
    ZipPackage,
    attribute,
    child,
    children,
    descendants,
    elements,
    local,
    parse_xml,
    value,
)

XML = parse_xml(b'<w:a xmlns:w="u" w:val="1" val="2"><w:b w:val="3"/><!-- c --><w:b><w:c w:val="4"/></w:b></w:a>')


def test_names_are_found_without_namespaces() -> None:
    assert (local(XML), attribute(XML, "val"), attribute(XML, "no", "x")) == ("a", "2", "x")
    assert [attribute(found, "val") for found in children(XML, "b")] == ["3", ""]
    assert (value(XML, "b"), value(XML, "c", default="x"), child(XML, "b", "c")) == ("3", "x", None)
    assert [attribute(found, "val") for found in descendants(XML, "c")] == ["4"]
    assert list(children(None, "b")) == list(descendants(None, "b")) == []


def test_members_are_found_in_any_case() -> None:
    assert ZipPackage(zipped({"A.xml": "<a/>"})).read("a.XML") == b"<a/>"


def test_relations_are_addresses_from_the_root() -> None:
    package = ZipPackage(zipped({"a/_rels/b.xml.rels": relations(("x", "../c%20d.xml"), ("y", "/e.xml"), ("z", "http://h/"))}))

    assert package.relations("a/b.xml") == {"rId1": ("x", "c d.xml"), "rId2": ("y", "e.xml"), "rId3": ("z", "http://h/")}
    assert package.relations("none") == {}


def test_elements_come_one_at_a_time_and_damage_is_told() -> None:
    lost: list[str] = []
    content = b"<x xmlns='u'>" + b"<r><c>1</c></r>" * 1000 + b"</x>"

    assert sum(1 for row in elements(content, "a", "r", lost.append) if row[0].text == "1") == 1000
    assert lost == []
    assert sum(1 for _ in elements(b"<x><r>1</r><r", "b", "r", lost.append)) >= 1
    assert lost[0].startswith("its part b is damaged (")


def encrypted() -> bytes:
    content = bytearray(zipped({"a": "b"}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (zipped({"b": "c"}), "its part a is missing"),
        (encrypted(), "encrypted: save it without a password"),
        (zipped({"x": "", "a": "b" * 1000}).replace(b"PK\x03\x04", b"PK\x03\x05"), "damaged"),
    ],
    ids=["missing", "encrypted", "damaged"],
)
def test_a_member_that_cannot_be_read_says_why(content: bytes, cause: str) -> None:
    package = ZipPackage(content)
    with pytest.raises(Unreadable, match=cause):
        package.read("a")


def test_what_a_member_unpacks_to_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "MAX_MEMBER", 1_000_000)
    package = ZipPackage(zipped({"x": "", "a": b"\0" * 1_000_001}))
    with pytest.raises(Unreadable, match="more than 1 MB"):
        package.read("a")


def test_what_all_members_unpack_to_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcels, "MAX_TOTAL", 10_000_000)
    package = ZipPackage(zipped({"x": "", "a": b"\0" * 4_000_000}))
    for _ in range(2):
        package.read("a")
    with pytest.raises(Unreadable, match="more than 2 MB"):
        package.read("a")


def test_the_directory_is_not_believed() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"\0" * 1_000)
    lying = out.getvalue().replace((1_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))

    with pytest.raises(Unreadable, match="damaged"):
        ZipPackage(lying).read("a")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(5)])
def test_no_zip_is_refused(content: bytes) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        ZipPackage(content)


@pytest.mark.parametrize("content", [b"", b"words", b"<?xml version='1.0'?>"])
def test_no_xml_is_refused(content: bytes) -> None:
    with pytest.raises(Unreadable, match="no XML"):
        parse_xml(content)


def test_entities_stay_unknown() -> None:
    root = parse_xml(b"<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'><!ENTITY b 'bbb'>]><a>x&f;&b;y</a>")

    assert "".join(root.itertext("a")) == "x"
    assert "root" not in "".join(part.tail or "" for part in root)

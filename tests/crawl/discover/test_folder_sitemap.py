"""Sitemaps of folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree

import trasmallo
from trasmallo.crawl.discover import folder_sitemap, sitemaps
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.values.errors import DocumentError, UrlError

BASE = "https://example.org/sitio/"
# The elements that are written, as http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd has them.
SCHEMA = """<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
<xsd:element name="urlset"><xsd:complexType><xsd:sequence><xsd:element name="url" maxOccurs="unbounded" minOccurs="0">
<xsd:complexType><xsd:sequence><xsd:element name="loc" type="address"/><xsd:element name="lastmod" type="when" minOccurs="0"/>
</xsd:sequence></xsd:complexType></xsd:element></xsd:sequence></xsd:complexType></xsd:element>
<xsd:simpleType name="address"><xsd:restriction base="xsd:anyURI"><xsd:minLength value="12"/><xsd:maxLength value="2048"/>
</xsd:restriction></xsd:simpleType>
<xsd:simpleType name="when"><xsd:union><xsd:simpleType><xsd:restriction base="xsd:date"/></xsd:simpleType>
<xsd:simpleType><xsd:restriction base="xsd:dateTime"/></xsd:simpleType></xsd:union></xsd:simpleType></xsd:schema>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "sitio"
    for name in (
        "index.html",
        "año & más.html",
        "docs/informe.pdf",
        "docs/INDEX.HTM",
        "robots.txt",
        "sitemap-0001.xml",
        "logo.png",
        "css/a.css",
        ".git/index.html",
        ".oculto.html",
    ):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("x")
    (site / "enlace.html").symlink_to(site / "index.html")
    os.utime(site / "docs" / "informe.pdf", (1_700_000_000, 1_700_000_000))
    return site


def test_every_document_is_there_with_its_last_change(site: Path) -> None:
    (file,) = trasmallo.sitemap(site, BASE)
    found = read_sitemap(file.read_bytes(), BASE + "sitemap.xml")
    assert file == site / "sitemap.xml"
    assert {entry.url: entry.lastmod for entry in found.entries}[BASE + "docs/informe.pdf"] == 1_700_000_000
    assert [entry.url.removeprefix(BASE) for entry in found.entries] == [
        "a%C3%B1o%20%26%20m%C3%A1s.html",
        "",
        "docs/",
        "docs/informe.pdf",
    ]
    assert trasmallo.sitemap(site, BASE[:-1]) == [file]
    assert read_sitemap(file.read_bytes(), BASE) == found, "the sitemap is not its own page"


def test_it_is_valid_by_the_schema(site: Path) -> None:
    (file,) = trasmallo.sitemap(site, BASE)
    etree.XMLSchema(etree.fromstring(SCHEMA)).assertValid(etree.fromstring(file.read_bytes()))


def test_many_documents_are_several_files_and_an_index(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "FILE_URLS", 3)
    index, *parts = trasmallo.sitemap(site, BASE, tmp_path / "out", compress=True)
    assert [part.name for part in parts] == ["sitemap-0001.xml.gz", "sitemap-0002.xml.gz"]
    found = read_sitemap(index.read_bytes(), BASE)
    assert found.children == tuple(BASE + part.name for part in parts)
    assert sum(len(read_sitemap(part.read_bytes(), BASE).entries) for part in parts) == 4


def test_what_cannot_be_done_is_told(site: Path) -> None:
    with pytest.raises(DocumentError, match="there is no folder .*nada: check its name"):
        folder_sitemap.sitemap(site / "nada", BASE)
    with pytest.raises(UrlError):
        folder_sitemap.sitemap(site, "example")

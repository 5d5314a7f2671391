"""Sitemaps of folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

import trasmallo
from trasmallo.crawl.discover import folder_sitemap, sitemaps
from trasmallo.crawl.discover.sitemaps import SitemapEntry, read_sitemap
from trasmallo.values.errors import DocumentError, UrlError

BASE = "https://example.org/sitio/"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
# https://www.sitemaps.org/protocol.html and its siteindex.xsd: what each element holds, in which order, and how often.
CONTENT = {
    "urlset": ("url", {"loc": 1, "lastmod": 0, "changefreq": 0, "priority": 0}),
    "sitemapindex": ("sitemap", {"loc": 1, "lastmod": 0}),
}
FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
# W3C datetime, as https://www.w3.org/TR/NOTE-datetime has it: a year, a month, a day, or a moment with its zone.
MOMENT = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?")
UNESCAPED = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")


def breaches(content: bytes, base: str) -> Iterator[str]:
    """What a file does against the protocol."""
    if len(content) > 50 * 1024 * 1024:
        yield "more than 50 MB"
    if not content.startswith(b'<?xml version="1.0" encoding="UTF-8"?>'):
        yield "not said to be UTF-8"
    if UNESCAPED.search(content):
        yield "an ampersand that is not escaped"
    root = etree.fromstring(content)
    kind = root.tag.removeprefix(NAMESPACE)
    if not root.tag.startswith(NAMESPACE) or kind not in CONTENT or root.attrib:
        yield f"the root {root.tag}"
        return
    child, fields = CONTENT[kind]
    if len(root) > 50_000:
        yield "more than 50,000 entries"
    for entry in root:
        named = [field.tag.removeprefix(NAMESPACE) for field in entry]
        if entry.tag != NAMESPACE + child or entry.attrib or any(len(field) or field.attrib for field in entry):
            yield f"the entry {entry.tag}"
        if named != [name for name in fields if name in named] or not all(name in named for name in fields if fields[name]):
            yield f"the order {named}"
        for name, field in zip(named, entry, strict=True):
            yield from _breaches_of(name, field.text or "", base)


def _breaches_of(name: str, text: str, base: str) -> Iterator[str]:
    if name == "loc" and not (12 <= len(text) < 2_048 and text.startswith(base) and text.isascii() and " " not in text):
        yield f"the address {text[:100]}"
    if name == "lastmod" and not MOMENT.fullmatch(text):
        yield f"the date {text}"
    if name == "changefreq" and text not in FREQUENCIES:
        yield f"the frequency {text}"
    if name == "priority" and not (re.fullmatch(r"\d(\.\d+)?", text) and 0 <= float(text) <= 1):
        yield f"the priority {text}"


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


def test_it_keeps_the_rules_of_the_protocol(site: Path) -> None:
    """Names that must be escaped, that no address may have, and that are too long for one."""
    for name in ('a & b\'s "c".html', "<d>.html", "100 %.html", "año\t.html", "日本.html", f"{'largo' * 49}.html"):
        (site / name).write_text("x")
    deep = site.joinpath(*["carpeta" * 30] * 10)
    deep.mkdir(parents=True)
    (deep / "too-long.html").write_text("x")
    (file,) = trasmallo.sitemap(site, BASE)
    assert list(breaches(file.read_bytes(), BASE)) == []
    found = [entry.url for entry in read_sitemap(file.read_bytes(), BASE).entries]
    assert len(found) == 10, "all but the one whose address is too long for a sitemap"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (b"<url><lastmod>2026-11-17</lastmod><loc>%b</loc></url>", "order"),
        (b"<url><lastmod>2026-11-17</lastmod></url>", "order"),
        (b"<url><loc>%b</loc><loc>%b</loc></url>", "order"),
        (b"<url><loc>http://other.org/page</loc></url>", "address"),
        (b"<url><loc>%b</loc><lastmod>17.11.2026</lastmod></url>", "date"),
        (b"<url><loc>%b</loc><changefreq>often</changefreq></url>", "frequency"),
        (b"<url><loc>%b</loc><priority>2</priority></url>", "priority"),
    ],
)
def test_the_rules_tell_what_breaks_them(wrong: bytes, told: str) -> None:
    head = b'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    content = head + wrong.replace(b"%b", BASE.encode()) + b"</urlset>"
    assert any(told in breach for breach in breaches(content, BASE))


def test_fifty_thousand_documents_are_one_file_and_one_more_are_two(tmp_path: Path) -> None:
    for number, files in ((50_000, ["sitemap.xml"]), (50_001, ["sitemap.xml", "sitemap-0001.xml", "sitemap-0002.xml"])):
        entries = (SitemapEntry(f"{BASE}{page}", lastmod=1.7e9) for page in range(number))
        made = sitemaps.write_sitemap(entries, tmp_path / str(number), BASE)
        assert [path.name for path in made] == files
        assert [breach for path in made for breach in breaches(path.read_bytes(), BASE)] == []


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

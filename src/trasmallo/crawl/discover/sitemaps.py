"""Sitemaps (sitemaps.org protocol 0.9) read and written: URL sets, indexes, plain lists, feeds, all of them gzipped or not.

Reading streams: the XML is parsed in pieces and the tree of what was read is thrown away after each, so memory stays flat
whatever the file holds, and what a damaged file says before its damage is kept. Entities are not expanded, nothing is fetched.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import msgspec

from trasmallo.crawl.dates import parse_date
from trasmallo.crawl.discover.wide_xml import to_utf8
from trasmallo.values.errors import disk_errors
from trasmallo.values.urls import resolver

if TYPE_CHECKING:
    from lxml import etree

USUAL_PLACES = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.xml.gz", "/wp-sitemap.xml")
"""Where sitemaps lie that robots.txt does not name."""

FILE_URLS = 50_000
"""URLs of one file by the protocol."""

FILE_SIZE = 50 * 1024 * 1024
"""Bytes of one file by the protocol, uncompressed."""

LONGEST_ADDRESS = 2_048
"""Characters of an address by the protocol, which has fewer."""

_ALTERNATES_LIMIT = 200  # judgement: more languages than any site has
_TEXT_LIMIT = 20_000  # judgement: characters of a field; the protocol allows 2,048 for an address
_CHUNK = 65_536  # judgement: bytes parsed at a time
_CHILDREN_LIMIT = 2_000  # judgement: elements of an entry that is no attack
_IDLE_LIMIT = 4 * 1024 * 1024  # bytes without a page, after which no more are hoped for
_ROOTS = ("urlset", "sitemapindex", "rss", "feed", "RDF")
_PAGES = ("url", "sitemap", "item", "entry")
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)")
_TORN_REFERENCE = re.compile(rb"&[#0-9A-Za-z]{0,8}\Z")
_FIELDS = {
    "loc": "loc",
    "lastmod": "date",
    "updated": "date",
    "pubDate": "date",
    "date": "date",
    "changefreq": "changefreq",
    "priority": "priority",
    "link": "link",
}
_FREQUENCIES = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})


class SitemapLimits(msgspec.Struct, frozen=True):
    """How much of one sitemap is read: URLs, and bytes after decompression. Many sites go beyond the protocol."""

    urls: int = 10 * FILE_URLS
    size: int = 2 * FILE_SIZE


class SitemapEntry(msgspec.Struct, frozen=True, gc=False):
    """A page of a sitemap. `lastmod` is seconds since 1970; None, and "" for `changefreq`, where nothing usable is said.

    `alternates` are (hreflang, URL) pairs.
    """

    url: str
    lastmod: float | None = None
    changefreq: str = ""
    priority: float | None = None
    alternates: tuple[tuple[str, str], ...] = ()


class Sitemap(msgspec.Struct, frozen=True):
    """A sitemap that was read: its pages, the sitemaps it names, and what was wrong with it ("" when nothing was)."""

    entries: tuple[SitemapEntry, ...] = ()
    children: tuple[str, ...] = ()
    damage: str = ""


def read_sitemap(body: bytes, url: str, limits: SitemapLimits | None = None) -> Sitemap:
    """Read the sitemap that was found at `url`; any bytes will do. Whether its pages are in scope is for the caller to say."""
    reader = SitemapReader(body, url, limits or SitemapLimits())
    entries = tuple(reader)
    return Sitemap(entries, tuple(reader.children), reader.damage)


class SitemapReader:
    """The pages of a sitemap one after another; `children` and `damage` are complete when they are through."""

    def __init__(self, body: bytes, url: str, limits: SitemapLimits) -> None:
        self.children: dict[str, None] = {}
        self.damage = ""
        self._body, self._limits = to_utf8(body), limits
        self._resolve = resolver(url)

    def __iter__(self) -> Iterator[SitemapEntry]:
        found = 0
        for record in self._records():
            loc = record.fields.get("loc", "")
            # Escaped twice, or once more in a CDATA section: both are common.
            address = self._resolve(loc.replace("&amp;", "&")) if loc else None
            if address is None:
                continue
            found += 1
            if found > self._limits.urls:
                self.damage = f"more than {self._limits.urls} URLs"
                return
            if record.is_sitemap:
                self.children.setdefault(address)
            else:
                yield self._entry(address, record)

    def _entry(self, address: str, record: _Record) -> SitemapEntry:
        fields = record.fields
        date, frequency, priority = fields.get("date"), fields.get("changefreq"), fields.get("priority")
        return SitemapEntry(
            address,
            _date(date[:101]) if date else None,
            _frequency(frequency) if frequency else "",
            _priority(priority) if priority else None,
            tuple(self._alternates(record)) if record.alternates else (),
        )

    def _alternates(self, record: _Record) -> Iterator[tuple[str, str]]:
        for language, href in record.alternates:
            if address := self._resolve(href):
                yield language, address

    def _records(self) -> Iterator[_Record]:
        chunks = self._chunks()
        first = next(chunks, b"").removeprefix(b"\xef\xbb\xbf").lstrip()
        if first[:1] == b"<":
            return self._xml_records(first, chunks)
        return _text_records(first, chunks)

    def _chunks(self) -> Iterator[bytes]:
        """The body in pieces, decompressed, up to the size limit."""
        size = 0
        for chunk in _inflated(self._body) if self._body[:2] == b"\x1f\x8b" else _sliced(self._body):
            size += len(chunk)
            if size > self._limits.size:
                self.damage = f"more than {self._limits.size} bytes"
                return
            yield chunk

    def _xml_records(self, first: bytes, chunks: Iterator[bytes]) -> Iterator[_Record]:
        parser = _XmlParser()
        for chunk in chain((first,), chunks):
            yield from parser.feed(chunk)
            if parser.damage:
                break
        self.damage = self.damage or parser.damage or ("" if parser.whole else "ends before its end")


class _XmlParser:
    """Reads XML in pieces. `whole` says that the root element has ended, `damage` that reading on would bring nothing."""

    def __init__(self) -> None:
        from lxml import etree  # heavy, and few runs meet a sitemap before their first page

        tags = tuple("{*}" + name for name in _ROOTS + _PAGES)
        self._parser = etree.XMLPullParser(
            ("start", "end"), tag=tags, recover=True, resolve_entities=False, no_network=True, huge_tree=False
        )
        self._broken = etree.LxmlError
        self._root: etree._Element | None = None
        self._idle = 0
        self._rest = b""
        self.whole = False
        self.damage = ""

    def feed(self, chunk: bytes) -> Iterator[_Record]:
        """The pages that end in this piece."""
        self._idle += len(chunk)
        try:
            self._parser.feed(self._repaired(chunk))
            yield from self._take()
        except self._broken as error:
            self.damage = f"broken XML: {error}"[:200]
        if self._root is None or self._idle > _IDLE_LIMIT:
            self.damage = self.damage or "no sitemap"
        else:
            _forget(self._root)

    def _repaired(self, chunk: bytes) -> bytes:
        """The piece with bare ampersands escaped: many sitemaps have them, and the parser would hold back all that follows."""
        if b"\0" in chunk:
            return chunk
        chunk = self._rest + chunk
        torn = _TORN_REFERENCE.search(chunk)
        end = torn.start() if torn else len(chunk)
        self._rest = chunk[end:]
        return _BARE_AMPERSAND.sub(b"&amp;", chunk[:end])

    def _take(self) -> Iterator[_Record]:
        for event, found in self._parser.read_events():
            element = cast("etree._Element", found)
            if self._root is None:
                self._root = element.getroottree().getroot()
            if event == "end" and element is self._root:
                self.whole = True
            elif event == "end":
                self._idle = 0
                yield _read_element(element)


class _Record(NamedTuple):
    """What one element of a sitemap or feed says of a page, as written."""

    is_sitemap: bool
    fields: dict[str, str]
    alternates: list[tuple[str, str]]


def _read_element(element: etree._Element) -> _Record:
    """The direct children of an element; namespaces count for nothing, the first of each name does."""
    fields: dict[str, str] = {}
    record = _Record(_local(element.tag) == "sitemap", fields, [])
    for child in element:
        field = _field(child.tag)
        if field == "link":
            _read_link(record, child)
        # What is inside one of these is an entity, whose text nobody knows.
        elif field and field not in fields and (text := child.text) and len(child) == 0:
            fields[field] = text[:_TEXT_LIMIT].strip()
    return record


def _read_link(record: _Record, link: etree._Element) -> None:
    """A link is an item's address (RSS: text, Atom: attribute) or the page in another language (sitemaps)."""
    href, language = link.get("href"), link.get("hreflang")
    if href is None:
        record.fields.setdefault("loc", (link.text or "")[:_TEXT_LIMIT].strip())
    elif language and len(record.alternates) < _ALTERNATES_LIMIT:
        record.alternates.append((language[:40], href))
    elif link.get("rel", "alternate") == "alternate":
        record.fields.setdefault("loc", href)


@lru_cache(maxsize=1_024)
def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


@lru_cache(maxsize=1_024)
def _field(tag: object) -> str:
    return _FIELDS.get(_local(tag), "")


def _forget(root: etree._Element) -> None:
    """Drop what was read: all before the last child, at every level of elements that may still be open.

    An open page keeps its children until the next time, unless it has more of them than any honest one.
    """
    element: etree._Element | None = root
    while element is not None:
        if _local(element.tag) not in _PAGES or len(element) > _CHILDREN_LIMIT:
            del element[:-1]
        element = element[-1] if len(element) else None


def _text_records(first: bytes, chunks: Iterator[bytes]) -> Iterator[_Record]:
    """A plain list: one URL a line, in UTF-8."""
    rest = first
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from _line_records(lines)
        rest = rest[:_TEXT_LIMIT]
    yield from _line_records(rest.split(b"\n"))


def _line_records(lines: Iterable[bytes]) -> Iterator[_Record]:
    for line in lines:
        for part in line.split(b"\r"):
            if part.lstrip()[:4].lower() == b"http":
                yield _Record(False, {"loc": part[:_TEXT_LIMIT].decode("utf-8", "replace").strip()}, [])


def _sliced(body: bytes) -> Iterator[bytes]:
    for at in range(0, len(body), _CHUNK):
        yield body[at : at + _CHUNK]


def _inflated(body: bytes) -> Iterator[bytes]:
    """A gzip file in small pieces, all its members; what cannot be decompressed ends it."""
    rest = body
    while rest[:2] == b"\x1f\x8b":
        member = zlib.decompressobj(31)
        while not member.eof and rest:
            try:
                chunk = member.decompress(rest, _CHUNK)
            except zlib.error:
                return
            rest = member.unconsumed_tail
            if chunk:
                yield chunk
        rest = member.unused_data


# Sites write few different values, the same in many entries.
_date = lru_cache(maxsize=1_024)(parse_date)


@lru_cache(maxsize=64)
def _frequency(text: str) -> str:
    return text.lower() if text.lower() in _FREQUENCIES else ""


@lru_cache(maxsize=64)
def _priority(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def write_sitemap(entries: Iterable[str | SitemapEntry], folder: Path, base: str, compress: bool = False) -> list[Path]:
    """Write a sitemap of canonical URLs into `folder` and give the files' paths, the one to announce first.

    One file is `sitemap.xml`; more are `sitemap-0001.xml`... with `sitemap.xml` as their index, whose addresses begin with
    `base`, the URL under which the folder is served. With `compress` the files are gzipped (`.xml.gz`).
    """
    ending = ".xml.gz" if compress else ".xml"
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        parts = list(_write_parts(map(_url_element, entries), folder, ending))
        if len(parts) == 1:
            return [parts[0].replace(folder / f"sitemap{ending}")]
        home = base if base.endswith("/") else base + "/"
        index = [f"<sitemap><loc>{_escaped(home + part.name)}</loc></sitemap>\n".encode() for part in parts]
        return [_write_file(folder / f"sitemap{ending}", "sitemapindex", index), *parts]


def _write_parts(elements: Iterable[bytes], folder: Path, ending: str) -> Iterator[Path]:
    batch: list[bytes] = []
    size = number = 0
    for element in elements:
        if len(batch) == FILE_URLS or size + len(element) > FILE_SIZE - 1_000:
            number += 1
            yield _write_file(folder / f"sitemap-{number:04}{ending}", "urlset", batch)
            batch, size = [], 0
        batch.append(element)
        size += len(element)
    yield _write_file(folder / f"sitemap-{number + 1:04}{ending}", "urlset", batch)


def _write_file(path: Path, root: str, elements: Iterable[bytes]) -> Path:
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as raw:
        if path.suffix != ".gz":
            _write_elements(raw, root, elements)
        else:
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                _write_elements(packed, root, elements)
    return unfinished.replace(path)


def _write_elements(file: BinaryIO | gzip.GzipFile, root: str, elements: Iterable[bytes]) -> None:
    file.write(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'.encode()
    )
    file.writelines(elements)
    file.write(f"</{root}>\n".encode())


def _url_element(entry: str | SitemapEntry) -> bytes:
    page = SitemapEntry(entry) if isinstance(entry, str) else entry
    parts = [f"<url><loc>{_escaped(page.url)}</loc>"]
    if page.lastmod is not None and (date := _written_date(page.lastmod)):
        parts.append(f"<lastmod>{date}</lastmod>")
    if page.changefreq in _FREQUENCIES:
        parts.append(f"<changefreq>{page.changefreq}</changefreq>")
    if page.priority is not None:
        parts.append(f"<priority>{page.priority:.2g}</priority>")
    return ("".join(parts) + "</url>\n").encode()


def _written_date(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def _escaped(url: str) -> str:
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;")):
        url = url.replace(sign, name)
    return url

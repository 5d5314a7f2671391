"""Any format to HTML with its structure: one converter a media type.

What a server calls a document is checked against its first bytes. A document that cannot be converted comes back with the
reason; nothing here raises for what a document contains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import msgspec

from trasmallo.clean.decode import Decoded, charset_name, decode
from trasmallo.model import Drop

MAX_PAGES = 2_000
MAX_TEXT = 20_000_000

_HEAD = 1024
_MARKUP = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|script|table|div|h1|p|a|br)[\s/>]", re.IGNORECASE)
_PAGE = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_PROLOG = re.compile(r"^(?:\s|<!--.*?-->|<\?.*?\?>)*+(?:<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*)?>)?", re.DOTALL)
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_UNTOLD = ("", "application/octet-stream", "unknown/unknown", "application/unknown", "binary/octet-stream", "*/*")
_SELF_CLOSED = re.compile(r"<([a-zA-Z][\w:.-]*+)((?:[^<>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)/>")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_MAGIC = (
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "application/x-riff"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"\x7fELF", "application/x-elf"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOF", "font/woff"),
)


class Converted(msgspec.Struct, frozen=True):
    """A document as HTML, and how its characters were read; with a `drop` there is no HTML and `cause` says why."""

    html: str
    charset: str = ""
    charset_from: str = ""
    drop: Drop | None = None
    cause: str = ""


def media_of(content: bytes, media: str = "", http_charset: str = "") -> str:
    """The media type of a document by its first bytes; what the server says counts where they leave it open."""
    media = media.split(";")[0].strip().lower()
    # UTF-16 of markup is its ASCII with NULs between.
    head = content[:_HEAD].replace(b"\0", b"") if content.startswith((b"\xff\xfe", b"\xfe\xff")) else content[:_HEAD]
    if b"%PDF-" in head:
        return "application/pdf"
    known = next((known for magic, known in _MAGIC if content.startswith(magic)), "")
    if known:
        return known
    if _PAGE.match(head):
        return "application/xhtml+xml" if media == "application/xhtml+xml" else "text/html"
    if not _is_text(head, http_charset):
        return media if media not in _UNTOLD and not _is_markup(media) and media != "text/plain" else "application/octet-stream"
    if media not in _UNTOLD:
        return media
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return "application/xml"
    return "text/html" if _MARKUP.search(head) else "text/plain"


def _is_text(head: bytes, http_charset: str) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or charset_name(http_charset).startswith("utf-16"):
        return True
    return not _CONTROLS.search(head) or bool(_MARKUP.search(head))


def _is_markup(media: str) -> bool:
    return media in ("text/html", "text/xml", "application/xml") or media.endswith("+xml")


def convert(content: bytes, *, media: str = "", http_charset: str = "") -> Converted:
    """A document of any format as HTML."""
    found = media_of(content, media, http_charset)
    converter = CONVERTERS.get(found) or (_xml if found.endswith("+xml") else None)
    if converter is None:
        return Converted("", drop=Drop.FORMAT, cause=found)
    return converter(content, http_charset)


def _as_decoded(html: str, decoded: Decoded) -> Converted:
    return Converted(html, decoded.charset, decoded.source)


def _html(content: bytes, http_charset: str) -> Converted:
    decoded = decode(content, http_charset)
    return _as_decoded(decoded.text, decoded)


def _xhtml(content: bytes, http_charset: str) -> Converted:
    """XHTML may close any element at once, which an HTML parser does not understand."""
    decoded = decode(content, http_charset)
    return _as_decoded(_SELF_CLOSED.sub(_opened, decoded.text[:MAX_TEXT]), decoded)


def _opened(match: re.Match[str]) -> str:
    name = match[1].lower()
    return match[0] if name in _VOID else f"<{match[1]}{match[2]}></{match[1]}>"


def _plain(content: bytes, http_charset: str) -> Converted:
    """Paragraphs are parted by empty lines; other line ends are where an editor wrapped."""
    decoded = decode(content, http_charset)
    paragraphs = re.split(r"\n[^\S\n]*\n\s*", decoded.text[:MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n"))
    return _as_decoded(_document(f"<p>{escape(text, quote=False)}</p>" for text in paragraphs if text.strip()), decoded)


def _document(parts: Iterable[str], title: str = "") -> str:
    head = f"<title>{escape(title)}</title>" if title else ""
    return f"<!doctype html><html><head>{head}</head><body>{''.join(parts)}</body></html>"


class _Elements:
    """Receives a parser's events and writes each element as a block with its name and attributes."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        pairs = "".join(f' data-{_local(key)}="{escape(value)}"' for key, value in attributes.items())
        self.parts.append(f'<div data-element="{escape(_local(name))}"{pairs}>')

    def data(self, text: str) -> None:
        self.parts.append(escape(text, quote=False))

    def end(self, _name: str) -> None:
        self.parts.append("</div>")

    def close(self) -> list[str]:
        return self.parts


def _local(name: str) -> str:
    """A name without its namespace, fit for an attribute of HTML."""
    return re.sub(r"[^\w.-]", "-", name.rpartition("}")[2]).lower()


def _xml(content: bytes, http_charset: str) -> Converted:
    from lxml import etree

    decoded = decode(content, http_charset)
    # Without its document type no entity is known: a bomb stays what it is, and no file is named.
    source = _PROLOG.sub("", decoded.text[:MAX_TEXT], 1).encode("utf-8", "replace")
    elements: Any = _Elements()
    parser = etree.XMLParser(
        target=elements, encoding="utf-8", recover=True, resolve_entities=False, no_network=True, huge_tree=False
    )
    try:
        etree.fromstring(source, parser)
    except etree.XMLSyntaxError as error:
        return Converted("", decoded.charset, decoded.source, Drop.BROKEN, f"no XML: {error}")
    return _as_decoded(_document(elements.parts), decoded)


def _pdf(content: bytes, _http_charset: str) -> Converted:
    from trasmallo.clean.pdf import PdfRefused, read_pdf

    try:
        title, paragraphs = read_pdf(content, max_pages=MAX_PAGES, max_text=MAX_TEXT)
    except PdfRefused as refused:
        return Converted("", drop=Drop.BROKEN, cause=str(refused))
    parts = (f"<{tag}>{escape(text, quote=False)}</{tag}>" for tag, text in paragraphs)
    return Converted(_document(parts, title), "utf-8", "pdf")


Converter = Callable[[bytes, str], Converted]

# The formats that are read; what is not here is dropped with Drop.FORMAT.
CONVERTERS: dict[str, Converter] = {
    "text/html": _html,
    "application/xhtml+xml": _xhtml,
    "text/plain": _plain,
    "application/pdf": _pdf,
    "text/xml": _xml,
    "application/xml": _xml,
}

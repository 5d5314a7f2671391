"""Bytes to text, as browsers do it but with the label checked against the bytes.

Order of trust: byte order mark, HTTP header, `<meta>` or XML declaration, valid UTF-8, statistics. A label whose bytes do not
decode strictly is dropped, and bytes that are valid UTF-8 beyond ASCII win over any other label, because text in another
encoding is almost never valid UTF-8 by chance. The zeros of UTF-16 and UTF-32 (`wide`) and the escapes of ISO-2022 and HZ win
over labels as well.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from functools import cache

import msgspec

from trasmallo.clean.charsets import (
    charset_name,
    codecs_by_name,
    decode_leniently,
    decode_strictly,
    is_ebcdic,
    is_wide,
)
from trasmallo.clean.nonsense import legible
from trasmallo.clean.wide import wide_charset

_PRESCAN = 1024
"""Bytes in which a declaration counts (WHATWG HTML, prescan)."""
_SAMPLE = 65536
"""Bytes that statistics look at. Judgement: more tell no better and take long."""
_WINDOW = 1 << 20
"""Bytes in which telling parts are gathered. Judgement."""
# Where only one character in so many is broken, the page is UTF-8 with an accident in it.
_MOSTLY = 20
_CHARSET = re.compile(rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\x0c\r ;\"']+))", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]*?encoding[\t\n\x0c\r ]*=[\t\n\x0c\r ]*[\"']([^\"'>]+)[\"']")
_TAG = re.compile(rb"</?[a-zA-Z]")
_LEAD = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_BEYOND = re.compile(rb"[\x80-\xff]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_BREAK = re.compile(rb"[<>\r\n]+")
_ESCAPES = {
    "iso-2022-jp": re.compile(rb"\x1b\$[@B]"),
    "iso-2022-kr": re.compile(rb"\x1b\$\)C"),
    # Two characters at least, so that "~{" in a page about programming is none.
    "hz-gb-2312": re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}"),
}
# On no web page, but taken for a sister by statistics; the last is no encoding of text.
_NEVER = ("iso-8859-10", "iso-8859-16", "x-user-defined")
# Labels that statistics tell from their superset, which the standard does not.
_SUBSETS = ("iso-8859-1", "iso-8859-9", "tis-620", "windows-31j", "windows-949")
# Letters that a language never has show that statistics mean its sister.
_IMPOSSIBLE = {
    ("windows-1250", "ro"): (re.compile(rb"[\xa5\xb5]"), "iso-8859-16"),
    ("iso-8859-2", "ro"): (re.compile(rb"[\xa5\xb5]"), "iso-8859-16"),
    ("windows-1257", "et"): (re.compile(rb"[\xa8\xb8]"), "iso-8859-15"),
}
# Statistics know no Albanian and take its two letters, c with cedilla and e with two dots, for Baltic ones.
_BALTIC = ("windows-1257", "iso-8859-13", "iso-8859-4")
_ALBANIAN = re.compile(rb"[\xc7\xcb\xe7\xeb]")
_LETTER = re.compile(rb"[\xc0-\xff]")


class Decoded(msgspec.Struct, frozen=True):
    """Text and how it was read: `charset` is the standard's name, `replaced` counts characters lost to broken bytes.

    `source` says who decided: "bom", "http", "meta", "xml", "utf-8" (the bytes are valid UTF-8) or "guess" (statistics).
    """

    text: str
    charset: str
    source: str
    replaced: int = 0


def decode(body: bytes, http_charset: str = "") -> Decoded:
    """Read the bytes of a text document, whatever they are; `http_charset` is what the HTTP header said, "" for nothing."""
    if body.startswith(codecs.BOM_UTF8):
        return _lenient(body[len(codecs.BOM_UTF8) :], "utf-8", "bom")
    charset, source, mark = wide_charset(body, http_charset)
    if charset:
        return _lenient(body[mark:], charset, source)
    labels = ((charset_name(http_charset), "http"), declared(body))
    if escaped := _by_escapes(body):
        source = next((source for label, source in labels if label == escaped), "guess")
        return _lenient(body, escaped, source)
    text = decode_strictly(body, "utf-8")
    beyond_ascii = text is not None and not text.isascii()
    for label, source in labels:
        if text is not None and label == "utf-8":
            return Decoded(text, label, source)
        if label and not beyond_ascii and not is_wide(label) and not is_ebcdic(label):
            labelled = decode_strictly(body, label)
            if labelled is not None:
                return Decoded(labelled, label, source)
    return Decoded(text, "utf-8", "utf-8") if text is not None and (beyond_ascii or body.isascii()) else _guess(body, labels)


def decode_page(content: bytes, charset: str) -> tuple[str, str]:
    """The text of a page and the charset it was in."""
    decoded = decode(content, charset)
    return decoded.text, decoded.charset


def declared(body: bytes) -> tuple[str, str]:
    """The encoding that the first 1024 bytes declare and where ("meta" or "xml"), two empty strings when none does."""
    head = body[:_PRESCAN]
    charset, source = _meta_charset(head), "meta"
    if not charset and head.startswith(b"<?xml"):
        found = _XML.match(head)
        charset, source = (charset_name(found[1].decode("latin-1")) if found else ""), "xml"
    # ASCII bytes spelled this declaration, so it can be neither UTF-16 nor EBCDIC.
    charset = "utf-8" if is_wide(charset) else "" if is_ebcdic(charset) else charset
    return (charset, source) if charset else ("", "")


def _by_escapes(body: bytes) -> str:
    """ISO-2022 or HZ, where its escapes show it; or ""."""
    if not body.isascii() or not (b"\x1b" in body or b"~{" in body):
        return ""
    return next(
        (name for name, escape in _ESCAPES.items() if escape.search(body) and decode_strictly(body, name) is not None), ""
    )


def _lenient(body: bytes, charset: str, source: str) -> Decoded:
    text = decode_strictly(body, charset)
    if text is not None:
        return Decoded(text, charset, source)
    text = decode_leniently(body, charset)
    genuine = body.count("\ufffd".encode()) if charset == "utf-8" else 0
    return Decoded(text, charset, source, text.count("\ufffd") - genuine)


def _guess(body: bytes, labels: Iterable[tuple[str, str]]) -> Decoded:
    """What is no UTF-8 and fits no label: UTF-8 or a label with an accident in it, else what statistics say."""
    for label, source in (("utf-8", "utf-8"), *labels):
        if label and not is_wide(label) and not is_ebcdic(label) and (damaged := _little_damaged(body, label, source)):
            return damaged
    return _little_damaged(body, _by_statistics(body), "guess") or _lenient(body, "windows-1252", "guess")


def _little_damaged(body: bytes, charset: str, source: str) -> Decoded | None:
    """The text where few bytes do not fit, None where many do not or where the text is none."""
    decoded = _lenient(body, charset, source)
    if not decoded.replaced and not decoded.text.isascii():
        return decoded
    characters = len(_LEAD.findall(body)) if charset == "utf-8" else len(_BEYOND_ASCII.findall(decoded.text))
    return decoded if characters - decoded.replaced > _MOSTLY * decoded.replaced and legible(decoded.text) else None


def _by_statistics(body: bytes) -> str:
    import chardet

    sample = _telling_part(body)
    found = chardet.detect(sample, include_encodings=_candidates())
    name = found["encoding"] or ""
    charset = charset_name(name) or charset_name(_codec_label(name)) or "windows-1252"
    return _corrected(charset, found["language"] or "", sample)


def _telling_part(body: bytes) -> bytes:
    """What statistics are asked about: of a long page only lines and pieces between tags that are not plain ASCII.

    Scripts, markup and English menus would else be taken for the language. No encoding writes a letter with an angle bracket.
    """
    telling = _BEYOND.search(body)
    start = telling.start() if telling else 0
    # Zeros are stray ones here; statistics would take them for UTF-16.
    window = body[max(0, start - 2048) :][:_WINDOW].replace(b"\0", b"")
    pieces = [piece for piece in _BREAK.split(window) if not piece.isascii()]
    return b"\n".join(pieces)[:_SAMPLE] or window[:_SAMPLE]


def _corrected(charset: str, language: str, sample: bytes) -> str:
    letters, sister = _IMPOSSIBLE.get((charset, language), (None, ""))
    if letters and letters.search(sample):
        return sister
    if charset in _BALTIC and len(_LETTER.findall(sample)) < _MOSTLY / 2 * len(_LETTER.findall(_ALBANIAN.sub(b"", sample))):
        return charset
    return "windows-1252" if charset in _BALTIC else charset


@cache
def _candidates() -> list[str]:
    """The encodings among which statistics choose: those of the standard."""
    known = (name for name in codecs_by_name() if not is_wide(name) and not is_ebcdic(name))
    return [*(name for name in known if name not in _NEVER), *_SUBSETS]


def _codec_label(name: str) -> str:
    """A label for a Python codec's name that the standard spells otherwise."""
    try:
        codec = codecs.lookup(name).name.replace("-", "_")
    except LookupError:
        return ""
    return next(
        (label for label, known in codecs_by_name().items() if codecs.lookup(known).name.replace("-", "_") == codec), ""
    )


def _meta_charset(head: bytes) -> str:
    """WHATWG HTML, "prescan a byte stream to determine its encoding"."""
    at = 0
    while 0 <= (at := head.find(b"<", at)) < len(head):
        if head.startswith(b"<!--", at):
            # The two hyphens that open a comment may also close it.
            at = head.find(b"-->", at + 2)
            if at < 0:
                return ""
            at += 3
        elif head[at : at + 5].lower() == b"<meta" and head[at + 5 : at + 6] in (b"\t", b"\n", b"\x0c", b"\r", b" ", b"/"):
            attributes, at = _attributes(head, at + 5)
            charset = _charset_of_meta(attributes)
            if charset:
                return charset
        elif _TAG.match(head, at):
            at = _attributes(head, _name_end(head, at + 1))[1]
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = head.find(b">", at)
            if at < 0:
                return ""
        else:
            at += 1
    return ""


def _name_end(head: bytes, at: int) -> int:
    while at < len(head) and head[at] not in b"\t\n\x0c\r >":
        at += 1
    return at


def _charset_of_meta(attributes: dict[bytes, bytes]) -> str:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CHARSET.search(attributes.get(b"content", b""))
        label = next((group for group in found.groups() if group is not None), b"") if found else None
    charset = charset_name(label.decode("latin-1")) if label is not None else ""
    return "windows-1252" if charset == "x-user-defined" else charset


_ATTRIBUTE = re.compile(
    rb"[\t\n\x0c\r /]*([^\t\n\x0c\r />][^\t\n\x0c\r /=>]*)"
    rb"(?:[\t\n\x0c\r ]*=[\t\n\x0c\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\x0c\r >\"'][^\t\n\x0c\r >]*)))?"
)


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes that start at `at`, the first of each name, and where the tag ends."""
    found: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(head, at):
        value = next((group for group in match.groups()[1:] if group is not None), b"")
        found.setdefault(match[1].lower(), value)
        at = match.end()
    return found, max(at, head.find(b">", at))

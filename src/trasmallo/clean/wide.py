"""Encodings in which ASCII is not ASCII: UTF-16 and UTF-32 by their zeros, EBCDIC by its label.

A label alone is not believed: what it gives must be legible.
"""

from __future__ import annotations

import re

from trasmallo.clean.charsets import charset_name, decode_leniently, decode_strictly, is_ebcdic, is_wide
from trasmallo.clean.nonsense import legible

_BOMS = (
    (b"\xff\xfe\0\0", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32be"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
_WINDOW = 4096
"""Bytes by which an encoding is told. Judgement."""
_SEARCHED = 65536
"""Bytes in which a first zero is looked for; UTF-16 of any script has one in its first line end. Judgement."""
_FEW = 0.2
"""Share of zeros below which bytes may be a text in 8 bits with some stray ones; Latin letters in UTF-16 have 0.5."""
_PLAIN = 0.9
"""Share of printable ASCII among the other bytes above which they are such a text: Japanese in UTF-16 has up to 0.8."""
_ASCII = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_EBCDIC_SPACE = " ".encode("cp037")
_EBCDIC_XML = "<?xml".encode("cp037")
_XML_LABEL = re.compile(r"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"'>]+)[\"']")


def wide_charset(body: bytes, http_charset: str = "") -> tuple[str, str, int]:
    """The encoding, who decided ("bom", "http", "xml" or "guess") and the length of the mark; ("", "", 0) for ASCII's kin."""
    for mark, charset in _BOMS:
        if body.startswith(mark) and not (
            charset.startswith("utf-32") and decode_strictly(body[: 4 * _WINDOW], charset) is None
        ):
            return charset, "bom", len(mark)
    labelled, charset = charset_name(http_charset), _by_zeros(body)
    if charset:
        return charset, "http" if charset == labelled else "guess", 0
    for charset, source in ((labelled, "http"), (_xml_label(body), "xml")):
        if (is_wide(charset) or is_ebcdic(charset)) and _fits(body[: 4 * _WINDOW], charset):
            return charset, source, 0
    return "", "", 0


def _fits(sample: bytes, charset: str) -> bool:
    """Whether bytes may be in an encoding whose label they bear: they are no UTF-8, and legible."""
    text = decode_strictly(sample, charset)
    if text is None or decode_strictly(sample, "utf-8") is not None or not legible(text):
        return False
    return is_wide(charset) or sample.count(_EBCDIC_SPACE) >= sample.count(b" ")


def _xml_label(body: bytes) -> str:
    """What an XML declaration in EBCDIC says, "" without one (XML 1.0, appendix F)."""
    if not body.startswith(_EBCDIC_XML):
        return ""
    found = _XML_LABEL.match(body[:_WINDOW].decode("cp037"))
    return charset_name(found[1]) if found else "ibm037"


def _by_zeros(body: bytes) -> str:
    """UTF-32 or UTF-16 where zeros show it, else ""."""
    first = body.find(b"\0", 0, _SEARCHED)
    if first < 0:
        return ""
    start = max(0, first - _WINDOW // 2) & ~3
    sample = body[start : start + _WINDOW]
    charsets = ("utf-32le", "utf-32be", *(() if _is_narrow(sample) else _orders(sample)))
    return next((charset for charset in charsets if _is_text(decode_leniently(sample, charset))), "")


def _is_text(text: str) -> bool:
    """Whether it is a text; in what is none, characters of zeros only are among the first."""
    return "\0" not in text and legible(text)


def _orders(sample: bytes) -> list[str]:
    """Both kinds of UTF-16, the one first in which there is more ASCII; one without any is left out."""
    units = list(zip(sample[0::2], sample[1::2], strict=False))
    little = sum(second == 0 and first in _ASCII for first, second in units)
    big = sum(first == 0 and second in _ASCII for first, second in units)
    found = sorted([(little, "utf-16le"), (big, "utf-16be")], reverse=True)
    return [charset for count, charset in found if count]


def _is_narrow(sample: bytes) -> bool:
    """Whether bytes are ASCII for the most part, with a few zeros among them."""
    rest = sample.replace(b"\0", b"")
    printable = sum(map(len, _PRINTABLE.findall(rest)))
    return len(rest) > (1 - _FEW) * len(sample) and printable > _PLAIN * len(rest)

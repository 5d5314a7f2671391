"""XML in UTF-16 and UTF-32, told by its first octets (XML 1.0, appendix F), as UTF-8: its readers look for names in ASCII."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
"""What a file begins with, longer ones first."""

_DECLARED = re.compile(rb"""^(<\?xml[^>]{0,100}?)\s+encoding\s*=\s*["'][^"'>]{0,40}["']""")


def to_utf8(body: bytes) -> bytes:
    """The body in UTF-8 without its declaration of another encoding, where it is wide; else as it is. Any octets will do."""
    codec = next((codec for mark, codec in _MARKS if body.startswith(mark)), "")
    if not codec:
        return body
    return _DECLARED.sub(rb"\1", body.decode(codec, "replace").encode("utf-8", "replace"))

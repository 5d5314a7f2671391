"""Any format to HTML with its structure.

What a server calls a document is checked against its bytes. Light formats, as HTML and plain text, are read here; every other
one in a child process with limits, so that a hostile file can hurt nothing else. A document that cannot be converted comes back
with the reason; nothing here raises for what a document contains.
"""

from __future__ import annotations

from trasmallo.clean.formats.readers import Converted, render
from trasmallo.clean.formats.registry import format_of
from trasmallo.clean.formats.sniff import media_of
from trasmallo.clean.sandbox import Sandbox, shared_sandbox
from trasmallo.values.model import Drop

__all__ = ["Converted", "convert", "media_of"]

_REPAIRS = {
    "application/x-ole-encrypted": (Drop.BROKEN, "it is encrypted", "save it without a password"),
    "application/x-ole-storage": (Drop.FORMAT, "a file of an old Office program of no known kind", "save it in a newer format"),
}

_PROLOG = 1_024
"""Characters in which a text may say that it is XML. Judgement: nobody writes more blanks before it."""


def convert(
    content: bytes, *, media: str = "", http_charset: str = "", name: str = "", sandbox: Sandbox | None = None
) -> Converted:
    """A document of any format as HTML; `media` and `http_charset` are what a server says, the ending of `name` a hint.

    Formats that are not light are read in the `sandbox`, None for the one of the program.
    """
    found = media_of(content, media, http_charset, name=name)
    if found in _REPAIRS:
        drop, cause, repair = _REPAIRS[found]
        return Converted(drop=drop, cause=f"{cause}: {repair}", repair=repair)
    known = format_of(found)
    if known is None:
        return Converted(drop=Drop.FORMAT, cause=found)
    if known.light:
        return render(found, content, http_charset)
    return (sandbox or shared_sandbox()).render(found, content, http_charset, name)


def convert_page(html: str | bytes, *, media: str = "", http_charset: str = "", name: str = "") -> Converted:
    """A page as HTML: bytes by `convert`; a text is HTML already, unless it says that it is XML and its root is another."""
    if isinstance(html, bytes):
        return convert(html, media=media, http_charset=http_charset, name=name)
    if html[:_PROLOG].lstrip("\ufeff \t\r\n").startswith("<?xml"):
        content = html.encode("utf-8", errors="replace")
        known = format_of(media_of(content, media, "utf-8", name=name))
        if known is not None and not known.light:
            return convert(content, media=media, http_charset="utf-8", name=name)
    return Converted(html=html)

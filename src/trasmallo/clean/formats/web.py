"""HTML and XHTML, which are the form that others become; and the body of a page for those that hold pages."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from trasmallo.clean.flat import prune_depth
from trasmallo.clean.formats.html_builder import HtmlBuilder

_LARGEST = 20_000_000
_SELF_CLOSED = re.compile(r"<([a-zA-Z][\w:.-]*+)((?:[^<>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)/>")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_ELSEWHERE = re.compile(r"(?:https?|ftp|mailto|tel):", re.IGNORECASE)


def read_html(content: bytes, page: HtmlBuilder) -> None:
    """A page as it is."""
    page.whole = page.decode(content)


def read_xhtml(content: bytes, page: HtmlBuilder) -> None:
    """XHTML may close any element at once, which an HTML parser does not understand."""
    page.whole = _SELF_CLOSED.sub(_opened, page.decode(content)[:_LARGEST])


def _opened(match: re.Match[str]) -> str:
    name = match[1].lower()
    return match[0] if name in _VOID else f"<{match[1]}{match[2]}></{match[1]}>"


def body_of(html: str) -> tuple[str, str]:
    """The title and the inner markup of a page's body, without scripts and without links into the document it is part of."""
    parser = LexborHTMLParser(prune_depth(html[:_LARGEST]).encode("utf-8", "replace"))
    for node in parser.css("script, style, template"):
        node.decompose()
    for node in parser.css("a[href]"):
        if not _ELSEWHERE.match(node.attributes.get("href") or ""):
            del node.attrs["href"]
    title = parser.css_first("title")
    return title.text(strip=True) if title else "", (parser.body.inner_html or "") if parser.body else ""

"""HTML and XHTML, which are the form that others become."""

from __future__ import annotations

import re

from trasmallo.clean.formats.html_builder import HtmlBuilder

_LARGEST = 20_000_000
"""Characters in which self-closed elements are opened; beyond, nothing is read anyway."""
# Tags of every kind, or one that is never closed would be looked at from each of its quotes to the end.
_TAG = re.compile(r"<([a-zA-Z][\w:.-]*+)((?:[^<>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)(/>)?")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)


def read_html(content: bytes, page: HtmlBuilder) -> None:
    """A page as it is."""
    page.whole = page.decode(content)


def read_xhtml(content: bytes, page: HtmlBuilder) -> None:
    """XHTML may close any element at once, which an HTML parser does not understand."""
    page.whole = _TAG.sub(_opened, page.first(page.decode(content), _LARGEST))


def _opened(match: re.Match[str]) -> str:
    if not match[3] or match[1].lower() in _VOID:
        return match[0]
    return f"<{match[1]}{match[2]}></{match[1]}>"

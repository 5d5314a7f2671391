"""Pages behind a fragment (`/#!/about`, `/#/about`), of sites where a rule of the project says that they are pages."""

from __future__ import annotations

import re
from html import unescape

from trasmallo.values.model import Response
from trasmallo.values.urls import resolve

MOST_PAGES = 2_000
"""Links of one page that are followed so. Judgement."""

_HREF = re.compile(rb"""\bhref\s*=\s*["']([^"'<>\s#]{0,2000})#(!?/[^"'<>\s]{0,1000})["']""", re.IGNORECASE)


def fragment_pages(answer: Response) -> tuple[str, ...]:
    """The addresses on the same host whose fragment is a page, as the links of a page name them, each once."""
    here = answer.url.partition("#")[0]
    found: dict[str, None] = {}
    for match in _HREF.finditer(answer.content):
        page = resolve(here, unescape(match[1].decode("utf-8", "replace"))) if match[1] else here
        if page is not None and len(found) < MOST_PAGES:
            found.setdefault(f"{page}#{unescape(match[2].decode('utf-8', 'replace'))}")
    return tuple(found)

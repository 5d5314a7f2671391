"""A crawl of the app itself: every kind of address that its pages link to, each seen once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

_LINKS = """() => [...document.querySelectorAll("a[href], [data-address]")].map(link =>
  new URL(link.getAttribute("href") ?? link.dataset.address, location.href)).filter(url => url.origin === location.origin)
  .map(url => url.pathname + url.search)"""
_LOOK = """async address => { const answer = await fetch(address);
  return [answer.status, answer.headers.get("content-type") ?? "", answer.headers.get("content-disposition") ?? ""]; }"""

_NAMES = re.compile(
    r"/p/[^/]+|(?<=/documents/)[^/]+|(?<=/groups/)[^/]+|(?<=/lists/)[^/]+|(?<=/lab/)[^/]+|(?<=/tables/)[^/]+|(?<=/marking/)[^/]+"
)
_ALL_ARE_ONE = frozenset({"lang", "sort", "offset", "said", "detail", "token", "to", "since", "until", "bom", "run"})
"""Parameters by which a page hardly looks different."""
_TELLING = frozenset({"view", "tab", "which", "by"})
"""Parameters whose values make other pages."""


def shape(address: str) -> str:
    """What addresses of one kind have in common: the path without names, and which parameters there are."""
    parts = urlsplit(address)
    path = _NAMES.sub(lambda name: "/p/*" if name[0].startswith("/p/") else "*", unquote(parts.path))
    given = sorted({f"{k}={v}" if k in _TELLING else k for k, v in parse_qsl(parts.query) if k not in _ALL_ARE_ONE})
    return "?".join(filter(None, (path, "&".join(given))))


class Seen:
    """What one address gave: what it is, and for a page what was wrong in the eyes of who looked."""

    def __init__(self, address: str, status: int, media: str, wrong: object = None) -> None:
        self.address, self.status, self.media, self.wrong = address, status, media, wrong


def crawl(tab: Any, origin: str, start: str, look: Callable[[str], object], most: int = 1_000) -> Iterator[Seen]:
    """Every kind of address from a start on; `look` sees each page that is shown in the tab, and tells what is wrong."""
    waiting, known = [start], {shape(start)}
    for _ in range(most):
        if not waiting:
            return
        address = waiting.pop(0)
        status, media, disposition = tab.evaluate(_LOOK, address)
        if status >= 400 or not media.startswith("text/html") or disposition or "/stored" in address:
            yield Seen(address, status, media)
            continue
        tab.goto(origin + address)
        for link in tab.evaluate(_LINKS):
            link = quote(link, safe="/?&=%:+~!$'()*,;@[]-._")
            if shape(link) not in known:
                known.add(shape(link))
                waiting.append(link)
        yield Seen(address, status, media, look(address))

"""Frames of a page opened: what they show stands in their place, as the extension sees it in a browser.

Slicing sees a page with its frames; the main content is looked for in them only where they hold more than the page itself.

A frame is opened when its page is in its `srcdoc`, or of the same site and at hand: beside a file, in the store of a project,
or fetched as the page itself was. It becomes a division with the frame's attributes. Frames of other sites stay closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trasmallo.clean.flat import harmless

LoadPage = Callable[[str], str]
"""Gives the HTML of another page of the site by its address; "" for one that is not at hand."""

_MOST_DEEP = 3
"""Frames inside frames that are opened. Judgement: pages nest one or two."""
_MOST_FRAMES = 50
"""Frames of a page that are opened. Judgement: a bound on work."""
_HAS_FRAMES = re.compile(r"<i?frame[\s/]", re.IGNORECASE)
_SRCDOC = ("srcdoc", "srcDoc", "SRCDOC")
"""How pages write it; to look for these three costs a hundredth of a search in any case."""
# A private character stands for no text, and numbers the frames.
_MARK = "\ue0f7{}\ue0f7"
_MARKED = re.compile("\ue0f7([0-9]+)\ue0f7")


def no_page(_address: str) -> str:
    """For who has no other page."""
    return ""


def open_frames(html: str, url: str = "", load: LoadPage = no_page, *, depth: int = _MOST_DEEP) -> str:
    """A page with its frames opened as far as they can be; the same text where there are none."""
    if not depth or (load is no_page and not any(name in html for name in _SRCDOC)) or not _HAS_FRAMES.search(html):
        return html
    tree = LexborHTMLParser(harmless(html.replace("\ue0f7", " ")))
    base = next((urljoin(url, node.attributes.get("href") or "") for node in tree.css("base[href]")), url)
    opened: list[str] = []
    is_frameset = tree.css_first("frameset") is not None
    for frame in tree.css("iframe, frame")[:_MOST_FRAMES]:
        address = _address(frame, base, url)
        inner = frame.attributes.get("srcdoc") or (load(address) if address else "")
        if inner:
            inside = open_frames(inner, address or url, load, depth=depth - 1)
            if not is_frameset:
                frame.replace_with(_MARK.format(len(opened)))
            opened.append(f"<div{_attributes(frame)}>{_body(inside)}</div>")
    if not opened:
        return html
    if is_frameset:
        head = tree.head.html if tree.head else ""
        root = _attributes(tree.root) if tree.root else ""
        return f"<html{root}>{head}<body>{''.join(opened)}</body></html>"
    return _MARKED.sub(lambda match: opened[int(match[1])], tree.html or "")


def _address(frame: LexborNode, base: str, url: str) -> str:
    """Where a frame's page is, if that is of the same site; a page without address has those beside it."""
    source = (frame.attributes.get("src") or "").strip()
    if not source or source.startswith("#"):
        return ""
    if not url:
        return "" if urlsplit(source).scheme or source.startswith("/") else source
    address = urljoin(base, source).partition("#")[0]
    return address if urlsplit(address)[:2] == urlsplit(url)[:2] and address != url else ""


def _attributes(frame: LexborNode) -> str:
    kept = ((name, value or "") for name, value in frame.attributes.items() if name != "srcdoc")
    return "".join(f' {name}="{escape(value)}"' for name, value in kept if re.fullmatch(r"[a-z][\w-]*", name))


def _body(html: str) -> str:
    """What stands in the body of a page."""
    body = LexborHTMLParser(harmless(html)).body
    return (body.inner_html or "") if body else ""

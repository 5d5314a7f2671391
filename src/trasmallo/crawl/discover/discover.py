"""What an answer leads to: the links of a page, the entries of a sitemap or of a feed, chosen by what the body is."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from trasmallo.crawl.discover.feeds import read_feed
from trasmallo.crawl.discover.links import NOTHING_KNOWN, Followed, Known, find_followed
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.crawl.discover.wide_xml import to_utf8
from trasmallo.crawl.outcomes import charset_of, media_of
from trasmallo.crawl.robots import page_directives
from trasmallo.values.model import Response

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_MAYBE_LIST = re.compile(r"xml|rss|atom|json|gzip|text/plain|octet-stream")
_SITEMAP = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>]")
_FEED = re.compile(rb"<(?:rss|(?:[\w.-]+:)?feed|rdf:RDF)[\s>]|jsonfeed\.org/version", re.IGNORECASE)


Decode = Callable[[bytes, str], tuple[str, str]]
"""Bytes and the header's charset to text and the charset it was in; asked only for pages that are not UTF-8."""


class Discovery(msgspec.Struct, frozen=True):
    """Canonical addresses in the order they were found. `kind` is page, sitemap, feed or other.

    `written` are links of a page as `links.Followed` has them, `stated` the priorities that a sitemap gives.
    """

    kind: str
    urls: tuple[str, ...]
    written: tuple[str, ...] = ()
    stated: dict[str, float] = {}


def holds_sitemap(answer: Response) -> bool:
    """Whether an answer is a sitemap; many sites answer any address with a page."""
    return 200 <= answer.status < 300 and kind_of(media_of(answer), answer.content) == "sitemap"


def may_be_list(media: str) -> bool:
    """Whether an answer of a media type may be a sitemap or a feed."""
    return media not in _HTML and _MAYBE_LIST.search(media) is not None


def kind_of(media: str, content: bytes) -> str:
    """What a body is to a crawler: page, sitemap, feed or other."""
    if media in _HTML:
        return "page"
    if not _MAYBE_LIST.search(media):
        return "other"
    head = to_utf8(content[:4096])
    if head[:2] == b"\x1f\x8b" or _SITEMAP.search(head):
        return "sitemap"
    return "feed" if _FEED.search(head) else "other"


def discover(answer: Response, agent: str, decode: Decode, known: Known = NOTHING_KNOWN) -> Discovery:
    """The addresses that an answer leads to; links of pages that are `known` are left out."""
    kind = kind_of(media_of(answer), answer.content)
    if kind == "page":
        return _of_page(answer, agent, decode, known)
    if kind == "sitemap":
        sitemap = read_sitemap(answer.content, answer.url)
        stated = {entry.url: entry.priority for entry in sitemap.entries if entry.priority is not None}
        return Discovery(kind, (*sitemap.children, *(entry.url for entry in sitemap.entries)), stated=stated)
    if kind == "feed":
        feed = read_feed(answer.content, answer.url, answer.header("content-type"))
        return Discovery(kind, tuple(feed.targets()) if feed else ())
    return Discovery(kind, ())


def _of_page(answer: Response, agent: str, decode: Decode, known: Known) -> Discovery:
    page = _followed(answer, agent, decode, known)
    tags = [value for name, value in answer.headers if name.lower() == "x-robots-tag"]
    if (tags or page.directives) and "nofollow" in page_directives(page.directives, tags, agent):
        return Discovery("page", ())
    return Discovery("page", page.urls, page.written)


def _followed(answer: Response, agent: str, decode: Decode, known: Known) -> Followed:
    """What a page leads to; it is decoded only where that can make a difference, which is dear.

    Markup is the same in all encodings but UTF-16 (which has zeros) and those that switch by an escape.
    """
    content = answer.content
    if b"\0" not in content and b"\x1b" not in content:
        page = find_followed(content, answer.url, agent=agent, known=known)
        if page.is_ascii or _is_utf8(content):
            return page
    text, encoding = decode(content, charset_of(answer))
    return find_followed(text, answer.url, encoding=encoding, agent=agent, known=known)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True

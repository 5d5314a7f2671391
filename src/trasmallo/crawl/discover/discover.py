"""What an answer leads to: the links of a page, the entries of a sitemap or of a feed, chosen by what the body is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import msgspec

from trasmallo.crawl.answers import charset_of, media_of
from trasmallo.crawl.discover.feeds import read_feed
from trasmallo.crawl.discover.links import NOT_FOLLOWED, PageLinks, find_followed, find_links, looks_like_asset
from trasmallo.crawl.discover.sitemaps import read_sitemap
from trasmallo.crawl.robots import page_directives
from trasmallo.model import Response

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_MAYBE_LIST = re.compile(r"xml|rss|atom|json|gzip|text/plain|octet-stream")
_SITEMAP = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>]")
_FEED = re.compile(rb"<(?:rss|(?:[\w.-]+:)?feed|rdf:RDF)[\s>]|jsonfeed\.org/version", re.IGNORECASE)


Decode = Callable[[bytes, str], tuple[str, str]]
"""Bytes and the header's charset to text and the charset it was in; asked only for pages that are not UTF-8."""


class Find(Protocol):
    """`links.find_links` or `links.find_followed`."""

    def __call__(self, content: str | bytes, url: str, *, encoding: str, agent: str) -> PageLinks:
        """The links of the page at a URL."""


class Discovery(msgspec.Struct, frozen=True):
    """Canonical addresses in the order they were found. `kind` is page, sitemap, feed or other."""

    kind: str
    urls: tuple[str, ...]


def holds_sitemap(answer: Response) -> bool:
    """Whether an answer is a sitemap; many sites answer any address with a page."""
    return 200 <= answer.status < 300 and kind_of(media_of(answer), answer.content) == "sitemap"


def kind_of(media: str, content: bytes) -> str:
    """What a body is to a crawler: page, sitemap, feed or other."""
    head = content[:4096]
    if media in _HTML:
        return "page"
    if not _MAYBE_LIST.search(media):
        return "other"
    if head[:2] == b"\x1f\x8b" or _SITEMAP.search(head):
        return "sitemap"
    return "feed" if _FEED.search(head) else "other"


def discover(answer: Response, agent: str, decode: Decode) -> Discovery:
    """The addresses that an answer leads to."""
    kind = kind_of(media_of(answer), answer.content)
    if kind == "page":
        return Discovery(kind, _of_page(answer, agent, decode))
    if kind == "sitemap":
        sitemap = read_sitemap(answer.content, answer.url)
        return Discovery(kind, (*sitemap.children, *(entry.url for entry in sitemap.entries)))
    if kind == "feed":
        feed = read_feed(answer.content, answer.url, answer.header("content-type"))
        return Discovery(kind, tuple(feed.targets()) if feed else ())
    return Discovery(kind, ())


def page_links(content: bytes, url: str, charset: str, agent: str, decode: Decode, find: Find = find_links) -> PageLinks:
    """The links of a page in any encoding."""
    try:
        content.decode()
    except UnicodeDecodeError:
        text, encoding = decode(content, charset)
        return find(text, url, encoding=encoding, agent=agent)
    return find(content, url, encoding="utf-8", agent=agent)


def _of_page(answer: Response, agent: str, decode: Decode) -> tuple[str, ...]:
    page = page_links(answer.content, answer.url, charset_of(answer), agent, decode, find_followed)
    tags = [value for name, value in answer.headers if name.lower() == "x-robots-tag"]
    if "nofollow" in page_directives(page.directives, tags, agent):
        return ()
    return tuple(link.url for link in page.links if NOT_FOLLOWED.isdisjoint(link.rel) and not looks_like_asset(link.url))

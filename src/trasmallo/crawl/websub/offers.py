"""Where a page or feed may be subscribed to: its hubs and its own name for itself (WebSub, section 4; RFC 8288).

The Link headers decide; without a hub there, the feed's or page's own links do. Of a page only its head is believed: in the
body may stand what strangers wrote, and whoever names the hub decides what we are told (section 8.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin

import msgspec

from trasmallo.crawl.discover.discover import kind_of
from trasmallo.crawl.discover.feeds import Feed, read_feed
from trasmallo.crawl.outcomes import media_of
from trasmallo.values.errors import UrlError
from trasmallo.values.model import Response
from trasmallo.values.safe_html import parse_page
from trasmallo.values.urls import canonical, host_key

MOST_HUBS = 8  # judgement: hubs of one topic
LONGEST_TOPIC = 2_048
"""Characters; the topic goes into a request's body and comes back in a query."""

_MOST_LINKS = 200  # judgement: links of a head or header that are looked at
_LINK = re.compile(r"""<([^<>]*+)>((?:\s*+;\s*+[^\s=;,"<]++(?:\s*+=\s*+(?:"(?:[^"\\]|\\.)*+"|[^\s;,"]*+))?+)*+)""", re.DOTALL)
_PARAMETER = re.compile(r""";\s*+([^\s=;,"<]++)(?:\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;,"]*+)))?+""", re.DOTALL)

_Links = Iterable[tuple[str, str]]
"""Pairs of a relation in lower case and an address as it was written."""


class Offer(msgspec.Struct, frozen=True):
    """What can be subscribed to: the topic as its publisher writes it, which is how hubs know it, and the hubs, https first."""

    topic: str
    hubs: tuple[str, ...]


def find_offer(answer: Response, feed: Feed | None = None) -> Offer | None:
    """The offer that an answer makes, None when it names no hub; who has read the `feed` in it hands it over."""
    values = (value for name, value in answer.headers if name.lower() == "link")
    return _made_of(header_links(values), answer.url) or _made_of(_own_links(answer, feed), answer.url)


def own_offer(answer: Response, feed: Feed | None = None) -> Offer | None:
    """The offer that an answer makes of its own host, None when it names no hub; of a `feed` as for `find_offer`.

    A page that calls itself by a name of another host is not believed: that host is visited, and may say so itself.
    """
    offer = find_offer(answer, feed)
    return offer if offer and host_key(canonical(offer.topic)) == host_key(answer.url) else None


def header_links(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Relation and address of the links in Link headers; those that speak of another page (`anchor`) are left out."""
    found = (match for value in values for match in _LINK.finditer(value))
    for _, match in zip(range(_MOST_LINKS), found, strict=False):
        parameters: dict[str, str] = {}
        for name, quoted, bare in _PARAMETER.findall(match[2]):
            parameters.setdefault(name.lower(), quoted or bare)
        if "anchor" not in parameters:
            for relation in parameters.get("rel", "").lower().split():
                yield relation, match[1].strip()


def _own_links(answer: Response, read: Feed | None) -> Iterator[tuple[str, str]]:
    kind = "feed" if read else kind_of(media_of(answer), answer.content)
    if kind == "feed" and (feed := read or read_feed(answer.content, answer.url, answer.header("content-type"))):
        yield from (("hub", hub) for hub in feed.hubs)
        if feed.self_url:
            yield "self", feed.self_url
    elif kind == "page":
        for node in parse_page(answer.content).css("head link[rel][href]")[:_MOST_LINKS]:
            for relation in (node.attributes["rel"] or "").lower().split():
                yield relation, node.attributes["href"] or ""


def _made_of(links: _Links, url: str) -> Offer | None:
    hubs: dict[str, None] = {}
    topic = ""
    for relation, href in links:
        if relation == "hub" and (hub := _absolute(url, href)):
            hubs.setdefault(hub)
        elif relation == "self":
            topic = topic or _absolute(url, href)
    if not hubs:
        return None
    ordered = sorted(hubs, key=lambda hub: not hub.startswith("https:"))
    return Offer(topic or url, tuple(ordered[:MOST_HUBS]))


def _absolute(base: str, href: str) -> str:
    """The address in full, otherwise as written, for hubs compare letter by letter; "" when it is none we could ask."""
    try:
        url = urljoin(base, href.strip())
        canonical(url)
    except (ValueError, UrlError):
        return ""
    return url if len(url) <= LONGEST_TOPIC and url.isprintable() else ""

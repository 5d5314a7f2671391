"""Where a page leads: its links with their anchors, and what it asks of robots.

One CSS query over lexbor's tree finds every element that can lead somewhere; what is inside scripts, comments and templates is
not in that tree. Walking the tree from Python takes longer than the query on any page with text.

A form leads nowhere by itself: sending one, even by GET, is an act (it may log out or empty a cart), never a link to follow.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from trasmallo.crawl.discover.places import MENU, UNSEEN, find_places
from trasmallo.values.model import Link, PageLinks
from trasmallo.values.safe_html import parse_page
from trasmallo.values.urls import resolver

LINK_LIMIT = 20_000
"""Links of a page that are kept."""

ANCHOR_LIMIT = 200
"""Characters of an anchor text."""

TEXT_BUDGET = 4_000_000
"""Characters of anchor text that are read in a page: anchors can be nested in tables and hold each other's text many times."""

NOT_FOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})
"""Words of `rel` that ask a crawler not to follow a link."""

_LONGEST_ENDING = 9  # characters of the longest ending in `assets.txt`, with room for a dot
_QUERY = "a[href],area[href],link[href],iframe[src],frame[src],meta[content],base[href]"
_MAY_LEAD = re.compile(r"<[^>]*\b(?:href|src|content)\s*=", re.IGNORECASE)
_DOCUMENT_RELS = frozenset(
    {"alternate", "amphtml", "author", "bookmark", "canonical", "chapter", "contents", "feed", "first", "help", "home"}
    | {"index", "last", "license", "next", "prev", "previous", "privacy-policy", "section", "shortlink", "start", "toc", "up"}
)
_SAME_EVERYWHERE = ("/", "http:", "https:", "mailto:", "javascript:", "tel:")
_refresh_target = re.compile(
    r"""\s*+[\d.]++\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+(?:"(?P<double>[^"]+)|'(?P<single>[^']+)|(?P<bare>[^"'].*))""",
    re.IGNORECASE | re.DOTALL,
).match
_ending = re.compile(r"https?://[^/]+/[^?]*\.([A-Za-z0-9]{1,8})(?:\?.*)?", re.DOTALL).fullmatch


class Known(NamedTuple):
    """Links that were followed before, as they are written: on pages of this host, and in full on any page."""

    here: Container[str]
    anywhere: Container[str]


NOTHING_KNOWN = Known(frozenset(), frozenset())


class Followed(msgspec.Struct, frozen=True):
    """What a crawler follows of a page, in canonical form, and the page's `directives` as in `PageLinks`.

    `written` are links of those as the page writes them that mean the same on every page of its host. `is_ascii` says that no
    link has other letters, so that the encoding of the page does not matter.
    """

    urls: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()
    is_ascii: bool = True


def find_links(content: str | bytes | LexborHTMLParser, url: str, encoding: str = "utf-8", *, agent: str = "") -> PageLinks:
    """The links of the page at `url`, a canonical URL, each with its anchor and its place.

    A tree must be parsed with scripting. Bytes are taken for UTF-8: decode pages in other encodings first and name the
    `encoding`, which queries of links keep, as browsers do. Meta elements named `agent` count as directives beside "robots".
    """
    tree = content if isinstance(content, LexborHTMLParser) else parse_page(content, scripting=True)
    places = find_places(tree)
    nodes = list(_leading(tree, places))
    page = _Collector(_in_encoding(resolver(_find_base(nodes, url)), encoding), agent.lower(), places)
    for tag, node in nodes:
        if len(page.links) >= LINK_LIMIT:
            break
        page.take(tag or "", node)
    return PageLinks(tuple(page.links.values()), tuple(page.directives))


def _leading(tree: LexborHTMLParser, places: dict[int, str]) -> Iterator[tuple[str | None, LexborNode]]:
    """The elements that may lead somewhere, in the order of the page; adds to `places` those that a `noscript` holds.

    In a tree with scripting such an element holds its markup as one text.
    """
    for node in tree.css(f"{_QUERY},noscript"):
        if (tag := node.tag) != "noscript":
            yield tag, node
        elif _MAY_LEAD.search(text := node.text_lexbor()):
            inner = parse_page(text)
            place, within = places.get(node.mem_id, ""), find_places(inner)
            for found in inner.css(_QUERY):
                places[found.mem_id] = within.get(found.mem_id, place)
                yield found.tag, found


def find_followed(
    content: str | bytes, url: str, *, encoding: str = "utf-8", agent: str = "", known: Known = NOTHING_KNOWN
) -> Followed:
    """What a crawler follows of a page: no anchors, and nothing that asks not to be followed (rel) or is no document.

    `known` are links as pages write them (`Followed.written`) that need no second look: most links of a page stand on all pages
    of its site, and resolving them takes longer than finding them.
    """
    others: list[tuple[str | None, LexborNode]] = []
    hrefs: dict[str | None, None] = {}
    for node in parse_page(content).css(_QUERY)[:LINK_LIMIT]:
        tag = node.tag
        if tag != "a":
            others.append((tag, node))
            continue
        attributes = node.attributes
        if "rel" not in attributes or not _asks_not_to_follow(attributes["rel"]):
            hrefs[attributes["href"]] = None
    base = _find_base(others, url)
    resolve = _in_encoding(resolver(base), encoding)
    page = _Collector(resolve, agent.lower())
    for tag, node in others:
        page.take(tag or "", node)
    here, anywhere = known if base == url else NOTHING_KNOWN
    fresh = [href for href in hrefs if href and href not in here and href not in anywhere]
    urls = {link.url: None for link in page.links.values() if NOT_FOLLOWED.isdisjoint(link.rel)}
    urls.update((target, None) for href in fresh if href[0] != "#" and (target := resolve(href)))
    return Followed(
        urls=tuple([target for target in urls if not looks_like_asset(target)]),
        written=tuple([href for href in fresh if href.startswith(_SAME_EVERYWHERE) and href.isascii()]) if base == url else (),
        directives=tuple(page.directives),
        is_ascii=page.is_ascii and all(map(str.isascii, fresh)),
    )


def _asks_not_to_follow(rel: str | None) -> bool:
    return bool(rel) and not NOT_FOLLOWED.isdisjoint((rel or "").lower().split())


def looks_like_asset(url: str) -> bool:
    """Whether the ending of a URL's path names something that is no document (`assets.txt`)."""
    if "." not in url[-_LONGEST_ENDING:] and "?" not in url:
        return False
    found = _ending(url)
    return found is not None and found[1].lower() in _asset_endings()


@cache
def _asset_endings() -> frozenset[str]:
    lines = (files(__package__) / "assets.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _find_base(nodes: list[tuple[str | None, LexborNode]], url: str) -> str:
    """The first base element that is a web address decides; others count for nothing, as in browsers."""
    href = next((node.attributes["href"] for tag, node in nodes if tag == "base"), None)
    return (resolver(url)(href) or url) if href else url


class _Collector:
    """Gathers what the elements of one page say; without `places` nothing but addresses is wanted, and no anchor is read."""

    def __init__(self, resolve: Callable[[str], str | None], agent: str, places: Mapping[int, str] | None = None) -> None:
        self.links: dict[str, Link] = {}
        self.is_ascii = True
        self.directives: list[tuple[str, str]] = []
        self._resolve, self._agent = resolve, agent
        self._budget = 0 if places is None else TEXT_BUDGET
        self._places = places or {}

    def take(self, tag: str, node: LexborNode) -> None:
        attributes = node.attributes
        if tag == "a" or tag == "area":
            self._add(tag, attributes.get("href"), attributes.get("rel"), node)
        elif tag == "link":
            self._take_link(attributes)
        elif tag == "meta":
            self._take_meta(attributes)
        elif tag != "base":
            self._add(tag, attributes.get("src"))

    def _add(self, tag: str, href: str | None, rel: str | None = None, node: LexborNode | None = None) -> None:
        """Keep a link; the best placed of a URL, the first of those, but a later one that has an anchor where it has none."""
        if not href or href[0] == "#":
            return
        self.is_ascii = self.is_ascii and href.isascii()
        url = self._resolve(href)
        if url is None:
            return
        words, place = tuple(rel.lower().split()[:20]) if rel else (), self._place(tag, node)
        known = self.links.get(url)
        if known is None or not known.anchor or _standing(place, words) < _standing(known.place, known.rel):
            anchor = self._anchor(node) if node is not None and self._budget > 0 else ""
            link = Link(url, anchor, words, tag, place)
            self.links[url] = link if known is None else _better(known, link)

    def _place(self, tag: str, node: LexborNode | None) -> str:
        if tag in ("link", "meta"):
            return UNSEEN
        return self._places.get(node.mem_id, "") if node is not None and self._places else ""

    def _anchor(self, node: LexborNode) -> str:
        text = node.text_lexbor()
        self._budget -= len(text) + 100
        if ("<" in text or "&" in text) and node.css_first("noscript") is not None:
            node = parse_page(node.html or "").css_first("a") or node
            text = node.text_lexbor()
        if not text or text.isspace():
            pictures = node.css("img[alt]") if node.tag == "a" else [node]
            text = " ".join(picture.attributes.get("alt") or "" for picture in pictures[:20])
        elif "{" in text:
            text = _visible_text(node)
        return " ".join(text[: 20 * ANCHOR_LIMIT].split())[:ANCHOR_LIMIT].rstrip()

    def _take_link(self, attributes: dict[str, str | None]) -> None:
        if not _DOCUMENT_RELS.isdisjoint(_words(attributes.get("rel") or "")):
            self._add("link", attributes.get("href"), attributes.get("rel"))

    def _take_meta(self, attributes: dict[str, str | None]) -> None:
        content = (attributes.get("content") or "")[:10_000]
        name = (attributes.get("name") or "").strip().lower()
        if name == "robots" or (name and name == self._agent):
            self.directives.append((name, content))
        elif (attributes.get("http-equiv") or "").strip().lower() == "refresh" and (found := _refresh_target(content)):
            self._add("meta", found[found.lastgroup or 0].strip())


def _standing(place: str, rel: tuple[str, ...]) -> int:
    """0 for a link that its page vouches for, 1 in a menu, 2 for one that counts for nothing."""
    if not place and not rel:
        return 0
    if place not in ("", MENU) or not NOT_FOLLOWED.isdisjoint(rel):
        return 2
    return int(place == MENU)


def _better(known: Link, link: Link) -> Link:
    """Of two links to a URL the better placed one, with the other's anchor if it has none; comments lend no anchors."""
    if known.place == UNSEEN:
        return link
    standing, worse = _standing(link.place, link.rel), _standing(known.place, known.rel)
    if standing < worse:
        return link if link.anchor or worse > 1 else msgspec.structs.replace(link, anchor=known.anchor)
    if not link.anchor or known.anchor or standing > max(worse, 1):
        return known
    return link if standing == worse else msgspec.structs.replace(known, anchor=link.anchor)


@lru_cache(maxsize=256)
def _words(rel: str) -> frozenset[str]:
    """Most sites use a dozen values of `rel` over and over."""
    return frozenset(rel.lower().split())


def _visible_text(node: LexborNode) -> str:
    """The text of a node without scripts and styles, which anchors of broken pages hold."""
    parts = []
    for inner in node.traverse(include_text=True):
        if inner.tag == "-text" and inner.parent is not None and inner.parent.tag not in ("script", "style"):
            parts.append(inner.text_lexbor())
            if len(parts) >= ANCHOR_LIMIT:
                break
    return "".join(parts)


def _in_encoding(resolve: Callable[[str], str | None], encoding: str) -> Callable[[str], str | None]:
    """A resolver that writes queries in the page's encoding (WHATWG URL, query state); the rest of a URL is always UTF-8."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return resolve
    if name in ("utf-8", "ascii") or name.startswith("utf-16"):
        return resolve
    codec = "cp1252" if name == "iso8859-1" else name

    def resolve_encoded(href: str) -> str | None:
        if not href.isascii() and "?" in href:
            before, mark, after = href.partition("?")
            query = after.partition("#")[0]
            href = before + mark + "".join(letter if letter.isascii() else _escape(letter, codec) for letter in query)
        return resolve(href)

    return resolve_encoded


def _escape(character: str, codec: str) -> str:
    try:
        return "".join(f"%{octet:02X}" for octet in character.encode(codec))
    except (UnicodeError, LookupError):
        return f"%26%23{ord(character)}%3B"

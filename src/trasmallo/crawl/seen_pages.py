"""A page as a focus sees it: title, text, and links with their anchors and the text around them."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trasmallo.crawl.discover import Decode
from trasmallo.crawl.focus.notes import MOST_LINKS, SeenLink, SeenPage
from trasmallo.crawl.outcomes import charset_of
from trasmallo.crawl.page_text import text_outside
from trasmallo.values.model import Response
from trasmallo.values.safe_html import parse_page
from trasmallo.values.urls import resolver

_UNREAD = frozenset([b"script", b"style"])
_AROUND = 60  # judgement: characters on each side of an anchor, about a clause
_LONGEST_TEXT = 100_000  # judgement: octets of a page whose words are counted
_LONGEST_ANCHOR = 200  # judgement: characters; see `discover.links`
_MOST_LOOKED_AT = 5 * MOST_LINKS  # links lead to one address several times


def read_page(
    answer: Response, decode: Decode, *, example: bool = False, follows: Callable[[str], bool] = lambda _url: True
) -> SeenPage:
    """What a page says, and where it leads; a page that cannot be read says nothing. `follows` says what the crawl asks for."""
    try:
        text = answer.content.decode()
    except UnicodeDecodeError:
        text = decode(answer.content, charset_of(answer))[0]
    tree = parse_page(text)
    head = tree.css_first("title")
    title = head.text_lexbor()[:300] if head is not None else ""
    resolve, links = resolver(_base(tree, answer.url)), dict[str, SeenLink]()
    for node in tree.css("a[href]")[:_MOST_LOOKED_AT]:
        href = node.attributes.get("href")
        url = resolve(href) if href and href[0] != "#" else None
        if url and url not in links and url != answer.url:
            links[url] = _link(url, node, followed=follows(url))
            if len(links) >= MOST_LINKS:
                break
    body = text_outside(text[:_LONGEST_TEXT].encode("utf-8", "replace"), _UNREAD).decode("utf-8", "replace")
    return SeenPage(answer.url, " ".join(title.split()), body, tuple(links.values()), example)


def _base(tree: LexborHTMLParser, url: str) -> str:
    """What addresses of a page are relative to, as in `discover.links`."""
    node = tree.css_first("base[href]")
    return (node is not None and resolver(url)(node.attributes.get("href") or "")) or url


def _link(url: str, node: LexborNode, *, followed: bool) -> SeenLink:
    anchor = " ".join(node.text_lexbor()[: 4 * _LONGEST_ANCHOR].split())[:_LONGEST_ANCHOR]
    return SeenLink(url, anchor, _text(node.prev)[-_AROUND:], _text(node.next)[:_AROUND], followed)


def _text(node: LexborNode | None) -> str:
    return node.text_lexbor() if node is not None and node.tag == "-text" else ""

"""What a page of results lists: the documents, the words beside each, and the pages of results behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import msgspec

from trasmallo.values.urls import resolve

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_WORDS = re.compile(r"[^\W\d_]{3,}")
_MOST_LINKS = 1_000  # judgement, as the next two: far more than a list of results has
_MOST_CLIMBED = 4  # judgement
_MOST_WORDS = 200  # judgement


class ResultPage(msgspec.Struct, frozen=True):
    """The documents that an answer lists, each with words shown beside it, and the addresses of more results."""

    documents: tuple[tuple[str, tuple[str, ...]], ...] = ()
    further: tuple[str, ...] = ()


def read_results(content: bytes, url: str, query_field: str, frame: frozenset[str] = frozenset()) -> ResultPage:
    """What a page of results lists; `frame` are the links that stand on every page of the form, results or not."""
    from selectolax.lexbor import LexborHTMLParser

    asked, documents, further = urlsplit(url), dict[str, tuple[str, ...]](), dict[str, None]()
    question = dict(parse_qsl(asked.query)).get(query_field, "")
    found = [(node, to) for node in LexborHTMLParser(content).css("a[href]")[:_MOST_LINKS] if (to := _leads(node, url))]
    items = {to for _, to in found if to not in frame and not _asks_again(to, asked.path, query_field)}
    for node, to in found:
        if to in items:
            documents.setdefault(to, _words_beside(node, items, url))
        elif _asks_again(to, asked.path, query_field) and _asks(to, query_field) == question and to != url:
            further.setdefault(to)
    return ResultPage(tuple(documents.items()), tuple(further))


def links_of(content: bytes, url: str) -> frozenset[str]:
    """All that a page leads to."""
    from selectolax.lexbor import LexborHTMLParser

    return frozenset(to for node in LexborHTMLParser(content).css("a[href]")[:_MOST_LINKS] if (to := _leads(node, url)))


def _leads(node: LexborNode, url: str) -> str | None:
    href = (node.attributes.get("href") or "").strip()
    to = resolve(url, href) if href and not href.startswith("#") else None
    return to if to and urlsplit(to).hostname == urlsplit(url).hostname else None


def _asks_again(to: str, path: str, query_field: str) -> bool:
    return urlsplit(to).path == path and f"{query_field}=" in urlsplit(to).query


def _asks(to: str, query_field: str) -> str:
    return dict(parse_qsl(urlsplit(to).query)).get(query_field, "")


def _words_beside(node: LexborNode, items: set[str], url: str) -> tuple[str, ...]:
    """The words of the largest element around a link that holds no other result."""
    chosen, own = node, _leads(node, url)
    for _ in range(_MOST_CLIMBED):
        parent = chosen.parent
        if parent is None or parent.tag in ("body", "html", "main"):
            break
        inside = {to for each in parent.css("a[href]")[:50] if (to := _leads(each, url)) in items}
        if inside - {own}:
            break
        chosen = parent
    return tuple(word.lower() for word in _WORDS.findall(chosen.text(separator=" "))[:_MOST_WORDS])

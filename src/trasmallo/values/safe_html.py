"""A page's tree, made safely: what would take the parser minutes or gigabytes is cut off before it is parsed.

lexbor builds the tree that browsers build and, as the HTML standard is written, needs time in the square of the depth of open
elements and of the attributes of one tag, and makes a copy of every unclosed formatting element in each later block. 200,000
nested `<div>` (1 MB) take 100 s, 50,000 attributes in a tag 8 s. Browsers stop at some depth; we stop reading there, and close
tags with a thousand attributes.
"""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

SAFE_TAGS = 1_500
"""Tags of a page that cannot do harm, however they are nested: no need to look."""

SAFE_LENGTH = 65_536
"""Bytes that cannot hold enough attributes to do harm."""

COST_LIMIT = 30_000_000
"""Steps that the parser may take through open elements, about 5 ns each."""

COPY_COST = 40
"""Steps that making a copy of an unclosed formatting element is worth."""

SAFE_FORMATTING = 2_400
"""Tags of a page that cannot make too many copies: at most half of them can be copied into the other half."""

MOST_COPIES = 1_500_000
"""Copies of unclosed formatting elements that the parser may make, about 400 bytes each."""

# The first letter is looked at apart, since most tags have another.
_FORMATTING_TAG = re.compile(
    rb"<(?=[bcefinstu])((?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>]))[^>]*+", re.IGNORECASE
)
_TAG = re.compile(rb"<(/?)([A-Za-z][^\s/>]*+)")
_CROWDED_TAG = re.compile(
    # A thousand places where an attribute may begin; atomic, or every page with quotes would be tried in every way.
    rb"""<[A-Za-z](?>[^>=\s/]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')|[=\s/])){1000}+"""
)
_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_NEVER_NESTED = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"head a p li option tr td th tbody thead tfoot".split()
)


def parse_page(content: str | bytes, *, scripting: bool = False) -> LexborHTMLParser:
    """The tree of a page; bytes are taken for UTF-8, what is wrong in them is replaced. Harmful pages are cut short.

    With `scripting` what a `noscript` holds is one text, as in a browser; else it is part of the tree.
    """
    octets = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return LexborHTMLParser(bounded(octets), scripting=scripting, options=LexborDocumentOptions.WO_EVENTS)


def bounded(content: bytes) -> bytes:
    """What of a page the parser can read in a moment: all of it as it is, but for pages made to do harm."""
    content = close_crowded_tags(content)
    return cut_costly(content, COST_LIMIT) if content.count(b"<") > SAFE_TAGS else content


def close_crowded_tags(content: bytes) -> bytes:
    """The same page with tags of a thousand attributes ended there."""
    return _CROWDED_TAG.sub(_closed, content) if len(content) > SAFE_LENGTH else content


def plain_formatting(content: bytes, tags: int) -> bytes:
    """The same page of so many tags; its formatting tags lose their attributes, or go, when they could be copied too often.

    The parser opens every unclosed formatting element again in each later block; of those that are alike, only three. So a
    page of 40 KB can become a tree of gigabytes.
    """
    if _most_open(content) * tags <= MOST_COPIES:
        return content
    content = _FORMATTING_TAG.sub(rb"<\1", content)
    return content if _most_open(content) * tags <= MOST_COPIES else _FORMATTING_TAG.sub(b"<wbr", content)


def _most_open(content: bytes) -> int:
    """How many formatting elements may be open at once, of those that are alike three; whether they are closed is not asked."""
    alike = Counter(tag[0] for tag in _FORMATTING_TAG.finditer(content))
    return sum(min(3, count) for count in alike.values())


def _closed(tag: re.Match[bytes]) -> bytes:
    """The beginning of a crowded tag, ended. In the middle of a script this does no harm, but within its end tag it would."""
    return tag[0][:-2] + b"></" if tag[0].endswith(b"</") else tag[0] + b">"


def cut_costly(content: bytes, limit: int, copy_cost: int = COPY_COST) -> bytes:
    """What of a page can be parsed in so many steps through open elements, by those that seem open at each tag.

    After `plain_formatting` copies cost nothing more.
    """
    unclosed: Counter[bytes] = Counter()
    depth = copies = cost = 0
    for tag in _TAG.finditer(content):
        name = tag[2].lower()
        if name not in _NEVER_NESTED:
            step = 1 if not tag[1] else -1 if unclosed[name] else 0
            unclosed[name] += step
            depth += step
            copies += step * (name in _FORMATTING)
        cost += depth + copies * copy_cost
        if cost > limit:
            return content[: tag.start()]
    return content

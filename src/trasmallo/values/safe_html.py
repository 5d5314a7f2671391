"""A page's tree, made safely: what would take the parser minutes or gigabytes is cut off before it is parsed.

lexbor builds the tree that browsers build and, as the HTML standard is written, needs time in the square of the depth of open
elements and of the attributes of one tag, and makes a copy of every unclosed formatting element in each later block. 200,000
nested `<div>` (1 MB) take 100 s, 50,000 attributes in a tag 8 s. Browsers stop at some depth; we stop reading there, and a tag
keeps its first thousand attributes. What is left out goes with the whole of its tag, so that no markup becomes text.
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

MOST_ATTRIBUTES = 1_000
"""Attributes that a tag keeps. Judgement: no page that was written or generated in earnest has a tenth of them."""

# The first letter is looked at apart, since most tags have another.
_FORMATTING_TAG = re.compile(
    rb"<(?=[bcefinstu])((?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>]))[^>]*+", re.IGNORECASE
)
_TAG = re.compile(rb"<(/?)([A-Za-z][^\s/>]*+)")
_SPACE = rb"[\t\n\x0c\r ]"
# An attribute as the HTML standard's tokenizer reads it; a quote that is never closed hides the rest of the page.
_ATTRIBUTE = (
    rb"[\t\n\x0c\r /]*+[^\t\n\x0c\r />][^\t\n\x0c\r />=]*+"
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\x0c\r >\"'][^\t\n\x0c\r >]*+)?+)?+"
)
_NAME = rb"</?[A-Za-z][^\t\n\x0c\r />]*+"
RAW_TAGS = frozenset(b"script style textarea title xmp iframe noembed noframes".split())
"""Elements in which nothing is markup but their end tag (WHATWG HTML, raw text and escapable raw text)."""
_RAW = rb"(?i:" + b"|".join(sorted(RAW_TAGS)) + rb")"
_COMMENT = rb"<!--(?:-?>|(?s:.*?)(?:--!?>|\Z))"
TOKEN = re.compile(
    _COMMENT
    + rb"|<(?P<raw>" + _RAW + rb")(?=[\t\n\x0c\r />])(?:" + _ATTRIBUTE + rb")*+[\t\n\x0c\r /]*+>?"
    + rb"(?:[^<]++|<(?!/(?i:(?P=raw))[\t\n\x0c\r />]))*+"
    + rb"|<(?P<end>/?)(?P<tag>[A-Za-z][^\t\n\x0c\r />]*+)(?:" + _ATTRIBUTE + rb")*+[\t\n\x0c\r /]*+>?"
)  # fmt: skip
"""What the tokenizer takes in one piece: a comment, an element of raw text up to its end tag, or any other tag by its name."""
_THIN_TAG = re.compile(rb"(" + _NAME + rb"(?:" + _ATTRIBUTE + rb"){0,%d}+)(?:" % MOST_ATTRIBUTES + _ATTRIBUTE + rb")*+")
# Long names count several times, or a page of one endless name would be looked at from each of its letters to the end.
_CROWDED_TAG = re.compile(
    rb"<(?=/?[A-Za-z])(?>[\t\n\x0c\r /]*+[^\t\n\x0c\r />][^\t\n\x0c\r />=]{0,31}+"
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\x0c\r >\"'][^\t\n\x0c\r >]{0,63}+)?+)?+){%d}+" % (MOST_ATTRIBUTES + 2)
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
    content = thin_crowded_tags(content)
    return cut_costly(content, COST_LIMIT) if content.count(b"<") > SAFE_TAGS else content


def thin_crowded_tags(content: bytes) -> bytes:
    """The same page; of more than a thousand attributes in a tag the first thousand are left."""
    if len(content) <= SAFE_LENGTH or not _CROWDED_TAG.search(content):
        return content
    return _end_crowded(TOKEN.sub(_thinned, content))


def _thinned(token: re.Match[bytes]) -> bytes:
    return token[0] if token[0].startswith(b"<!") else _THIN_TAG.sub(rb"\1", token[0], count=1)


def _end_crowded(content: bytes) -> bytes:
    """The same page with every `<` that still has a thousand attributes after it closed there.

    It stands in a comment, a script or quotes, where this does no harm, or else in a page made to deceive us about that.
    """
    parts, done = [], 0
    while found := _CROWDED_TAG.search(content, done):
        tag = _THIN_TAG.match(content, found.start())
        assert tag is not None
        end = tag.end(1) - content.endswith(b"<", 0, tag.end(1))  # of an end tag, which stays one
        crowded = tag.end(1) < tag.end()
        parts += [content[done:end], b" >"] if crowded else [content[done : tag.end()]]
        done = end if crowded else tag.end()
    return b"".join(parts) + content[done:]


def plain_formatting(content: bytes, tags: int) -> bytes:
    """The same page of so many tags; its formatting tags lose their attributes, or go, when they could be copied too often.

    The parser opens every unclosed formatting element again in each later block; of those that are alike, only three. So a
    page of 40 KB can become a tree of gigabytes.
    """
    if _most_open(content) * tags <= MOST_COPIES:
        return content
    content = TOKEN.sub(lambda token: _without_attributes(token[0], rb"<\1>"), content)
    if _most_open(content) * tags <= MOST_COPIES:
        return content
    return TOKEN.sub(lambda token: _without_attributes(token[0], b"<wbr>"), content)


def _without_attributes(token: bytes, instead: bytes) -> bytes:
    """A formatting tag as something else; any other token as it is."""
    match = _FORMATTING_TAG.match(token)
    return match.expand(instead) if match else token


def _most_open(content: bytes) -> int:
    """How many formatting elements may be open at once, of those that are alike three; whether they are closed is not asked."""
    alike = Counter(tag[0] for tag in _FORMATTING_TAG.finditer(content))
    return sum(min(3, count) for count in alike.values())


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

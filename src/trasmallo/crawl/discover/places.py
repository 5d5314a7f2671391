"""Where on a page a link stands: in its text, in a menu, among comments, or where no reader sees it.

Comments and trackbacks are told by the names of the elements around them, as blogs write them: a class that begins with
"comment", not one that only speaks of comments ("has-comments", which whole pages have). One CSS query a place finds those
elements and one more their anchors: walking up from every link would take ten times as long, and for ever on nested markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

MENU, COMMENTS, TRACKBACK, UNSEEN = "menu", "comments", "trackback", "unseen"
PLACES = {
    "": "in the text of the page, as far as its markup tells",
    MENU: "in a menu or footer",
    COMMENTS: "in the comment section",
    TRACKBACK: "among the trackbacks and pingbacks of a blog",
    UNSEEN: "in the head of the page: nothing that a reader clicks",
}
"""What `Link.place` can be."""

_NAMED = {
    MENU: r"(?:^|\s)(?:[\w-]*menu|nav(?:$|[\s_-]|bar|ig))",
    COMMENTS: r"(?:^|\s)(?:comment|comentario|kommentar|disqus|(?:respond|respuestas)$)",
    TRACKBACK: r"(?:^|\s)(?:trackback|pingback)",
}
"""How classes and names begin that say so: "menu-main" and "nav nav-tabs", but not "navidad"."""

_PARTS = {
    MENU: ("menu", "nav"),
    COMMENTS: ("omment", "omentario", "disqus", "respond", "respuestas"),
    TRACKBACK: ("trackback", "pingback"),
}
_ELEMENTS = {
    MENU: ["nav", "menu", "footer", "[role=navigation]", "[role=menu]"],
    COMMENTS: ["[itemtype$='/Comment']", "[itemtype$='/UserComments']"],
    TRACKBACK: [],
}
_LEADING = ("a", "noscript")
_LONGEST_NAME = 200  # judgement: characters of a class or id that can name a place
_WHOLE_PAGE = frozenset(("html", "body", "main", "article"))

_QUERIES = {
    place: ", ".join([*_ELEMENTS[place], *(f"[{where}*={part} i]" for part in parts for where in ("class", "id"))])
    for place, parts in _PARTS.items()
}
_says = {place: lru_cache(maxsize=4_096)(re.compile(names, re.IGNORECASE).search) for place, names in _NAMED.items()}
_own = {place: frozenset(element for element in elements if element.isalpha()) for place, elements in _ELEMENTS.items()}


def find_places(tree: LexborHTMLParser) -> dict[int, str]:
    """The places of the anchors (`mem_id`) of a page that stand elsewhere than in its text; a trackback is no comment.

    Those of `noscript` elements are told too: in a tree with scripting the anchors in them are text.
    """
    return {anchor: place for place, query in _QUERIES.items() for anchor in _anchors_in(tree, query, place)}


def _anchors_in(tree: LexborHTMLParser, query: str, place: str) -> Iterator[int]:
    """The anchors inside the elements of a place; each is seen once, however deep the elements are nested."""
    inside: set[int] = set()
    for element in tree.css(query):
        if element.mem_id not in inside and _is_place(element, place):
            for inner in element.css(f"a[href], noscript, {query}"):
                inside.add(inner.mem_id)
                if inner.tag in _LEADING:
                    yield inner.mem_id


def _is_place(element: LexborNode, place: str) -> bool:
    tag = element.tag
    if tag in _own[place]:
        return True
    attributes = element.attributes
    said = (attributes.get("class") or "", attributes.get("id") or "")
    named = any(_says[place](name.strip()[:_LONGEST_NAME]) for name in said if name)
    return tag not in _WHOLE_PAGE and (named or "itemtype" in attributes or attributes.get("role") in ("navigation", "menu"))

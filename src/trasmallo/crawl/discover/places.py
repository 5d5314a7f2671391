"""Where on a page a link stands: in its text, in a menu, among comments, or where no reader sees it.

Comments and trackbacks are told by the names of the elements around them, as blogs write them: a class that begins with
"comment", not one that only speaks of comments ("has-comments", which whole pages have). One CSS query a place finds those
elements and one more their anchors: walking up from every link would take ten times as long, and for ever on nested markup.
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

MENU, COMMENTS, TRACKBACK, UNSEEN = "menu", "comments", "trackback", "unseen"
PLACES = {
    "": "in the text of the page, as far as its markup tells",
    MENU: "in a menu or footer",
    COMMENTS: "in the comment section",
    TRACKBACK: "among the trackbacks and pingbacks of a blog",
    UNSEEN: "in the head of the page or in a form: nothing that a reader clicks",
}
"""What `Link.place` can be."""

_NAMES = {
    MENU: ("nav-", "navbar", "navig", "menu"),
    COMMENTS: ("comment", "comentario", "kommentar", "disqus"),
    TRACKBACK: ("trackback", "pingback"),
}
_ELEMENTS = {
    MENU: ["nav", "menu", "footer", "[role=navigation]", "[role=menu]", "[class~=nav i]", "[id=nav i]"],
    COMMENTS: ["[id=respond]", "[id=respuestas]", "[itemtype$='/Comment']", "[itemtype$='/UserComments']"],
    TRACKBACK: [],
}
_WHOLE_PAGE = ":not(html):not(body):not(main):not(article)"


def _query(place: str) -> str:
    named = [f"[{where} i]" for name in _NAMES[place] for where in (f"class^={name}", f"class*=' {name}'", f"id^={name}")]
    return ", ".join(element + _WHOLE_PAGE for element in [*_ELEMENTS[place], *named])


_QUERIES = {place: _query(place) for place in _NAMES}


def find_places(tree: LexborHTMLParser) -> dict[int, str]:
    """The places of the anchors (`mem_id`) of a page that stand elsewhere than in its text; a trackback is no comment."""
    return {anchor: place for place, query in _QUERIES.items() for anchor in _anchors_in(tree, query)}


def _anchors_in(tree: LexborHTMLParser, query: str) -> Iterator[int]:
    """The anchors inside the elements of a query; each is seen once, however deep the elements are nested."""
    inside: set[int] = set()
    for element in tree.css(query):
        if element.mem_id not in inside:
            for inner in element.css(f"a[href], {query}"):
                inside.add(inner.mem_id)
                if inner.tag == "a":
                    yield inner.mem_id

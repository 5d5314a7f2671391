"""The menus of a page by the hyperlink-node ratio (HNR): many links on few nodes.

The opposite of the chars-nodes ratio (see `cnr`): a link is worth 1, a word outside links weighs as much as a link, and so does
each word of a link beyond the fourth, since a long one is a headline and not an entry of a menu. The ratio of an element is its
links over their weight and that of the words; a menu is an element with a high ratio that stands in none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.clean.content.bte import count_words
from trasmallo.clean.content.cnr import RatioBlock, outermost
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout

_LEAST_LINKS = 3
"""Judgement: fewer links are no menu."""
_SHORT = 4
"""Words of a link that is an entry of a menu; more make it a headline. Judgement."""
_HIGH = 0.75
"""Ratio from which on an element is a menu, at a favour of 0.5. Judgement."""


class Links(NamedTuple):
    """Links and words that are none of a menu in each node of a page."""

    links: list[int]
    words: list[int]

    def ratio(self, index: int) -> float:
        """Links per link and word, 0 where there are no links."""
        links = self.links[index]
        return links / (links + self.words[index]) if links else 0.0


def compute(page: FlatPage, layout: Layout) -> Links:
    """Links and words of every node that shows."""
    links, words = [0] * len(page), [0] * len(page)
    for first, last in zip(layout.first, layout.last, strict=True):
        for index in range(first, last + 1):
            if page.text[index].strip():
                words[index] = sum(map(_is_word, page.text[index].split())) and count_words(page.text[index])
    for index in range(len(page) - 1, 0, -1):
        if page.tag[index] == "a" and words[index] and "href" in page.attributes(index):
            links[index], words[index] = 1, max(0, words[index] - _SHORT)
        parent = page.parent[index]
        links[parent] += links[index]
        words[parent] += words[index]
    return Links(links, words)


def _is_word(word: str) -> bool:
    """Whether it is more than a sign that parts two links."""
    return any(map(str.isalnum, word))


def find_menus(page: FlatPage, layout: Layout, count: int, *, favour: float = 0.5) -> Iterator[RatioBlock]:
    """Up to `count` menus, the one with most links first; `favour` lowers the ratio that is asked for from 0.95 to 0.55."""
    found = compute(page, layout)
    least = _HIGH + 0.4 * (0.5 - favour)
    chosen = (
        index
        for index in range(1, len(page))
        if found.links[index] >= _LEAST_LINKS and page.tag[index] != "a" and found.ratio(index) >= least
    )
    menus = sorted(outermost(page, chosen), key=lambda index: -found.links[index])[:count]
    return (RatioBlock(_innermost(page, found, index), found.ratio(index), found.links[index]) for index in menus)


def _innermost(page: FlatPage, found: Links, index: int) -> int:
    """The smallest element that holds the same links."""
    child = index + 1
    while child < page.end[index]:
        if found.links[child] == found.links[index]:
            index, child = child, child + 1
        else:
            child = page.end[child]
    return index

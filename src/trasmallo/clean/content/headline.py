"""The headline of a page as part of its main content: the `h1` that stands above the main block, where no method took it in.

A method may leave it out, since a headline is often outside the element that holds the text. Whether it belongs to the main
content is a matter of taste (public sets do not agree), so it is a switch.
"""

from __future__ import annotations

from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout

FARTHEST = 8
"""Blocks that may stand between a headline and the main block: a date, an author, buttons. Calibrated on the four public sets
with full text: with 8, of 0, 3 and 8, macro F1 stays as it is without the switch (.956 of `best`, .836 of `cnr`)."""


def add_headline(page: FlatPage, layout: Layout, main: list[bool]) -> list[bool]:
    """The same blocks and the headline above them, if there is one near."""
    first = next((number for number, chosen in enumerate(main) if chosen), 0)
    for number in range(first - 1, max(first - 2 - FARTHEST, -1), -1):
        if is_headline(page, layout.first[number]):
            return [*main[:number], True, *main[number + 1 :]]
    return main


def is_headline(page: FlatPage, node: int) -> bool:
    """Whether a node stands in an `h1`."""
    while node >= 0 and page.tag[node] != "h1":
        node = page.parent[node]
    return node >= 0

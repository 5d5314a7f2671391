"""The nodes that hold the main content and nothing else, for whoever shows or hides parts of a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from trasmallo.clean.content.cnr import body_of
from trasmallo.clean.flat import TEXT, FlatPage
from trasmallo.clean.layout import Layout


def cover(page: FlatPage, layout: Layout, main: Sequence[bool]) -> list[int]:
    """The outermost nodes from the body down that hold text of main blocks and of no other, in document order.

    They are elements, and text nodes only where an element holds both. No main block gives no node.
    """
    good = _counts(page, layout, main)
    bad = _counts(page, layout, [not chosen for chosen in main])
    nodes: list[int] = []
    index, until = body_of(page), len(page)
    while index < until:
        end = page.end[index]
        if good[end] == good[index]:
            index = end
        elif bad[end] == bad[index]:
            nodes.append(index)
            index = end
        else:
            index += 1
    return nodes


def _counts(page: FlatPage, layout: Layout, wanted: Sequence[bool]) -> list[int]:
    """How many text nodes of the wanted blocks stand before each node, and in the whole page."""
    inside = [0] * len(page)
    for first, last, chosen in zip(layout.first, layout.last, wanted, strict=True):
        if chosen:
            for index in range(first, last + 1):
                inside[index] = int(page.tag[index] == TEXT)
    return [0, *accumulate(inside)]


def common(page: FlatPage, nodes: Sequence[int]) -> int:
    """The smallest node that holds all of these; there must be one."""
    found = nodes[0]
    while page.end[found] <= nodes[-1]:
        found = page.parent[found]
    return found

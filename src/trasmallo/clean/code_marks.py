"""Where a page marks code: `code`, `kbd`, `samp`, `tt`, and what is preformatted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from trasmallo.clean.flat import TEXT, FlatPage, tag_class
from trasmallo.clean.layout import Layout
from trasmallo.values.model import CodeSpan

_INLINE = frozenset(("code", "kbd", "samp", "tt"))
_PREFORMATTED = frozenset(("pre", "listing", "xmp", "plaintext"))
_UNSEEN = re.compile("[\u00ad\ufeff]")


def find_code(page: FlatPage, layout: Layout) -> tuple[CodeSpan, ...]:
    """The code of a page in the order of its text; `pre` that holds none of the other elements is told as such."""
    if (_INLINE | _PREFORMATTED).isdisjoint(page.tag):
        return ()
    marks = _marks(page)
    found: list[CodeSpan] = []
    for number, (first, last) in enumerate(zip(layout.first, layout.last, strict=True)):
        if any(marks[first : last + 1]):
            found += _in_block(page, layout, number, marks)
    return tuple(found)


def _marks(page: FlatPage) -> list[str]:
    """For each node "code" or "pre" when it stands in such an element, "" for others."""
    marks = [""] * len(page)
    for index, tag in enumerate(page.tag):
        if tag in _INLINE:
            marks[index : page.end[index]] = ["code"] * (page.end[index] - index)
        elif tag in _PREFORMATTED and not marks[index]:
            inside = page.tag[index : page.end[index]]
            mark = "pre" if _INLINE.isdisjoint(inside) else "code"
            marks[index : page.end[index]] = [mark] * len(inside)
    return marks


def _in_block(page: FlatPage, layout: Layout, number: int, marks: Sequence[str]) -> Iterator[CodeSpan]:
    """The code of a block. White space is laid out anew, all other characters come in their order: they are counted."""
    places = [place for place, letter in enumerate(layout.block_text(number)) if not letter.isspace()]
    nodes = list(_text_nodes(page, layout, number))
    sizes = [len("".join(_UNSEEN.sub("", page.text[index]).split())) for index in nodes]
    start = layout.start[number]
    for index, size, end in zip(nodes, sizes, accumulate(sizes), strict=True):
        if marks[index] and size and end <= len(places):
            yield CodeSpan(start=start + places[end - size], end=start + places[end - 1] + 1, tag=marks[index])


def _text_nodes(page: FlatPage, layout: Layout, number: int) -> Iterator[int]:
    """The text nodes that a block is made of; what is silent or hidden is passed over with all it holds."""
    silent = tag_class("silent") | tag_class("raw")
    index, last = layout.first[number], layout.last[number]
    while index <= last:
        if page.tag[index] in silent or index in layout.hidden:
            index = page.end[index]
            continue
        if page.tag[index] == TEXT:
            yield index
        index += 1

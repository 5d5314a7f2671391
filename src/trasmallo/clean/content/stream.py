"""A page as the stream of its texts and the tags between them, as its source would be if it were well written.

What a reader does not see is not in it, neither text nor tags.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from trasmallo.clean.flat import TEXT, FlatPage, tag_class
from trasmallo.clean.layout import Layout


class TextStream(NamedTuple):
    """The text nodes in order (`node`), and how many tags stand before each one since the one before it (`tags`).

    `trailing` are the tags after the last text.
    """

    node: list[int]
    tags: list[int]
    trailing: int


@cache
def _unseen() -> frozenset[str]:
    return (tag_class("silent") | tag_class("raw")) - {"noscript"}


def stream_of(page: FlatPage, layout: Layout, ignored: frozenset[str] = frozenset()) -> TextStream:
    """The stream of a page; tags named in `ignored` are not counted."""
    tags, texts, ends, void, unseen = page.tag, page.text, page.end, tag_class("void"), _unseen()
    found = TextStream([], [], 0)
    closing: list[int] = []
    count = index = 0
    while index < len(tags):
        while closing and index >= closing[-1]:
            closing.pop()
            count += 1
        tag = tags[index]
        if tag == TEXT:
            if texts[index] and not texts[index].isspace():
                found.node.append(index)
                found.tags.append(count)
                count = 0
        elif tag in unseen or index in layout.hidden:
            index = ends[index]
            continue
        elif tag not in ignored:
            count += 1
            if tag not in void:
                closing.append(ends[index])
        index += 1
    return found._replace(trailing=count + len(closing))

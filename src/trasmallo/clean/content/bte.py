"""The main text by the document slope: the stretch with many words and few tags.

`find_main` is body text extraction (A. Finn, N. Kushmerick and B. Smyth, "Fact or fiction", 2001): the stretch of the page for
which the tags outside it and the words inside it are most together. A word inside is worth 1 and a tag inside costs 1, so it is
the stretch with the greatest sum, found in one pass. `find_sections` is the variant of D. Pinto and others ("QuASM", 2002): a
window slides over words and tags, and every part where the share of tags is well below that of the page is kept. Tags that only
dress text (emphasis, headings, cells of tables) do not count, as in W. B. Croft, D. Metzler and T. Strohman, chapter 3.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from trasmallo.clean.content.registry import Method
from trasmallo.clean.content.stream import TextStream, stream_of
from trasmallo.clean.flat import FlatPage, tag_class
from trasmallo.clean.layout import Layout

WINDOW = 60
"""Words and tags that the sliding window holds."""

_LOW_SLOPE = 0.5
"""Share of tags in a window, of their share on the page, below which a stretch is text. Judgement: half of the usual."""
_SPREAD = 4.0
"""From precision to recall that share grows by this factor. Judgement."""
# Scripts without spaces: a character is as good as a word.
_DENSE = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class Slope(NamedTuple):
    """The stream of a page with the words of each text."""

    stream: TextStream
    words: list[int]


class NodeRange(NamedTuple):
    """The texts from `first` to `last` of a stream, both included."""

    first: int
    last: int


@cache
def dressing() -> frozenset[str]:
    """The tags that do not count: they dress text and do not part it."""
    return tag_class("inline") | tag_class("heading") | tag_class("grid")


def count_words(text: str) -> int:
    """The words of a text; each character of a script without spaces is one."""
    return len(text.split()) + (0 if text.isascii() else len(_DENSE.findall(text)))


def slope_of(page: FlatPage, layout: Layout) -> Slope:
    """The words and tags of a page in order."""
    stream = stream_of(page, layout, dressing())
    return Slope(stream, [count_words(page.text[index]) for index in stream.node])


def plateau(slope: Slope, *, favour: float = 0.5) -> NodeRange | None:
    """The stretch with most words for its tags, None for a page without text; a tag costs 4 words at `favour` 0, 1/4 at 1."""
    cost = 16.0 ** (0.5 - favour)
    best, found = 0.0, None
    total, first = 0.0, 0
    for place, (tags, words) in enumerate(zip(slope.stream.tags, slope.words, strict=True)):
        total -= cost * tags
        if total <= 0:
            total, first = 0.0, place
        total += words
        if total > best:
            best, found = total, NodeRange(first, place)
    return found


def find_main(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block of the layout has text in the stretch that is found."""
    slope = slope_of(page, layout)
    found = plateau(slope, favour=favour)
    if found is None:
        return [True] * len(layout)
    start, end = slope.stream.node[found.first], slope.stream.node[found.last]
    return [first <= end and last >= start for first, last in zip(layout.first, layout.last, strict=True)]


def find_sections(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether most words of each block stand where the slope is low; the plateau when it is low nowhere."""
    if not len(layout):  # a page may have texts of which nothing shows, such as a soft hyphen
        return []
    slope = slope_of(page, layout)
    low = low_shares(slope, favour=favour)
    words, lows = [0.0] * len(layout), [0.0] * len(layout)
    number = 0
    for node, count, share in zip(slope.stream.node, slope.words, low, strict=True):
        while number < len(layout) - 1 and layout.last[number] < node:
            number += 1
        words[number] += count
        lows[number] += count * share
    main = [2 * low > all_ for low, all_ in zip(lows, words, strict=True)]
    return main if any(main) else find_main(page, layout, favour=favour)


def low_shares(slope: Slope, *, favour: float = 0.5) -> list[float]:
    """For each text of a stream, the share of its words in the middle of a window of low slope."""
    tags, words = np.array(slope.stream.tags), np.array(slope.words)
    if not len(words):
        return []
    runs = np.column_stack((tags, words)).ravel()
    is_tag = np.repeat(np.tile([1, 0], len(words)), runs)
    limit = _LOW_SLOPE * _SPREAD ** (favour - 0.5) * is_tag.mean()
    low = np.concatenate(([0], np.cumsum(_windowed(is_tag) <= limit)))
    ends = np.cumsum(runs)
    inside = low[ends[1::2]] - low[ends[0::2]]
    return list(inside / np.maximum(words, 1))


def _windowed(is_tag: np.ndarray) -> np.ndarray:
    """The share of tags in the window round each token; at the ends of the page it is cut short."""
    sums = np.concatenate(([0], np.cumsum(is_tag)))
    places = np.arange(len(is_tag))
    left, right = np.maximum(places - WINDOW // 2, 0), np.minimum(places + WINDOW // 2, len(is_tag))
    shares: np.ndarray = (sums[right] - sums[left]) / np.maximum(right - left, 1)
    return shares


BTE = Method(
    find=find_main,
    says={
        "en": "the one stretch for which words inside and tags outside are most together",
        "es": "el tramo con más palabras dentro y más etiquetas fuera",
    },
)
BTE_WINDOW = Method(
    find=find_sections,
    says={
        "en": "every stretch where tags are rare, seen through a sliding window",
        "es": "cada tramo en que las etiquetas son raras, visto por una ventana que se desliza",
    },
)

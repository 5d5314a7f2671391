"""The main block of a page as a step of filtering, before a criterion or after one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trasmallo.clean.content.registry import method_named
from trasmallo.clean.flat import TEXT, FlatPage
from trasmallo.clean.layout import lay_out
from trasmallo.clean.slicing.page import GAP, Integers, PageArrays


class _Node(NamedTuple):
    """What the flat form asks of a parser's node."""

    attributes: dict[str, str]

    def text(self) -> str:
        return ""


def _flat_of(page: PageArrays, hidden: frozenset[int]) -> FlatPage:
    """The form of a page that the methods of main content read, made from ours."""
    flat = FlatPage()
    flat.parent, flat.end, flat.text, flat.hidden = page.parent, page.end, page.text, hidden
    # A gap is where a text was cut: for these methods it is text that says nothing.
    flat.tag = [TEXT if tag == GAP else tag for tag in page.tag]
    flat._nodes = [None if tag == TEXT else _Node(dict(pairs or [])) for tag, pairs in zip(flat.tag, page.attrs, strict=True)]
    return flat


def find_main(page: PageArrays, *, method: str = "best", favour: float = 0.5, hidden: frozenset[int] = frozenset()) -> Integers:
    """The text nodes of a page's main block; `hidden` are elements that its reader does not see."""
    flat = _flat_of(page, hidden)
    layout = lay_out(flat)
    main = method_named(method).find(flat, layout, favour=favour)
    chosen = np.zeros(len(page), dtype=bool)
    for first, last, flag in zip(layout.first, layout.last, main, strict=True):
        if flag:
            chosen[first : last + 1] = True
    return np.flatnonzero(chosen & page.is_text & page.readable)

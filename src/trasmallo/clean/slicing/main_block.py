"""The main block of a page as a step of filtering, before a criterion or after one."""

from __future__ import annotations

import numpy as np

from trasmallo.clean.content import METHODS
from trasmallo.clean.dom import TEXT, FlatPage, lay_out
from trasmallo.clean.slicing.page import Integers, Page


class _Flat(FlatPage):
    """The form of a page that the methods of main content read, made from ours."""

    __slots__ = ("_page",)

    def __init__(self, page: Page, hidden: frozenset[int]) -> None:
        super().__init__()
        # A gap is where a text was cut: for these methods it is text that says nothing.
        self.parent, self.end, self.hidden = page.parent, page.end, hidden
        self.tag = [tag if not tag.startswith("#") else TEXT for tag in page.tag]
        self.text = page.text
        self._page = page

    def attributes(self, index: int) -> dict[str, str]:
        return dict(self._page.attrs[index] or [])

    def has_attribute(self, index: int, name: str) -> bool:
        return name in self.attributes(index)


def find_main(page: Page, *, method: str = "best", favour: float = 0.5, hidden: frozenset[int] = frozenset()) -> Integers:
    """The text nodes of a page's main block; `hidden` are elements that its reader does not see."""
    flat = _Flat(page, hidden)
    layout = lay_out(flat)
    main = METHODS[method](flat, layout, favour=favour)
    chosen = np.zeros(len(page), dtype=bool)
    for first, last, flag in zip(layout.first, layout.last, main, strict=True):
        if flag:
            chosen[first : last + 1] = True
    return np.flatnonzero(chosen & page.is_text & page.readable)

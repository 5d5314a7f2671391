"""Which blocks of a page are its main content.

A method takes the flat page, its layout and `favour` (0 = precision, 1 = recall) and says for each block whether it is main.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from trasmallo.clean.content import best, bte, cetr, cnr, rules
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout
from trasmallo.values.model import Block


class Method(Protocol):
    """Says for each block of a layout whether it is main content."""

    def __call__(self, page: FlatPage, layout: Layout, *, favour: float) -> list[bool]:
        """One flag a block; `favour` goes from 0 (precision) to 1 (recall)."""


class RankedBlock(msgspec.Struct, frozen=True):
    """A block or menu of a page in the order of being found; `size` is characters without white space, or links of a menu."""

    rank: int
    ratio: float
    size: int
    tag: str
    path: str
    text: str


def keep_all(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:  # noqa: ARG001 - as every method
    """Every block is main."""
    return [True] * len(layout)


METHODS: dict[str, Method] = {
    "best": best.find_best,
    "plain": rules.find_main,
    "cnr": cnr.find_main,
    "cetr": cetr.find_main,
    "cetr-1d": cetr.find_by_ratio,
    "bte": bte.find_main,
    "bte-window": bte.find_sections,
    "all": keep_all,
}


def mark(page: FlatPage, layout: Layout, main: list[bool], roles: Sequence[str] = ()) -> tuple[Block, ...]:
    """The blocks of a page with their place in its text, and with their roles when these are given."""
    paths = page.paths()
    columns = zip(layout.start, layout.end, layout.node, main, roles or [""] * len(main), strict=True)
    return tuple(Block(start, end, page.tag[node], paths[node], chosen, role) for start, end, node, chosen, role in columns)

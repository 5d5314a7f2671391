"""The blocks of a page as values, with what was found out about them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout
from trasmallo.values.model import Block


class RankedBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block or menu of a page in the order of being found; `size` is characters without white space, or links of a menu."""

    rank: int
    ratio: float
    size: int
    tag: str
    path: str
    text: str


def mark(page: FlatPage, layout: Layout, main: list[bool], roles: Sequence[str] = ()) -> tuple[Block, ...]:
    """The blocks of a page with their place in its text, and with their roles when these are given."""
    paths = page.paths()
    columns = zip(layout.start, layout.end, layout.node, main, roles or [""] * len(main), strict=True)
    return tuple(
        Block(start=start, end=end, tag=page.tag[node], path=paths[node], main=chosen, role=role)
        for start, end, node, chosen, role in columns
    )

"""The bare view: what is shown hangs from the body alone, with the parents it cannot do without.

An `li` needs a list, a `td` its row and table, a `path` its drawing; they get a minimal clone of the parent they had, or a new
one where the page gave them none. Neighbours that need the same parent share its clone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from trasmallo.clean.flat import TEXT
from trasmallo.clean.slicing.characters import kinds
from trasmallo.clean.slicing.page import DRAWINGS, GAP, Flags, PageArrays
from trasmallo.clean.slicing.states import NodeState, States


class Clone(NamedTuple):
    """An element of the bare view: its parent there (-1 for the body), the node it copies (-1 for none) and its tag.

    With `deep` it brings all of its content that is shown.
    """

    parent: int
    source: int
    tag: str
    deep: bool


def plan_bare(page: PageArrays, states: States) -> list[Clone]:
    """The elements of the bare view, parents before children, in the order of the page."""
    plan: list[Clone] = []
    opened: list[tuple[tuple[int, str], int]] = []
    items = _items(page, states)
    holders = {page.parent[item] for item in items if page.tag[item] in (TEXT, GAP)} - {page.scope}
    for item in items:
        chain = list(_wrappers(page, item, holders))[::-1]
        same = 0
        while same < min(len(chain), len(opened)) and opened[same][0] == chain[same]:
            same += 1
        del opened[same:]
        for source, tag in chain[same:]:
            plan.append(Clone(opened[-1][1] if opened else -1, source, tag, deep=False))
            opened.append(((source, tag), len(plan) - 1))
        plan.append(Clone(opened[-1][1] if opened else -1, item, page.tag[item], deep=True))
    return plan


def _items(page: PageArrays, states: States) -> list[int]:
    """The topmost nodes that are shown, without blanks."""
    seen: Flags = np.isin(states, (NodeState.SHOWN, NodeState.RELEVANT, NodeState.PARTIAL))
    full = seen.copy()
    # When the body itself is shown, its children are the topmost.
    full[page.scope] = False
    top = full & ~full[page.above] & ~page.is_blank
    top[: page.scope + 1] = False
    return np.flatnonzero(top).tolist()


def _wrappers(page: PageArrays, item: int, holders: set[int]) -> Iterator[tuple[int, str]]:
    """The parents that a node needs, innermost first: nodes to copy, or tags to make anew (with -1)."""
    drawing = _drawing_of(page, item)
    node, tag = item, page.tag[item]
    while node != page.scope:
        above = page.parent[node]
        wanted = kinds()["parents"].get(tag)
        if above in holders or (drawing >= 0 and node > drawing):
            node, tag = above, page.tag[above]
            yield node, tag
        elif wanted is None:
            return
        elif page.tag[above] in wanted and above != page.scope:
            node, tag = above, page.tag[above]
            yield node, tag
        else:
            yield from _made(tag)
            return


def _made(tag: str) -> Iterator[tuple[int, str]]:
    """New parents for a node whose own are not those it needs."""
    wanted = kinds()["parents"].get(tag)
    while wanted:
        yield -1, wanted[0]
        wanted = kinds()["parents"].get(wanted[0])


def _drawing_of(page: PageArrays, node: int) -> int:
    """The outermost drawing around a node, -1 without one."""
    found = -1
    above = page.parent[node] if page.has_drawings else page.scope
    while above > page.scope:
        if page.tag[above] in DRAWINGS:
            found = above
        above = page.parent[above]
    return found

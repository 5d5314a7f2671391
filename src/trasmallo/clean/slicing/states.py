"""What becomes of every node of a page in one step, and the smaller page that the next step sees."""

from __future__ import annotations

from enum import IntEnum

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.flat import TEXT
from trasmallo.clean.slicing.page import GAP, Attributes, Flags, Integers, PageArrays

States = NDArray[np.uint8]
Parts = dict[int, list[tuple[int, int]]]
"""For each text node that is partly shown, the ranges of its characters that are."""


class NodeState(IntEnum):
    """What becomes of a node.

    Hidden; shown as the surroundings of something shown, without other content; shown; shown because it is relevant; a text
    that is shown in parts; neither read nor seen, such as a script, and left alone.
    """

    HIDDEN = 0
    ANCESTOR = 1
    SHOWN = 2
    RELEVANT = 3
    PARTIAL = 4
    NEUTRAL = 5


def cover(page: PageArrays, nodes: Integers) -> Flags:
    """The nodes and all their descendants."""
    change = np.zeros(len(page) + 1, dtype=np.int64)
    np.add.at(change, nodes, 1)
    np.add.at(change, page.ends[nodes], -1)
    return np.cumsum(change[:-1]) > 0


def keep(page: PageArrays, shown: Flags, parts: Parts, relevant: Integers) -> States:
    """The states when only `shown` nodes and parts are: their ancestors stay without other content, all else is hidden."""
    states = np.where(shown, NodeState.SHOWN, NodeState.HIDDEN).astype(np.uint8)
    reached = shown.copy()
    reached[list(parts)] = True
    around = ~shown & (page.inside(reached) > 0)
    around[page.scope] |= not shown[page.scope]
    states[around] = NodeState.ANCESTOR
    # White space between shown neighbours keeps their words apart.
    states[page.is_blank & ~shown & around[page.above]] = NodeState.SHOWN
    states[relevant[shown[relevant]]] = NodeState.RELEVANT
    states[list(parts)] = NodeState.PARTIAL
    return _leave_unread(page, states)


def hide(page: PageArrays, hidden: Flags, parts: Parts) -> States:
    """The states when everything but `hidden` nodes is shown, texts in `parts` partly; the scope itself stays."""
    states = np.where(hidden, NodeState.HIDDEN, NodeState.SHOWN).astype(np.uint8)
    states[list(parts)] = NodeState.PARTIAL
    if hidden[page.scope]:
        states[page.scope] = NodeState.ANCESTOR
    return _leave_unread(page, states)


def complement(page: PageArrays, parts: Parts) -> Parts:
    """The other parts of the same text nodes."""
    found: Parts = {}
    for index, ranges in parts.items():
        borders = [0, *(place for pair in ranges for place in pair), len(page.text[index])]
        found[index] = [(low, high) for low, high in zip(borders[::2], borders[1::2], strict=True) if low < high]
    return found


def _leave_unread(page: PageArrays, states: States) -> States:
    scope, end = page.scope, page.end[page.scope]
    states[:scope] = NodeState.NEUTRAL
    states[end:] = NodeState.NEUTRAL
    for start, stop in page.unread:
        states[start:stop] = NodeState.HIDDEN if states[page.parent[start]] == NodeState.HIDDEN else NodeState.NEUTRAL
    return states


class Rest(msgspec.Struct, frozen=True):
    """What a step leaves: a page, and for each of its nodes the node it was and how many characters came before it there."""

    page: PageArrays
    origin: Integers
    before: Integers


def restrict(page: PageArrays, states: States, parts: Parts) -> Rest:
    """The page that a step leaves; a text shown in parts becomes several, with a gap between them."""
    new: dict[int, int] = {-1: -1}
    parent: list[int] = []
    origin: list[tuple[int, int]] = []
    tag: list[str] = []
    attrs: list[Attributes | None] = []
    text: list[str] = []

    def add(index: int, name: str, written: str, before: int) -> None:
        parent.append(new[page.parent[index]])
        origin.append((index, before))
        tag.append(name)
        attrs.append(page.attrs[index])
        text.append(written)

    for index in np.flatnonzero(states != NodeState.HIDDEN).tolist():
        new[index] = len(tag)
        if states[index] != NodeState.PARTIAL:
            add(index, page.tag[index], page.text[index], 0)
            continue
        for number, (start, end) in enumerate(parts[index]):
            if number or start:
                add(index, GAP, "", start)
            add(index, TEXT, page.text[index][start:end], start)
        if parts[index][-1][1] < len(page.text[index]):
            add(index, GAP, "", len(page.text[index]))
    columns = np.array(origin, dtype=np.int64).reshape(-1, 2)
    return Rest(PageArrays(parent, tag, attrs, text), columns[:, 0], columns[:, 1])

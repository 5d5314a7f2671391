"""How much beside the relevant nodes is shown: levels up the tree, what is near in the text, or near in meaning."""

from __future__ import annotations

import re
from typing import Literal

import msgspec
import numpy as np

from trasmallo.clean.slicing.page import Integers, Page
from trasmallo.errors import UsageError

MOST = 1_000_000
_WRITTEN = re.compile(r"(?:(near|meaning):)?([0-9]{1,7})")


class Tolerance(msgspec.Struct, frozen=True):
    """A kind of tolerance and its size; 0 levels show the relevant nodes alone."""

    kind: Literal["levels", "near", "meaning"] = "levels"
    size: int = 0

    def __str__(self) -> str:
        return str(self.size) if self.kind == "levels" else f"{self.kind}:{self.size}"


def read_tolerance(written: int | str) -> Tolerance:
    """`2`, `near:5` or `meaning:2`; raises UsageError for anything else."""
    match = _WRITTEN.fullmatch(str(written))
    if match is None or isinstance(written, bool) or int(match[2]) > MOST:
        raise UsageError(f"{written!r} is no tolerance", "write a number of levels, near:5 or meaning:2")
    return Tolerance(match[1] or "levels", int(match[2]))  # type: ignore[arg-type]


def raise_nodes(page: Page, nodes: Integers, levels: int) -> Integers:
    """The ancestors so many levels above the nodes, none above the scope."""
    if len(nodes) and levels >= most_levels(page, nodes):
        return np.array([page.scope], dtype=np.int64)
    above = np.array(page.parent, dtype=np.int64)
    for _ in range(levels if len(nodes) else 0):
        nodes = np.unique(above[nodes])
    return nodes


def most_levels(page: Page, nodes: Integers) -> int:
    """From how many levels on everything is shown: the way from the highest relevant node to the scope."""
    parent, known = page.parent, {page.scope: 0}
    for node in nodes.tolist():
        way = []
        while node not in known:
            way.append(node)
            node = parent[node]
        for depth, passed in enumerate(reversed(way), known[node] + 1):
            known[passed] = depth
    return min((known[node] for node in nodes.tolist()), default=0)

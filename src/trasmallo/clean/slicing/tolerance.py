"""How much beside the relevant nodes is shown: levels up the tree, what is near in the text, or near in meaning."""

from __future__ import annotations

import re
from typing import Literal

import msgspec
import numpy as np

from trasmallo.clean.slicing.page import Integers, PageArrays
from trasmallo.values.errors import UsageError

MOST = 1_000_000
"""Largest tolerance. Judgement: more than any page has levels or words."""
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
        raise UsageError("{written!r} is no tolerance", "write a number of levels, near:5 or meaning:2", written=written)
    return Tolerance(match[1] or "levels", int(match[2]))  # type: ignore[arg-type]


def raise_nodes(page: PageArrays, nodes: Integers, levels: int) -> tuple[Integers, int]:
    """The ancestors so many levels above the nodes, and the number of levels from which on everything is shown.

    That is the way from the highest of the nodes to the scope, which nothing is raised above.
    """
    raised = higher = nodes
    most = 0
    while len(nodes) and not (higher == page.scope).any():
        higher = page.above[higher]
        most += 1
        if most <= levels:
            raised = higher
    return np.unique(raised), most

"""The nodes a criterion is about: the deepest ones that satisfy it, and why each of them does."""

from __future__ import annotations

from enum import IntEnum

import msgspec
import numpy as np

from trasmallo.clean.slicing.criterion import Tree, Word
from trasmallo.clean.slicing.matching import Count, Matcher, holds
from trasmallo.clean.slicing.page import Flags, Integers


class Reason(IntEnum):
    """Why a node is relevant.

    By its own attributes, and not by its text; by attributes and text together, where neither suffices; through what several
    of its children say only together; by its own text; or by its own name, where names of elements are looked at.
    """

    IRRELEVANT = 0
    ATTRIBUTES = 1
    TOGETHER = 2
    CHILDREN = 3
    TEXT = 4
    NAME = 5


class Relevant(msgspec.Struct, frozen=True):
    """The relevant nodes in document order, each with its reason."""

    nodes: Integers
    reasons: Integers


def find_relevant(matcher: Matcher, tree: Tree) -> Relevant:
    """The elements that satisfy a criterion while none of their descendants does."""
    page = matcher.page
    satisfied = holds(tree, matcher.in_content) & candidates(matcher)
    nodes = np.flatnonzero(satisfied & (page.inside(satisfied) == 1))
    return Relevant(nodes, _explain(matcher, tree, nodes))


def candidates(matcher: Matcher) -> Flags:
    """The nodes that may be relevant: elements that are read and have something to look at."""
    page = matcher.page
    return page.readable & ~page.is_text & matcher.has_content()


def _explain(matcher: Matcher, tree: Tree, nodes: Integers) -> Integers:
    if not len(nodes):
        return nodes
    where, reads_text = matcher.reading.where, matcher.reading.reads_text
    reads_values, by_own = where != "text", Reason.NAME if where == "elements" else Reason.ATTRIBUTES
    nothing = np.zeros(len(nodes), dtype=bool)

    def satisfied(count: Count) -> Flags:
        return holds(tree, lambda word: count(word)[nodes])

    def both(word: Word) -> Integers:
        return matcher.in_own_attributes(word) + matcher.in_text(word)

    values = satisfied(matcher.in_own_attributes) if reads_values else nothing
    text = satisfied(matcher.in_text) if reads_text else nothing
    own = satisfied(matcher.in_own_text) if reads_text else nothing
    together = satisfied(both) if reads_text and reads_values else nothing
    chosen = [values & ~text, text & own, text, together]
    reasons = [by_own, Reason.TEXT, Reason.CHILDREN, Reason.TOGETHER]
    return np.select(chosen, reasons, default=Reason.CHILDREN).astype(np.int64)

"""Steps of filtering, one inside the other: each sees only what the step before it left."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from trasmallo.clean.slicing.criterion import Tree
from trasmallo.clean.slicing.extent import Meaning, find_extent
from trasmallo.clean.slicing.lemmas_in_context import ContextReader
from trasmallo.clean.slicing.matching import Matcher, WordComparison
from trasmallo.clean.slicing.page import Integers, PageArrays
from trasmallo.clean.slicing.relevance import Reason, Relevant, find_relevant
from trasmallo.clean.slicing.states import NodeState, Parts, Rest, States, complement, hide, keep, restrict
from trasmallo.clean.slicing.tolerance import Tolerance


class Step(msgspec.Struct, frozen=True):
    """One filtering: by a criterion, or by nodes found otherwise, such as the main block.

    `nodes` are those of the whole page; `find` finds them in what the steps before left. `context` reads sentences where
    words are asked for in context.
    """

    tree: Tree | None = None
    nodes: tuple[int, ...] = ()
    find: Callable[[PageArrays], Integers] | None = None
    tolerance: Tolerance = Tolerance()
    inverse: bool = False
    reading: WordComparison = WordComparison()
    context: ContextReader | None = None


class Slice(msgspec.Struct, frozen=True):
    """What the last step found, and what becomes of each node of the page after all steps.

    `most` is the tolerance, of the kind asked for, from which on everything is shown; `related` has the words that are
    shown for their meaning, each with its distance.
    """

    relevant: Integers
    reasons: Integers
    states: States
    parts: Parts
    most: int
    related: dict[str, int] = {}


def slice_flat(page: PageArrays, steps: Sequence[Step], meaning: Meaning | None = None) -> Slice:
    """Filter a page by one step after the other; `meaning` is needed for tolerance by meaning only."""
    count = np.arange(len(page), dtype=np.int64)
    rest = Rest(page, count, np.zeros_like(count))
    found = Slice(count[:0], count[:0], np.full(len(page), NodeState.SHOWN, dtype=np.uint8), {}, 0)
    for number, step in enumerate(steps):
        found = take_step(rest.page, step if step.tree is not None else _moved(step, rest), meaning)
        if number < len(steps) - 1:
            rest = _inside(rest, restrict(rest.page, found.states, found.parts))
    return _returned(page, rest, found) if len(steps) > 1 else found


def take_step(page: PageArrays, step: Step, meaning: Meaning | None = None) -> Slice:
    """Filter a page once."""
    matcher = Matcher(page, step.reading, step.context)
    found = _relevant(matcher, step)
    extent = find_extent(matcher, step.tree, found, step.tolerance, meaning)
    if step.inverse:
        parts = complement(page, extent.parts)
        states = hide(page, extent.whole, parts)
    else:
        parts = extent.parts
        states = keep(page, extent.whole, parts, found.nodes)
    return Slice(found.nodes, found.reasons, states, parts, extent.most, extent.related)


def _relevant(matcher: Matcher, step: Step) -> Relevant:
    if step.tree is not None:
        return find_relevant(matcher, step.tree)
    nodes = np.unique(np.array(step.nodes, dtype=np.int64)) if step.find is None else step.find(matcher.page)
    nodes = nodes[matcher.page.readable[nodes]]
    return Relevant(nodes, np.full(len(nodes), Reason.TEXT, dtype=np.int64))


def _moved(step: Step, rest: Rest) -> Step:
    """The same step with its nodes as the smaller page numbers them."""
    wanted = np.isin(rest.origin, np.array(step.nodes, dtype=np.int64))
    return msgspec.structs.replace(step, nodes=tuple(np.flatnonzero(wanted).tolist()))


def _inside(outer: Rest, inner: Rest) -> Rest:
    return Rest(inner.page, outer.origin[inner.origin], outer.before[inner.origin] + inner.before)


def _returned(page: PageArrays, rest: Rest, found: Slice) -> Slice:
    """What was found in a smaller page, told of the page itself."""
    states = np.zeros(len(page), dtype=np.uint8)
    states[rest.origin] = found.states
    parts: Parts = {}
    for index in np.flatnonzero(rest.page.is_text).tolist():
        origin, before = int(rest.origin[index]), int(rest.before[index])
        length = len(rest.page.text[index])
        ranges = found.parts.get(index, [(0, length)] if found.states[index] != NodeState.HIDDEN else [])
        whole = parts.setdefault(origin, [])
        whole += [(start + before, end + before) for start, end in ranges]
    parts = {index: ranges for index, ranges in parts.items() if ranges != [(0, len(page.text[index]))]}
    for index, ranges in parts.items():
        states[index] = NodeState.PARTIAL if ranges else NodeState.HIDDEN
    parts = {index: ranges for index, ranges in parts.items() if ranges}
    return Slice(rest.origin[found.relevant], found.reasons, states, parts, found.most, found.related)

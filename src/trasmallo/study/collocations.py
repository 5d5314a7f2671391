"""Collocations: pairs that stand near each other, in a window or by a pattern of categories, with their contingency tables.

A pair is a node and a collocate. Around every node a window gives so many slots to the left and to the right, inside its
sentence; N is the number of all slots, a node's total the slots around it, a collocate's total the slots it fills. So all four
cells of the table count the same thing, slots and not words, and none is negative (Evert, Corpora and Collocations, 2008, warns
of mixing them).

Memory: 16 bytes for each distinct number of the column, 8 for each sentence, some 40 for each of a million tokens and 20 for
each of the 4 million slots that are looked at together. All slots are in a file, at 8 bytes each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.association import ContingencyTable, Measures, log_dice, measure
from trasmallo.study.category_patterns import Spans
from trasmallo.study.grouping import group
from trasmallo.study.partition import Partition
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds, count_numbers
from trasmallo.values.arrays import Integers, Mask, Numbers, Whole

_SORTED_TOGETHER = 1 << 22
"""Slots that are sorted together in memory: 32 MB of numbers. Judgement."""
_STRONGEST, _STRENGTHS, _STRENGTHS_OF_ONE = 14.0, 256, 8
"""The greatest log-dice, and how pairs are divided by it: so many portions, so many of them for a difference of 1."""
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)


class CollocationWindow(msgspec.Struct, frozen=True):
    """How many tokens on each side of the node count."""

    left: int = 5
    right: int = 5


class CollocationOptions(msgspec.Struct, frozen=True):
    """`least` is the smallest number of co-occurrences. Masks are truth values by number; None lets all pass.

    Slots of tokens that are not `allowed` do not exist. `nodes` and `collocates` only choose what is wanted. Pairs whose node
    is among the `last` come after all others.
    """

    window: CollocationWindow = CollocationWindow()
    least: int = 3
    allowed: Mask | None = None
    nodes: Mask | None = None
    collocates: Mask | None = None
    last: Mask | None = None


class Pairs(NamedTuple):
    """Nodes and their collocates by number, with the counts of each pair."""

    node: NDArray[np.uint32]
    collocate: NDArray[np.uint32]
    table: ContingencyTable

    def measures(self) -> Measures:
        """How strongly each pair attracts; `delta_p` goes from node to collocate."""
        return measure(self.table)

    def ranked(self, values: NDArray[np.float64]) -> Whole:
        """The places of the pairs from the strongest to the weakest; of equals, in the order of their numbers."""
        return np.lexsort((self.collocate, self.node, -values))


def find_collocations(
    column: Numbers,
    bounds: Bounds,
    options: CollocationOptions | None = None,
    scratch: Path | None = None,
    *,
    together: int = _SORTED_TOGETHER,
) -> Iterator[Pairs]:
    """All pairs of a column that co-occur often enough, some at a time, from the strongest to the weakest by log-dice.

    First those that are not among the `last`, then these.
    Of equally strong ones frequent ones come first, then they are in the order of their numbers. `scratch` is the folder for
    what does not fit in memory, None for the system's; `together` slots are sorted in memory.
    """
    options = options or CollocationOptions()
    totals = _totals(column, bounds, len(count_numbers(column)), options)
    wanted = _wanted(totals, options)
    # An odd number, so that the remainder depends on node and collocate.
    slots = Partition(int((totals.node * wanted.nodes).sum()) // together | 1, scratch)
    for some in _slots(column, bounds, options.window, wanted):
        slots.put(some, some % np.uint64(slots.parts))
    yield from _from_strong_to_weak(slots, totals, options, scratch)


class SpanPairs(NamedTuple):
    """Pairs of the first and last tokens of spans; `examples` are places of first tokens, -1 where there are no more."""

    pairs: Pairs
    examples: Whole


def pairs_of_spans(
    column: Numbers,
    spans: Iterable[Spans],
    least: int = 1,
    examples: int = 3,
    scratch: Path | None = None,
    *,
    together: int = _SORTED_TOGETHER,
) -> SpanPairs:
    """Which ends the matches of a pattern have: `NOUN ADJ` gives nouns with their adjectives. N is the number of matches.

    `scratch` is the folder for what does not fit in memory, None for the system's; `together` ends are sorted in memory.
    """
    ends = Partition(len(column) // together | 1, scratch, width=2)
    totals = _Totals(*np.zeros((2, 1), dtype=np.int64))
    for some in spans:
        first, last = column[some.first], column[some.first + some.length - 1]
        totals = _Totals(*(_sum(total, np.bincount(values)) for total, values in zip(totals, (first, last), strict=True)))
        packed = first.astype(np.uint64) << _HALF | last.astype(np.uint64)
        ends.put(np.stack([packed, some.first.astype(np.uint64)], axis=1), packed % np.uint64(ends.parts))
    found = [_ends(ends.take(part).numbers, least, examples) for part in range(ends.parts)]
    packed, joint, places = (np.concatenate(some) for some in zip(*found, strict=True))
    order = np.argsort(packed)
    node, collocate = (packed[order] >> _HALF).astype(np.uint32), (packed[order] & _LOWER).astype(np.uint32)
    table = ContingencyTable(joint[order], totals.node[node], totals.collocate[collocate], int(totals.node.sum()))
    return SpanPairs(Pairs(node, collocate, table), places[order])


def _ends(rows: NDArray[np.uint64], least: int, examples: int) -> tuple[NDArray[np.uint64], Whole, Whole]:
    """The pairs of ends that occur often enough, how often, and where, from rows of pairs and places."""
    packed, places = rows[:, 0], rows[:, 1].astype(np.int64)
    chosen = group([packed >> _HALF, packed & _LOWER]).at_least(least)
    shown = chosen.examples(examples)
    return packed[chosen.first], chosen.counts, np.where(shown < 0, -1, places[shown]) if len(places) else shown


def _sum(counts: Whole, more: Whole) -> Whole:
    """Two counts of numbers as one."""
    longer, shorter = (counts, more) if len(counts) >= len(more) else (more, counts)
    longer[: len(shorter)] += shorter
    return longer


class _Totals(NamedTuple):
    """For each number the slots around it, and the slots it fills."""

    node: Whole
    collocate: Whole


class _Wanted(NamedTuple):
    """Numbers that can be in a pair that is wanted."""

    nodes: Mask
    collocates: Mask


class _Reach(NamedTuple):
    """For each token how many of the tokens to its left and right are in its window."""

    left: NDArray[np.unsignedinteger]
    right: NDArray[np.unsignedinteger]


def _reach(joined: Mask, window: CollocationWindow) -> _Reach:
    size = len(joined) - 1
    left = np.zeros(size, dtype=np.min_scalar_type(window.left))
    right = np.zeros(size, dtype=np.min_scalar_type(window.right))
    before, after = joined[:-1].copy(), joined[1:].copy()
    for distance in range(1, window.left + 1):
        left += before
        before[distance:] &= joined[: max(size - distance, 0)]
    for distance in range(1, window.right + 1):
        right += after
        after[: max(size - distance, 0)] &= joined[distance + 1 :]
    return _Reach(left, right)


class _Stretch(NamedTuple):
    """Some tokens, `nodes`, as a range of `numbers`, which has those too that their windows reach; and how far these go.

    Only of nodes it is known how far.
    """

    numbers: Integers
    nodes: slice
    reach: _Reach


def _stretches(column: Numbers, bounds: Bounds, window: CollocationWindow) -> Iterator[_Stretch]:
    for begin in range(0, len(column), AT_ONCE):
        end = min(begin + AT_ONCE, len(column))
        low, high = max(begin - window.left, 0), min(end + window.right, len(column))
        yield _Stretch(column[low:high], slice(begin - low, end - low), _reach(bounds.joined(low, high + 1), window))


def _totals(column: Numbers, bounds: Bounds, size: int, options: CollocationOptions) -> _Totals:
    totals = _Totals(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64))
    for stretch in _stretches(column, bounds, options.window):
        size_here = len(stretch.numbers)
        around, filled = np.zeros((2, size_here), dtype=np.int32)
        allowed = np.ones(size_here, dtype=np.bool_) if options.allowed is None else options.allowed[stretch.numbers]
        node = np.zeros(size_here, dtype=np.bool_)
        node[stretch.nodes] = allowed[stretch.nodes]
        for distance in range(1, options.window.right + 1):
            slot = node[:-distance] & allowed[distance:] & (stretch.reach.right[:-distance] >= distance)
            around[:-distance] += slot
            filled[distance:] += slot
        for distance in range(1, options.window.left + 1):
            slot = node[distance:] & allowed[:-distance] & (stretch.reach.left[distance:] >= distance)
            around[distance:] += slot
            filled[:-distance] += slot
        for total, weights in zip(totals, (around, filled), strict=True):
            total += np.bincount(stretch.numbers, weights=weights, minlength=size).astype(np.int64)
    return totals


def _wanted(totals: _Totals, options: CollocationOptions) -> _Wanted:
    """Who is too rare or not allowed is in no pair; the others are as chosen."""
    least = max(options.least, 1)
    nodes, collocates = totals.node >= least, totals.collocate >= least
    if options.nodes is not None:
        nodes &= options.nodes[: len(nodes)]
    if options.collocates is not None:
        collocates &= options.collocates[: len(collocates)]
    return _Wanted(nodes, collocates)


def _slots(column: Numbers, bounds: Bounds, window: CollocationWindow, wanted: _Wanted) -> Iterator[NDArray[np.uint64]]:
    """Every filled slot, as one number: the node's above the collocate's."""
    for numbers, nodes, reach in _stretches(column, bounds, window):
        wide, collocates = numbers.astype(np.uint64), wanted.collocates[numbers]
        is_node = np.zeros(len(numbers), dtype=np.bool_)
        is_node[nodes] = wanted.nodes[numbers[nodes]]
        for distance in range(1, min(window.right, len(numbers) - 1) + 1):
            slot = is_node[:-distance] & collocates[distance:] & (reach.right[:-distance] >= distance)
            yield wide[:-distance][slot] << _HALF | wide[distance:][slot]
        for distance in range(1, min(window.left, len(numbers) - 1) + 1):
            slot = is_node[distance:] & collocates[:-distance] & (reach.left[distance:] >= distance)
            yield wide[distance:][slot] << _HALF | wide[:-distance][slot]


def _from_strong_to_weak(
    slots: Partition, totals: _Totals, options: CollocationOptions, scratch: Path | None
) -> Iterator[Pairs]:
    """The frequent pairs, divided by their log-dice, so that only those of about the same strength are in memory."""
    ranked = Partition(_STRENGTHS if options.last is None else 2 * _STRENGTHS, scratch, width=2)
    for part in range(slots.parts):
        packed, joint = _frequent(slots.take(part).numbers, options.least)
        pairs = _pairs(packed, joint, totals)
        weakness = (_STRONGEST - log_dice(pairs.table)) * _STRENGTHS_OF_ONE
        portion = np.clip(weakness, 0, _STRENGTHS - 1).astype(np.intp)
        if options.last is not None:
            portion += _STRENGTHS * options.last[pairs.node]
        ranked.put(np.stack([packed, joint.astype(np.uint64)], axis=1), portion)
    for part in range(ranked.parts):
        rows = ranked.take(part).numbers
        pairs = _pairs(rows[:, 0], rows[:, 1].astype(np.int64), totals)
        order = np.lexsort((rows[:, 0], -pairs.table.joint, -log_dice(pairs.table)))
        yield _pairs(rows[order, 0], pairs.table.joint[order], totals)


def _pairs(packed: NDArray[np.uint64], joint: Whole, totals: _Totals) -> Pairs:
    node, collocate = (packed >> _HALF).astype(np.uint32), (packed & _LOWER).astype(np.uint32)
    return Pairs(
        node, collocate, ContingencyTable(joint, totals.node[node], totals.collocate[collocate], int(totals.node.sum()))
    )


def _frequent(packed: NDArray[np.uint64], least: int) -> tuple[NDArray[np.uint64], Whole]:
    """The pairs that occur often enough, and how often."""
    packed.sort()
    reach = max(least, 1) - 1
    if len(packed) <= reach:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    begins = packed[: len(packed) - reach] == packed[reach:]
    begins[1:] &= packed[1 : len(packed) - reach] != packed[: len(packed) - reach - 1]
    where = np.flatnonzero(begins)
    pairs = packed[where]
    return pairs, np.searchsorted(packed, pairs, side="right") - where

"""Collocations: pairs that stand near each other, in a window or by a pattern of categories, with their contingency tables.

A pair is a node and a collocate. Around every node a window gives so many slots to the left and to the right, inside its
sentence; N is the number of all slots, a node's total the slots around it, a collocate's total the slots it fills. So all four
cells of the table count the same thing, slots and not words, and none is negative (Evert, Corpora and Collocations, 2008, warns
of mixing them).

Memory: 3 bytes a token for the bounds, 16 for each distinct number of the column, and 9 for each of the 16 million slots that
are sorted together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.association import Measures, Table, measure
from trasmallo.study.bounds import AT_ONCE, Bounds, Mask, Numbers, Whole, count_numbers
from trasmallo.study.category_patterns import Spans
from trasmallo.study.grouping import group

_SORTED_TOGETHER = 1 << 24
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)


class Window(msgspec.Struct, frozen=True):
    """How many tokens on each side of the node count."""

    left: int = 5
    right: int = 5


class Options(msgspec.Struct, frozen=True):
    """`least` is the smallest number of co-occurrences. Masks are truth values by number; None lets all pass.

    Slots of tokens that are not `allowed` do not exist. `nodes` and `collocates` only choose what is told.
    """

    window: Window = Window()
    least: int = 3
    allowed: Mask | None = None
    nodes: Mask | None = None
    collocates: Mask | None = None


class Pairs(NamedTuple):
    """Nodes and their collocates by number, with the counts of each pair."""

    node: NDArray[np.uint32]
    collocate: NDArray[np.uint32]
    table: Table

    def measures(self) -> Measures:
        """How strongly each pair attracts; `delta_p` goes from node to collocate."""
        return measure(self.table)

    def ranked(self, values: NDArray[np.float64]) -> Whole:
        """The places of the pairs from the strongest to the weakest; of equals, in the order of their numbers."""
        return np.lexsort((self.collocate, self.node, -values))


def find_collocations(column: Numbers, bounds: Bounds, options: Options | None = None) -> Pairs:
    """All pairs of a column that co-occur often enough, in the order of their numbers."""
    options = options or Options()
    reach, size = _reach(bounds.joined(), options.window), len(count_numbers(column))
    totals = _totals(column, reach, size, options)
    told = _told(totals, options)
    found = [np.zeros((3, 0), dtype=np.int64)]
    room = totals.node * told.nodes
    for low, high in _buckets(room):
        slots = _slots(column, reach, options.window, told, (low, high))
        found.append(_frequent(_together(slots, int(room[low:high].sum())), options.least))
    node, collocate, joint = np.concatenate(found, axis=1)
    table = Table(joint, totals.node[node], totals.collocate[collocate], int(totals.node.sum()))
    return Pairs(node.astype(np.uint32), collocate.astype(np.uint32), table)


def collocates_of(places: Whole, column: Numbers, bounds: Bounds, options: Options | None = None) -> Pairs:
    """What stands around given tokens, the hits of a query: pairs whose node is 0 and means any of them.

    The slots of a hit's window count, against all tokens of the corpus: R1 are these slots, C1 the occurrences of a collocate,
    N the tokens (Evert's surface co-occurrence, 2008). A token in the windows of two hits counts once.
    """
    options = options or Options()
    counts, joined = count_numbers(column), bounds.joined()
    allowed = np.ones(len(counts), dtype=np.bool_) if options.allowed is None else options.allowed[: len(counts)]
    slots = _slots_around(places, joined, options.window)
    filled = column[slots]
    joint = np.bincount(filled[allowed[filled]], minlength=len(counts))
    chosen = joint >= max(options.least, 1)
    if options.collocates is not None:
        chosen &= options.collocates[: len(counts)]
    found = np.flatnonzero(chosen)
    around = np.full(len(found), int(joint.sum()))
    table = Table(joint[found], around, counts[found], int(counts[allowed].sum()))
    return Pairs(np.zeros(len(found), dtype=np.uint32), found.astype(np.uint32), table)


class SpanPairs(NamedTuple):
    """Pairs of the first and last tokens of spans; `examples` are places of first tokens, -1 where there are no more."""

    pairs: Pairs
    examples: Whole


def pairs_of_spans(column: Numbers, spans: Spans, least: int = 1, examples: int = 3) -> SpanPairs:
    """Which ends the matches of a pattern have: `NOUN ADJ` gives nouns with their adjectives. N is the number of matches."""
    first, last = column[spans.first], column[spans.first + spans.length - 1]
    groups = group([first, last])
    chosen = groups.at_least(least)
    node, collocate = first[chosen.first], last[chosen.first]
    totals = [np.bincount(values, minlength=1)[of] for values, of in ((first, node), (last, collocate))]
    table = Table(chosen.counts, totals[0], totals[1], len(first))
    rows = chosen.examples(examples)
    where = np.where(rows < 0, -1, spans.first[rows]) if len(spans.first) else rows
    return SpanPairs(Pairs(node.astype(np.uint32), collocate.astype(np.uint32), table), where)


class _Totals(NamedTuple):
    """For each number the slots around it, and the slots it fills."""

    node: Whole
    collocate: Whole


class _Told(NamedTuple):
    """Numbers that can be in a pair that is told."""

    nodes: Mask
    collocates: Mask


class _Reach(NamedTuple):
    """For each token how many of the tokens to its left and right are in its window."""

    left: NDArray[np.unsignedinteger[Any]]
    right: NDArray[np.unsignedinteger[Any]]


def _reach(joined: Mask, window: Window) -> _Reach:
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
    """Some tokens, `nodes`, as a range of `numbers`, which has those too that their windows reach; and how far these go."""

    numbers: NDArray[Any]
    nodes: slice
    reach: _Reach


def _stretches(column: Numbers, reach: _Reach, window: Window) -> Iterator[_Stretch]:
    for begin in range(0, len(column), AT_ONCE):
        end = min(begin + AT_ONCE, len(column))
        low, high = max(begin - window.left, 0), min(end + window.right, len(column))
        yield _Stretch(column[low:high], slice(begin - low, end - low), _Reach(reach.left[low:high], reach.right[low:high]))


def _totals(column: Numbers, reach: _Reach, size: int, options: Options) -> _Totals:
    totals = _Totals(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64))
    for stretch in _stretches(column, reach, options.window):
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


def _told(totals: _Totals, options: Options) -> _Told:
    """Who is too rare or not allowed is in no pair; the others are as chosen."""
    least = max(options.least, 1)
    nodes, collocates = totals.node >= least, totals.collocate >= least
    if options.nodes is not None:
        nodes &= options.nodes[: len(nodes)]
    if options.collocates is not None:
        collocates &= options.collocates[: len(collocates)]
    return _Told(nodes, collocates)


def _buckets(slots: Whole) -> Iterator[tuple[int, int]]:
    """Ranges of nodes that have about as many slots together as are sorted at a time."""
    ends = np.cumsum(slots)
    low = 0
    while low < len(slots):
        before = int(ends[low - 1]) if low else 0
        high = max(int(np.searchsorted(ends, before + _SORTED_TOGETHER, side="right")), low + 1)
        yield low, high
        low = high


def _slots(
    column: Numbers, reach: _Reach, window: Window, told: _Told, chosen: tuple[int, int]
) -> Iterator[NDArray[np.uint64]]:
    """Every filled slot around the nodes of a range, as one number: the node's above the collocate's."""
    low, high = chosen
    for numbers, nodes, here in _stretches(column, reach, window):
        wide, collocates = numbers.astype(np.uint64), told.collocates[numbers]
        is_node = np.zeros(len(numbers), dtype=np.bool_)
        is_node[nodes] = told.nodes[numbers[nodes]] & (numbers[nodes] >= low) & (numbers[nodes] < high)
        for distance in range(1, min(window.right, len(numbers) - 1) + 1):
            slot = is_node[:-distance] & collocates[distance:] & (here.right[:-distance] >= distance)
            yield wide[:-distance][slot] << _HALF | wide[distance:][slot]
        for distance in range(1, min(window.left, len(numbers) - 1) + 1):
            slot = is_node[distance:] & collocates[:-distance] & (here.left[distance:] >= distance)
            yield wide[distance:][slot] << _HALF | wide[:-distance][slot]


def _together(slots: Iterable[NDArray[np.uint64]], most: int) -> NDArray[np.uint64]:
    """Slots in one array; they must not be in memory twice."""
    packed, done = np.empty(most, dtype=np.uint64), 0
    for some in slots:
        packed[done : done + len(some)] = some
        done += len(some)
    return packed[:done]


def _frequent(packed: NDArray[np.uint64], least: int) -> Whole:
    """The pairs that occur often enough: rows of nodes, collocates and counts."""
    packed.sort()
    reach = max(least, 1) - 1
    if len(packed) <= reach:
        return np.zeros((3, 0), dtype=np.int64)
    begins = packed[: len(packed) - reach] == packed[reach:]
    begins[1:] &= packed[1 : len(packed) - reach] != packed[: len(packed) - reach - 1]
    where = np.flatnonzero(begins)
    pairs = packed[where]
    counts = np.searchsorted(packed, pairs, side="right") - where
    return np.stack([(pairs >> _HALF).astype(np.int64), (pairs & _LOWER).astype(np.int64), counts.astype(np.int64)])


def _slots_around(places: Whole, joined: Mask, window: Window) -> Whole:
    """The tokens in the windows of some tokens, each once, without these tokens themselves."""
    found = [np.zeros(0, dtype=np.int64)]
    for direction, reach in ((1, window.right), (-1, window.left)):
        at = np.unique(places)
        for _ in range(reach):
            at = at[joined[at + 1]] + 1 if direction > 0 else at[joined[at]] - 1
            found.append(at)
    return np.setdiff1d(np.concatenate(found), places)

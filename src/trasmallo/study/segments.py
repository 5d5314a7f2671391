"""Segments: sequences that are frequent in a column of numbers, whatever it numbers: words, lemmas, categories, characters.

They are found length by length (Agrawal and Srikant's Apriori, 1994): a sequence of n can only be frequent where the two
sequences of n - 1 in it are. Every place keeps the number of the frequent sequence that begins there, so a sequence of n is a
pair of numbers, and equal pairs are brought together by sorting: counts are exact. Occurrences may overlap.

Memory: some 100 MB for sorting, 40 bytes for each frequent sequence, and 8 for each sentence; what grows with the tokens is in
files, at most 24 bytes for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.grouping import group
from trasmallo.study.partition import Partition
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds, count_numbers
from trasmallo.values.arrays import Integers, Mask, Numbers, Whole

Codes = NDArray[np.int32]

_SORTED_TOGETHER = 1 << 20
"""Pairs that are sorted together in memory: 8 MB of numbers. Judgement."""
_READ_TOGETHER = 1 << 16
"""Segments whose documents are read at once. Judgement."""
_BITS = 64
"""Bits of the numbers into which two numbers and a place are packed."""
_NONE = -1
"""What is not frequent has no number."""


class SegmentOptions(msgspec.Struct, frozen=True):
    """Lengths in tokens, both included, and the least frequency.

    `keep` "closed" leaves out what only occurs inside one longer segment, "maximal" all that occurs in a longer segment; both
    look at segments that `Rules` let pass, up to `longest`.
    """

    shortest: int = 2
    longest: int = 5
    least: int = 3
    keep: Literal["all", "closed", "maximal"] = "all"


class Sorting(NamedTuple):
    """How pairs are sorted: `scratch` is the folder for what does not fit in memory, None for the system's.

    `together` are sorted in memory at once; `bits` have the numbers into which two numbers and a place are packed.
    """

    scratch: Path | None = None
    together: int = _SORTED_TOGETHER
    bits: int = _BITS


class SegmentRules(msgspec.Struct, frozen=True):
    """Which numbers may be where: a truth value for each number of the column; None lets all pass.

    A segment holds only `allowed` ones, begins and ends with one of `edges`, and has one at least that is `wanted`.
    Tokens to be passed over as if they were not there have to be taken out of the column beforehand.
    """

    allowed: Mask | None = None
    edges: Mask | None = None
    wanted: Mask | None = None


class Segments(NamedTuple):
    """The segments of one length, from frequent to rare: where each first occurs, how often, in how many documents."""

    length: int
    first: Whole
    counts: Whole
    documents: Whole


class _Level(NamedTuple):
    """Frequent sequences of one length; `left` and `right` number the two in them that are shorter by one."""

    first: Whole
    counts: Whole
    documents: Whole
    left: Codes
    right: Codes


class _Found(NamedTuple):
    """Sequences of a length, which of them pass, and the codes of all places; None for single tokens."""

    length: int
    level: _Level
    passed: Mask
    numbered: Partition | None


class PlacedSegments(NamedTuple):
    """The segments of one length, and where all of their occurrences begin: `rank` is the place of each code among them."""

    segments: Segments
    numbered: Partition
    rank: Codes

    def between(self, begin: int, end: int) -> tuple[Whole, Codes]:
        """Places from `begin` to before `end` where segments begin, in no order, and for each which of the segments it is."""
        places, ranks = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int32)]
        for_place = np.uint64(_bits(AT_ONCE))
        for stretch in range(begin // AT_ONCE, -(-end // AT_ONCE)):
            found = self.numbered.take(stretch).numbers
            inside = (found & ((np.uint64(1) << for_place) - np.uint64(1))).astype(np.int64) + stretch * AT_ONCE
            rank = self.rank[(found >> for_place).astype(np.intp)]
            chosen = (rank != _NONE) & (inside >= begin) & (inside < end)
            places.append(inside[chosen])
            ranks.append(rank[chosen])
        return np.concatenate(places), np.concatenate(ranks)


def find_segments(
    column: Numbers,
    bounds: Bounds,
    options: SegmentOptions | None = None,
    rules: SegmentRules | None = None,
    sorting: Sorting | None = None,
) -> Iterator[Segments]:
    """The segments of a column, a `Segments` for each length from the shortest to the longest."""
    for length, level, passed, _ in _found(column, bounds, options, rules, sorting):
        yield _ranked(level, _order(level, passed), length)


def place_segments(
    column: Numbers,
    bounds: Bounds,
    options: SegmentOptions | None = None,
    rules: SegmentRules | None = None,
    sorting: Sorting | None = None,
) -> Iterator[PlacedSegments]:
    """The same with the places of all occurrences, for lengths from two on; their files stay as long as they are held."""
    for length, level, passed, numbered in _found(column, bounds, options, rules, sorting):
        if numbered is not None:
            order = _order(level, passed)
            rank = np.full(len(passed), _NONE, dtype=np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            yield PlacedSegments(_ranked(level, order, length), numbered, rank)


def _found(
    column: Numbers, bounds: Bounds, options: SegmentOptions | None, rules: SegmentRules | None, sorting: Sorting | None
) -> Iterator[_Found]:
    options, rules = options or SegmentOptions(), rules or SegmentRules()
    levels = enumerate(_levels(column, bounds, options, rules, sorting or Sorting()), 1)
    found = (
        _Found(length, level, _pass(column, level, length, rules), numbered)
        for length, (level, numbered) in levels
        if length >= options.shortest
    )
    return found if options.keep == "all" else _without_inner(list(found), closed=options.keep == "closed")


def content(column: Numbers, segments: Segments) -> Integers:
    """The numbers that the segments consist of, a row each; what is near each other in the column is read together."""
    order, places = np.argsort(segments.first), np.arange(segments.length)
    rows = np.empty((len(order), segments.length), dtype=column[:0].dtype)
    for begin in range(0, len(order), _READ_TOGETHER):
        some = order[begin : begin + _READ_TOGETHER]
        rows[some] = column[segments.first[some][:, None] + places]
    return rows


class CharacterColumn(NamedTuple):
    """Texts as a column of characters; `bounds.sentences` are the places where a line begins."""

    column: NDArray[np.uint32]
    bounds: Bounds


def characters(texts: Iterable[str]) -> CharacterColumn:
    """Texts as a column of characters, for n-grams of characters; 4 bytes a character."""
    columns = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32) for text in texts]
    column = np.concatenate([np.zeros(0, dtype=np.uint32), *columns])
    lines = np.flatnonzero(column == ord("\n")) + 1
    return CharacterColumn(column, Bounds(np.cumsum([0, *map(len, columns)], dtype=np.int64), lines))


def _levels(
    column: Numbers, bounds: Bounds, options: SegmentOptions, rules: SegmentRules, sorting: Sorting
) -> Iterator[tuple[_Level, Partition | None]]:
    """Frequent sequences of one token, of two, and so on; from two on with the codes of all places, stretch by stretch."""
    level, number = _single(column, options.least, rules.allowed)
    if options.shortest == 1:
        first, documents = _dispersion_of_single(column, number, bounds.documents, len(level.counts))
        level = level._replace(first=first, documents=documents)
    size, total = len(level.counts), int(level.counts.sum())
    yield level, None
    if options.longest == 1:
        return
    codes = (number[column[begin : begin + AT_ONCE]] for begin in range(0, len(column), AT_ONCE))
    # What two shorter ones do not cross, the longer one does not either.
    pairs = _pairs(codes, size, total, bounds, sorting)
    for length in range(2, options.longest + 1):
        numbered = Partition(-(-len(column) // AT_ONCE), sorting.scratch)
        level = _frequent(pairs, size, bounds, options.least, numbered)
        size, total = len(level.counts), int(level.counts.sum())
        yield level, numbered
        del level  # there may be millions
        if length < options.longest:
            pairs = _pairs(_codes(numbered, len(column)), size, total, None, sorting)


def _single(column: Numbers, least: int, allowed: Mask | None) -> tuple[_Level, Codes]:
    """Frequent tokens, without where and in how many documents they are, and for each number of the column its code."""
    counts = count_numbers(column)
    frequent = counts >= least
    if allowed is not None:
        frequent &= allowed[: len(counts)]
    number = np.where(frequent, np.cumsum(frequent) - 1, _NONE).astype(np.int32)
    return _no_level()._replace(counts=counts[frequent]), number


def _dispersion_of_single(column: Numbers, number: Codes, documents: Whole, size: int) -> tuple[Whole, Whole]:
    """For each code its first place, and how many documents have it."""
    first, holding = np.full(size, len(column), dtype=np.int64), np.zeros(size, dtype=np.int64)
    for begin, end in zip(documents[:-1].tolist(), documents[1:].tolist(), strict=True):
        found, places = np.unique(number[column[begin:end]], return_index=True)
        known = found != _NONE
        holding[found[known]] += 1
        first[found[known]] = np.minimum(first[found[known]], places[known] + begin)
    return first, holding


def _pairs(codes: Iterable[Codes], size: int, total: int, bounds: Bounds | None, sorting: Sorting) -> Partition:
    """Where two frequent sequences follow each other: pairs of codes with their places, so that equal pairs are in one part.

    `codes` come stretch by stretch: so many different ones, so many in all. The remainder of a pair is its part, the quotient
    is kept above the place in its stretch.
    """
    width, for_place = np.uint64(_bits(size)), np.uint64(_bits(AT_ONCE))
    few = 2 * int(width) + int(for_place) - sorting.bits
    # An odd number, so that the remainder depends on all of the pair.
    pairs = Partition(max(total // sorting.together, 1 << max(few, 0)) | 1, sorting.scratch)
    for begin, some in _with_next(codes):
        together = (some[:-1] >= 0) & (some[1:] >= 0)
        if bounds is not None:
            together &= bounds.joined(begin + 1, begin + len(some))
        places = np.flatnonzero(together)
        both = some[places].astype(np.uint64) << width | some[places + 1].astype(np.uint64)
        quotient = both // np.uint64(pairs.parts)
        both -= quotient * np.uint64(pairs.parts)
        pairs.put(quotient << for_place | places.astype(np.uint64), both)
    return pairs


def _with_next(codes: Iterable[Codes]) -> Iterator[tuple[int, Codes]]:
    """Each stretch with the first code of the next one, and where it begins."""
    begin, before = 0, np.zeros(0, dtype=np.int32)
    for some in codes:
        if len(before):
            yield begin, np.concatenate((before, some[:1]))
        begin, before = begin + len(before), some
    if len(before):
        yield begin, before


def _frequent(pairs: Partition, size: int, bounds: Bounds, least: int, numbered: Partition) -> _Level:
    """The frequent pairs; `numbered` gets their codes by stretches, each above its place there."""
    found, known = [_no_level()], 0
    for part in range(pairs.parts):
        level = _frequent_in(pairs, part, size, bounds, least, numbered, known)
        known += len(level.first)
        found.append(level)
    return _Level(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _frequent_in(pairs: Partition, part: int, size: int, bounds: Bounds, least: int, numbered: Partition, known: int) -> _Level:
    """The frequent ones of a part, numbered from `known` on."""
    width, for_place = _bits(size), np.uint64(_bits(AT_ONCE))
    rows, lengths = pairs.take(part)
    inside = rows & ((np.uint64(1) << for_place) - np.uint64(1))
    places = inside.astype(np.int64) + np.repeat(np.arange(len(lengths)) * AT_ONCE, lengths)
    rows >>= for_place
    groups = group([rows]).at_least(least)
    codes = np.full(len(rows), _NONE, dtype=np.int32)
    codes[groups.order] = np.repeat(np.arange(known, known + len(groups.counts), dtype=np.int32), groups.counts)
    alive = np.flatnonzero(codes != _NONE)
    cuts = np.searchsorted(places[alive], np.arange(numbered.parts + 1) * AT_ONCE)
    numbered.put_in_order(codes[alive].astype(np.uint64) << for_place | inside[alive], np.diff(cuts))
    both = rows[groups.first].astype(np.int64) * pairs.parts + part
    left, right = (both >> width).astype(np.int32), (both & ((1 << width) - 1)).astype(np.int32)
    return _Level(places[groups.first], groups.counts, groups.distinct(bounds.documents_of(places)), left, right)


def _codes(numbered: Partition, size: int) -> Iterator[Codes]:
    """The codes of all places, stretch by stretch."""
    for_place = np.uint64(_bits(AT_ONCE))
    for stretch in range(numbered.parts):
        found = numbered.take(stretch).numbers
        codes = np.full(min(AT_ONCE, size - stretch * AT_ONCE), _NONE, dtype=np.int32)
        codes[found & ((np.uint64(1) << for_place) - np.uint64(1))] = found >> for_place
        yield codes


def _bits(size: int) -> int:
    return max(size - 1, 1).bit_length()


def _no_level() -> _Level:
    whole, codes = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    return _Level(whole, whole, whole, codes, codes)


def _pass(column: Numbers, level: _Level, length: int, rules: SegmentRules) -> Mask:
    """Which sequences begin, end and hold what they must."""
    passed = np.ones(len(level.first), dtype=np.bool_)
    if rules.edges is not None:
        passed &= rules.edges[column[level.first]] & rules.edges[column[level.first + (length - 1)]]
    if rules.wanted is not None:
        has = np.zeros(len(level.first), dtype=np.bool_)
        for place in range(length):
            has |= rules.wanted[column[level.first + place]]
        passed &= has
    return passed


def _without_inner(found: list[_Found], *, closed: bool) -> Iterator[_Found]:
    """Let those no more pass that a longer one stands for, be it through one between them that does not pass."""
    if not found:
        return
    stands = np.zeros_like(found[-1].passed)
    for (_, shorter, passed, _), (_, longer, passed_longer, _) in zip(found[-2::-1], found[:0:-1], strict=True):
        stands |= passed_longer
        inner = np.zeros_like(passed)
        for part in (longer.left, longer.right):
            inner[part[stands & (shorter.counts[part] == longer.counts) if closed else stands]] = True
        passed &= ~inner
        stands = inner
    yield from found


def _order(level: _Level, passed: Mask) -> Whole:
    """The codes of those that pass, from frequent to rare; of equally frequent ones the first to occur."""
    chosen = np.flatnonzero(passed)
    order: Whole = chosen[np.lexsort((level.first[chosen], -level.counts[chosen]))]
    return order


def _ranked(level: _Level, order: Whole, length: int) -> Segments:
    return Segments(length, level.first[order], level.counts[order], level.documents[order])

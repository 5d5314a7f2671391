"""Segments: sequences that are frequent in a column of numbers, whatever it numbers: words, lemmas, categories, characters.

They are found length by length (Agrawal and Srikant's Apriori, 1994): a sequence of n can only be frequent where the two
sequences of n - 1 in it are. Every place keeps the number of the frequent sequence that begins there, so a sequence of n is a
pair of numbers, and equal pairs are brought together by sorting: counts are exact. Occurrences may overlap.

Memory: 8 bytes a token, 2 or 4 more for the documents, 1 for the bounds, and some 100 MB for sorting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.bounds import AT_ONCE, Bounds, Mask, Numbers, Whole, count_numbers

Codes = NDArray[np.int32]

_SORTED_TOGETHER = 1 << 21
_BITS = 63
_NONE = -1


class Options(msgspec.Struct, frozen=True):
    """Lengths in tokens, both included, and the least frequency.

    `keep` "closed" leaves out what only occurs inside one longer segment, "maximal" all that occurs in a longer segment; both
    look at segments that `Rules` let pass, up to `longest`.
    """

    shortest: int = 2
    longest: int = 5
    least: int = 3
    keep: Literal["all", "closed", "maximal"] = "all"


class Rules(msgspec.Struct, frozen=True):
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


def find_segments(
    column: Numbers, bounds: Bounds, options: Options | None = None, rules: Rules | None = None
) -> list[Segments]:
    """The segments of a column, a `Segments` for each length from the shortest to the longest."""
    options, rules = options or Options(), rules or Rules()
    levels = list(_levels(column, bounds, options, rules))
    passed = [_pass(column, level, length, rules) for length, level in enumerate(levels, 1)]
    if options.keep != "all":
        _leave_out_inner(levels[options.shortest - 1 :], passed[options.shortest - 1 :], closed=options.keep == "closed")
    return [_ranked(levels[length - 1], passed[length - 1], length) for length in range(options.shortest, options.longest + 1)]


def content(column: Numbers, segments: Segments) -> NDArray[Any]:
    """The numbers that the segments consist of, a row each."""
    return column[segments.first[:, None] + np.arange(segments.length)]


class Text(NamedTuple):
    """Texts as a column of characters; `bounds.sentences` are the places where a line begins."""

    column: NDArray[np.uint32]
    bounds: Bounds


def characters(texts: Iterable[str]) -> Text:
    """Texts as a column of characters, for n-grams of characters; 4 bytes a character."""
    columns = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32) for text in texts]
    column = np.concatenate([np.zeros(0, dtype=np.uint32), *columns])
    lines = np.flatnonzero(column == ord("\n")) + 1
    return Text(column, Bounds(np.cumsum([0, *map(len, columns)], dtype=np.int64), lines))


def _levels(column: Numbers, bounds: Bounds, options: Options, rules: Rules) -> Iterator[_Level]:
    """Frequent sequences of one token, of two, and so on."""
    level, codes = _single(column, options.least, rules.allowed)
    if options.shortest == 1:
        first, documents = _dispersion_of_single(codes, bounds.documents, len(level.counts))
        level = level._replace(first=first, documents=documents)
    yield level
    if options.longest == 1:
        return
    holding = bounds.documents_of_tokens()
    joined: Mask | None = bounds.joined()
    for _ in range(2, options.longest + 1):
        level, codes = _longer(codes, joined, len(level.counts), holding, options.least)
        joined = None  # what two shorter ones do not cross, the longer one does not either
        yield level


def _single(column: Numbers, least: int, allowed: Mask | None) -> tuple[_Level, Codes]:
    """Frequent tokens, without where and in how many documents they are, and for each place its number among them."""
    counts = count_numbers(column)
    frequent = counts >= least
    if allowed is not None:
        frequent &= allowed[: len(counts)]
    number = np.where(frequent, np.cumsum(frequent) - 1, _NONE).astype(np.int32)
    codes = np.empty(len(column), dtype=np.int32)
    for begin in range(0, len(column), AT_ONCE):
        codes[begin : begin + AT_ONCE] = number[column[begin : begin + AT_ONCE]]
    return _no_level()._replace(counts=counts[frequent]), codes


def _dispersion_of_single(codes: Codes, documents: Whole, size: int) -> tuple[Whole, Whole]:
    """For each number its first place, and how many documents have it."""
    first, number = np.full(size, len(codes), dtype=np.int64), np.zeros(size, dtype=np.int64)
    for begin, end in zip(documents[:-1].tolist(), documents[1:].tolist(), strict=True):
        found, places = np.unique(codes[begin:end], return_index=True)
        known = found != _NONE
        number[found[known]] += 1
        first[found[known]] = np.minimum(first[found[known]], places[known] + begin)
    return first, number


class _Candidates(NamedTuple):
    """Where two frequent sequences follow each other: places, and what is left and right."""

    places: Whole
    left: Codes
    right: Codes


def _longer(codes: Codes, joined: Mask | None, size: int, holding: NDArray[Any], least: int) -> tuple[_Level, Codes]:
    """Frequent pairs of neighbouring sequences, and for each place the number of the one that begins there."""
    longer = np.full(len(codes), _NONE, dtype=np.int32)
    found = [_no_level()]
    known = 0
    counts = _count_left(codes, joined, size)
    for low, high in _buckets(counts, size):
        candidates = _candidates(codes, joined, (low, high), int(counts[low:high].sum()))
        level = _sorted_out(candidates, low, size, least, known, longer, holding)
        known += len(level.first)
        found.append(level)
    return _Level(*(np.concatenate(columns) for columns in zip(*found, strict=True))), longer


def _chunks(codes: Codes, joined: Mask | None) -> Iterator[tuple[int, Codes, Codes, Mask]]:
    """Left, right and whether both may be joined, for a stretch of places at a time."""
    for begin in range(0, len(codes) - 1, AT_ONCE):
        end = min(begin + AT_ONCE, len(codes) - 1)
        left, right = codes[begin:end], codes[begin + 1 : end + 1]
        valid = (right >= 0) & (left >= 0)
        if joined is not None:
            valid &= joined[begin + 1 : end + 1]
        yield begin, left, right, valid


def _count_left(codes: Codes, joined: Mask | None, size: int) -> Whole:
    counts = np.zeros(size, dtype=np.int64)
    for _, left, _, valid in _chunks(codes, joined):
        counts += np.bincount(left[valid], minlength=size)
    return counts


def _buckets(counts: Whole, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of left numbers so small that number, right number and place fit into one word of the machine."""
    widest = 1 << max(_BITS - _bits(size) - _bits(_SORTED_TOGETHER), 0)
    ends = np.cumsum(counts)
    low = 0
    while low < len(counts):
        before = int(ends[low - 1]) if low else 0
        high = int(np.searchsorted(ends, before + _SORTED_TOGETHER, side="right"))
        high = min(max(high, low + 1), low + widest)
        yield low, high
        low = high


def _candidates(codes: Codes, joined: Mask | None, chosen: tuple[int, int], number: int) -> _Candidates:
    """The candidates whose left one is in a range, of which there are so many."""
    found = _Candidates(np.empty(number, np.int64), np.empty(number, np.int32), np.empty(number, np.int32))
    done = 0
    for begin, left, right, valid in _chunks(codes, joined):
        places = np.flatnonzero(valid & (left >= chosen[0]) & (left < chosen[1]))
        here = slice(done, done := done + len(places))
        found.places[here], found.left[here], found.right[here] = places + begin, left[places], right[places]
    return found


def _sorted_out(
    found: _Candidates, low: int, size: int, least: int, known: int, longer: Codes, holding: NDArray[Any]
) -> _Level:
    """The frequent ones of a bucket, numbered from `known` on; their numbers are put into `longer` at their places."""
    for_place, for_right = np.uint64(_bits(len(found.places))), np.uint64(_bits(size))
    packed = (found.left - low).astype(np.uint64) << for_right | found.right.astype(np.uint64)
    packed <<= for_place
    packed |= np.arange(len(packed), dtype=np.uint64)
    packed.sort()
    pairs = packed >> for_place
    begins = np.flatnonzero(np.concatenate(([True], pairs[1:] != pairs[:-1]))) if len(pairs) else np.zeros(0, dtype=np.intp)
    counts = np.diff(begins, append=len(pairs))
    frequent = counts >= least
    packed &= (np.uint64(1) << for_place) - np.uint64(1)
    places = found.places[packed[np.repeat(frequent, counts)]]
    pairs, counts = pairs[begins[frequent]], counts[frequent]
    longer[places] = np.repeat(np.arange(known, known + len(counts), dtype=np.int32), counts)
    firsts = np.cumsum(counts) - counts
    left = (pairs >> for_right).astype(np.int32) + np.int32(low)
    right = (pairs & ((np.uint64(1) << for_right) - np.uint64(1))).astype(np.int32)
    return _Level(places[firsts], counts, _dispersion(holding[places], firsts), left, right)


def _dispersion(documents: NDArray[Any], firsts: Whole) -> Whole:
    """How many different documents each group has; within a group they are in order."""
    if not len(firsts):
        return np.zeros(0, dtype=np.int64)
    fresh = np.ones(len(documents), dtype=np.int64)
    fresh[1:] = documents[1:] != documents[:-1]
    fresh[firsts] = 1
    return np.add.reduceat(fresh, firsts)


def _bits(size: int) -> int:
    return max(size - 1, 1).bit_length()


def _no_level() -> _Level:
    whole, codes = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    return _Level(whole, whole, whole, codes, codes)


def _pass(column: Numbers, level: _Level, length: int, rules: Rules) -> Mask:
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


def _leave_out_inner(levels: list[_Level], passed: list[Mask], *, closed: bool) -> None:
    """Let those no more pass that a longer one stands for, be it through one between them that does not pass."""
    stands = np.zeros_like(passed[-1])
    for place in range(len(levels) - 1, 0, -1):
        longer, shorter = levels[place], levels[place - 1]
        stands |= passed[place]
        inner = np.zeros_like(passed[place - 1])
        for part in (longer.left, longer.right):
            inner[part[stands & (shorter.counts[part] == longer.counts) if closed else stands]] = True
        passed[place - 1] &= ~inner
        stands = inner


def _ranked(level: _Level, passed: Mask, length: int) -> Segments:
    """Those that pass, from frequent to rare; of equally frequent ones the first to occur."""
    chosen = np.flatnonzero(passed)
    order = chosen[np.lexsort((level.first[chosen], -level.counts[chosen]))]
    return Segments(length, level.first[order], level.counts[order], level.documents[order])

"""Patterns of categories: a small regular language over the categories of tokens, found in a whole corpus at once.

    NOUN (ADP DET? NOUN | ADJ)*      names of categories one after the other, choices, groups, and ? * + for repeats
    . stands for any category, !PUNCT for any but this one

A pattern becomes an automaton without choices (Glushkov's, made deterministic), which is stepped from all places of the column
together; so a hostile pattern costs no more than a plain one, and a match is as long as `longest` says at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study.grouping import ordered
from trasmallo.study.sequence_bounds import AT_ONCE, Bounds
from trasmallo.values.arrays import Integers, Mask, Numbers, Whole
from trasmallo.values.errors import UsageError
from trasmallo.values.messages import Message

_TOKEN = re.compile(r"\s*(?:([\w:-]+)|(.))", re.DOTALL)
_MOST_NAMES = 100
"""Categories that a pattern may name. Judgement: five times those of Universal Dependencies."""
_MOST_STATES = 2_000
"""States of a pattern's automaton at most, so that none takes memory without end. Judgement."""
_MOST_DEPTH = 50
"""Brackets inside each other at most: the parser calls itself for each. Judgement."""
_REPAIR = 'write it like "NOUN (ADP DET? NOUN | ADJ)*"'
_DEAD, _START = 0, 1
"""States: from the first nothing matches any more, in the second a pattern begins."""
_FEW = 8
"""Categories up to which comparing with each is faster than looking all up. Judgement."""


class Spans(NamedTuple):
    """Places that match: the first token of each, and how many tokens it has."""

    first: Whole
    length: Whole


class Automaton(msgspec.Struct, frozen=True):
    """A compiled pattern: `step[state, category]` is the next state (0 is none), `accepts[state]` whether it may end here."""

    step: NDArray[np.int16]
    accepts: Mask

    def find(
        self,
        category: Numbers,
        bounds: Bounds,
        *,
        longest: int = 8,
        keep: Literal["longest", "each", "every"] = "longest",
        among: Numbers | None = None,
    ) -> Iterator[Spans]:
        """The matches in a column of categories, in order, some at a time; `among` says at which tokens one may begin.

        `longest` in tokens. "longest" keeps from left to right the longest match that begins outside of the one before,
        "each" the longest at each place where one begins, "every" keeps all of them, also those inside others.
        """
        search = _every if keep == "every" else _longest
        free = 0
        for begin in range(0, len(category), AT_ONCE):
            first, length = search(self, _stretch(category, bounds, among, begin, longest), longest)
            first += begin
            if keep == "longest":
                later = first >= free
                first, length = first[later], length[later]
                kept = _reached(first, length)
                first, length = first[kept], length[kept]
                free = int(first[-1] + length[-1]) if len(first) else free
            yield Spans(first, length)


def compile_pattern(pattern: str, categories: Sequence[str]) -> Automaton:
    """The automaton of a pattern over these categories, which the column numbers. Raises UsageError for what is no pattern.

    A name that is not among the categories matches nothing.
    """
    parts = _Reader(pattern).read()
    number = {name: place for place, name in enumerate(categories)}
    symbols = [_symbol(symbol, number, len(categories)) for symbol in parts.symbols]
    step, accepts = _determined(parts, symbols, len(categories), pattern)
    return Automaton(np.array(step, dtype=np.int16).reshape(len(accepts), len(categories)), np.array(accepts, dtype=np.bool_))


class _Part(NamedTuple):
    """A piece of a pattern: places of names it may begin and end with, and whether it may be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool


class _Parts(NamedTuple):
    """A pattern, read: its names in order, which may follow which, and the whole of it."""

    symbols: list[str]
    follow: list[set[int]]
    whole: _Part


class _Reader:
    """Reads a pattern by recursive descent."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._pieces = [match.group(1) or match.group(2) for match in _TOKEN.finditer(pattern.rstrip())]
        self._at = 0
        self._depth = 0
        self._symbols: list[str] = []
        self._follow: list[set[int]] = []

    def read(self) -> _Parts:
        whole = self._choice()
        if self._at < len(self._pieces):
            raise self._wrong("has {piece!r} where it should end", piece=self._pieces[self._at])
        return _Parts(self._symbols, self._follow, whole)

    def _choice(self) -> _Part:
        part = self._sequence()
        while self._take("|"):
            other = self._sequence()
            part = _Part(part.first | other.first, part.last | other.last, part.empty or other.empty)
        return part

    def _sequence(self) -> _Part:
        part = self._repeat()
        while self._at < len(self._pieces) and self._pieces[self._at] not in "|)":
            other = self._repeat()
            self._link(part.last, other.first)
            first = part.first | other.first if part.empty else part.first
            last = part.last | other.last if other.empty else other.last
            part = _Part(first, last, part.empty and other.empty)
        return part

    def _repeat(self) -> _Part:
        part = self._atom()
        while self._at < len(self._pieces) and self._pieces[self._at] in "?*+":
            sign = self._pieces[self._at]
            self._at += 1
            if sign != "?":
                self._link(part.last, part.first)
            part = part._replace(empty=part.empty or sign != "+")
        return part

    def _atom(self) -> _Part:
        piece = self._next()
        if piece == "(":
            self._depth += 1
            if self._depth > _MOST_DEPTH:
                raise self._wrong("has too many brackets inside each other")
            part = self._choice()
            if not self._take(")"):
                raise self._wrong("has a bracket that is not closed")
            self._depth -= 1
            return part
        if piece == "!":
            piece += self._next()
        if not re.fullmatch(r"!?[\w:-]+|\.", piece):
            raise self._wrong(
                "has {piece!r} where a category should be" if piece else "ends where a category should be", piece=piece
            )
        return self._name(piece)

    def _name(self, name: str) -> _Part:
        if len(self._symbols) == _MOST_NAMES:
            raise self._wrong("names more than {most_names} categories", most_names=_MOST_NAMES)
        place = frozenset((len(self._symbols),))
        self._symbols.append(name)
        self._follow.append(set())
        return _Part(place, place, empty=False)

    def _link(self, before: frozenset[int], after: frozenset[int]) -> None:
        for place in before:
            self._follow[place] |= after

    def _next(self) -> str:
        self._at += 1
        return self._pieces[self._at - 1] if self._at <= len(self._pieces) else ""

    def _take(self, sign: str) -> bool:
        taken = self._at < len(self._pieces) and self._pieces[self._at] == sign
        self._at += taken
        return taken

    def _wrong(self, what: str, **arguments: object) -> UsageError:
        said = Message(what, **arguments)
        return UsageError("the pattern {pattern!r} {what}", _REPAIR, pattern=self._pattern[:60], what=said)


def _symbol(symbol: str, number: dict[str, int], size: int) -> set[int]:
    """The numbers of the categories that a name stands for."""
    every = set(range(size))
    if symbol == ".":
        return every
    named = {number[symbol.lstrip("!")]} if symbol.lstrip("!") in number else set()
    return every - named if symbol.startswith("!") else named


def _determined(parts: _Parts, symbols: list[set[int]], size: int, pattern: str) -> tuple[list[list[int]], list[bool]]:
    """The table of steps and the accepting states; a state stands for the set of names that may have been read last."""
    numbers: dict[frozenset[int], int] = {frozenset(): _DEAD, frozenset((-1,)): _START}
    waiting = list(numbers)
    step, accepts = [], []
    for state in waiting:
        accepts.append(bool(state & parts.whole.last))
        after = set().union(*(parts.whole.first if place < 0 else parts.follow[place] for place in state))
        row = []
        for category in range(size):
            following = frozenset(place for place in after if category in symbols[place])
            if following not in numbers:
                numbers[following] = len(numbers)
                waiting.append(following)
            row.append(numbers[following])
        step.append(row)
        if len(numbers) > _MOST_STATES:
            raise UsageError(
                "the pattern {pattern!r} is too intricate", "write it with fewer choices and repeats", pattern=pattern[:60]
            )
    return step, accepts


class _Stretch(NamedTuple):
    """What is searched: so many places, with the categories of their tokens and of those that a match may reach.

    Also whether each token goes on with the one before, and whether a match may begin at each place.
    """

    size: int
    category: Integers
    joined: Mask
    looked_at: Mask | None


def _stretch(category: Numbers, bounds: Bounds, among: Numbers | None, begin: int, longest: int) -> _Stretch:
    """The stretch from `begin` on."""
    end = min(begin + AT_ONCE, len(category))
    reached = min(end + longest, len(category))
    looked_at = None if among is None else among[begin:end].astype(np.bool_)
    return _Stretch(end - begin, category[begin:reached], bounds.joined(begin, reached + 1), looked_at)


def _every(automaton: Automaton, stretch: _Stretch, longest: int) -> Spans:
    """All matches that begin in a stretch."""
    found = list(_stepped(automaton, stretch, longest))
    first = np.concatenate([places for _, places in found])
    length = np.repeat([length for length, _ in found], [len(places) for _, places in found])
    order = ordered([first, length])
    return Spans(first[order], length[order])


def _longest(automaton: Automaton, stretch: _Stretch, longest: int) -> Spans:
    """The longest match at each place of a stretch."""
    lengths = np.zeros(stretch.size, dtype=np.min_scalar_type(longest))
    for length, places in _stepped(automaton, stretch, longest):
        lengths[places] = length
    first = np.flatnonzero(lengths > 0)
    return Spans(first, lengths[first].astype(np.int64))


def _stepped(automaton: Automaton, stretch: _Stretch, longest: int) -> Iterator[tuple[int, Whole]]:
    """For each length from 1 to `longest` the places in a stretch at which a match of it begins."""
    size, category, joined, looked_at = stretch
    begins = _begins(automaton.step[_START], category[:size])
    places = np.flatnonzero(begins if looked_at is None else begins & looked_at)
    state = automaton.step[_START][category[places]]
    for length in range(1, longest + 1):
        yield length, places[automaton.accepts[state]]
        further = joined[places + length]
        places = places[further]
        state = automaton.step[state[further], category[places + length]]
        alive = state != _DEAD
        places, state = places[alive], state[alive]


def _begins(step: NDArray[np.int16], category: Integers) -> Mask:
    """Where a step leads anywhere; most patterns begin with one or two categories, which is quick to see."""
    alive: Mask = step != _DEAD
    found: Mask
    if np.count_nonzero(alive) > _FEW:
        found = alive[category]
        return found
    found = np.zeros(len(category), dtype=np.bool_)
    for one in np.flatnonzero(alive).astype(category.dtype):
        found |= category == one
    return found


def _reached(first: Whole, length: Whole) -> Mask:
    """Which spans are kept from left to right: the first, then always the next that begins where it has ended.

    One that begins after all before it have ended is kept in any case; from these on, all ways are gone at the same time, in
    steps that double.
    """
    ends = first + length
    kept = np.ones(len(first) + 1, dtype=np.bool_)
    kept[1:-1] = first[1:] >= np.maximum.accumulate(ends)[:-1]
    step = np.append(np.arange(1, len(first) + 1), len(first))
    inside = np.flatnonzero(first[1:] < ends[:-1])
    step[inside] = np.searchsorted(first, ends[inside])
    before, now = 0, int(np.count_nonzero(kept))
    while before < now:
        kept[step[kept]] = True
        step = step[step]
        before, now = now, int(np.count_nonzero(kept))
    return kept[:-1]

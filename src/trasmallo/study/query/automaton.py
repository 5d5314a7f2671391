"""Matches an expression with all strings of a lexicon at once, in linear time.

The automaton of positions is made deterministic only where the strings lead (McNaughton and Yamada; lazily, as in RE2), and all
strings are stepped together, a character at a time. Those that can match no more are dropped, so an expression whose last
characters are the more telling ones is matched backwards.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.bounds import Mask, Whole
from trasmallo.study.query.expressions import Alt, Cat, Letter, Node, Positions, Times, bits, extent, reversed_node
from trasmallo.study.query.letters import LAST, Ranges
from trasmallo.study.query.mistakes import QueryError

_MOST_STATES = 10_000
_DEAD, _START, _UNKNOWN = 0, 1, -1
_WIDE = 256
"""Characters in a set that tells little."""


class Texts:
    """Strings ready to be matched: by falling length, so that those which are long enough are always the first ones."""

    def __init__(self, codes: NDArray[np.uint32], bounds: Whole) -> None:
        self.codes, self.bounds = codes, bounds.astype(np.min_scalar_type(-int(bounds[-1]) - 1))
        self.lengths: Whole = np.diff(self.bounds)

    @classmethod
    def of(cls, texts: list[str]) -> Texts:
        """Some strings."""
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        return cls(codes, np.cumsum([0, *map(len, texts)], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def longest_first(self) -> Whole:
        """The strings by falling length."""
        small = np.min_scalar_type(-int(self.lengths.max(initial=0)) - 1)  # numbers of two bytes are sorted many times faster
        return np.argsort(-self.lengths.astype(small), kind="stable")


def matches(node: Node, texts: Texts) -> Mask:
    """For each string whether the expression matches the whole of it."""
    least, most = extent(node)
    order = texts.longest_first
    shortest_first = texts.lengths[order][::-1]
    low, high = np.searchsorted(shortest_first, [least, LAST if most is None else most + 1])
    found = np.zeros(len(texts), dtype=np.bool_)
    chosen = order[len(order) - high : len(order) - low]
    backwards = _telling(node, last=True) < _telling(node, last=False)
    automaton = _Automaton(Positions(reversed_node(node) if backwards else node))
    found[chosen[automaton.accepted(texts, chosen, backwards=backwards)]] = True
    return found


def _telling(node: Node, *, last: bool) -> int:
    """How many characters can stand at the beginning or end, none counted as many."""
    if isinstance(node, Letter):
        return min(sum(high - low + 1 for low, high in node.ranges), _WIDE)
    if isinstance(node, Alt):
        return min(sum(_telling(part, last=last) for part in node.parts), _WIDE)
    if isinstance(node, Times):
        return _telling(node.part, last=last) if node.least else _WIDE
    ordered = node.parts[::-1] if last else node.parts
    inner = [part for part in ordered if part != Cat(())]
    # What may be left out at the end, as the accents that stand apart, tells as little as what stands before it.
    while len(inner) > 1 and isinstance(inner[0], Times) and isinstance(inner[0].part, Letter) and not inner[0].least:
        if sum(high - low for low, high in inner[0].part.ranges) >= _WIDE:
            break
        inner = inner[1:]
    return _telling(inner[0], last=last) if inner else _WIDE


class _Automaton:
    """States are sets of positions, made when they are first reached; 0 is the one that leads nowhere."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._classes, self._members = _classes(positions.letters)
        width = len(self._members)
        self._states: dict[int, int] = {0: _DEAD}
        self._sets = [0, 0]
        self._accepts = [False, positions.empty]
        self._table = np.full((64, width), _UNKNOWN, dtype=np.int32)
        self._table[_DEAD] = _DEAD

    def accepted(self, texts: Texts, chosen: Whole, *, backwards: bool) -> Mask:
        """Of the strings `chosen`, which come by falling length, those that are accepted."""
        result = np.zeros(len(chosen), dtype=np.bool_)
        places = np.arange(len(chosen))
        at = texts.bounds[chosen + 1] - 1 if backwards else texts.bounds[chosen]
        accepts = np.array(self._accepts)
        left, step = texts.lengths[chosen], -1 if backwards else 1
        state = np.full(len(chosen), _START, dtype=np.int32)
        depth = 0
        while len(places):
            going = len(left) - int(np.searchsorted(left[::-1], depth, side="right"))
            ended = slice(going, None)
            if len(accepts) < len(self._accepts):
                accepts = np.array(self._accepts)
            result[places[ended]] = accepts[state[ended]]
            places, at, left, state = places[:going], at[:going], left[:going], state[:going]
            state = self._stepped(state, self._classes[texts.codes[at]])
            alive = state != _DEAD
            if np.count_nonzero(alive) < 0.7 * len(alive):
                places, at, left, state = places[alive], at[alive], left[alive], state[alive]
            at += step
            depth += 1
        return result

    def _stepped(self, state: NDArray[np.int32], classes: NDArray[Any]) -> NDArray[np.int32]:
        width = self._table.shape[1]
        keys = state * np.int32(width) + classes
        following: NDArray[np.int32] = self._table.ravel()[keys]
        if len(following) and following.min() < 0:
            for key in np.unique(keys[following == _UNKNOWN]).tolist():
                self._learn(*divmod(key, width))
            following = self._table.ravel()[keys]
        return following

    def _learn(self, state: int, kind: int) -> None:
        positions = self._positions
        follow = positions.first if state == _START else 0
        for number in bits(self._sets[state]):
            follow |= positions.follow[number]
        reached = follow & self._members[kind]
        if reached not in self._states:
            self._states[reached] = len(self._sets)
            self._sets.append(reached)
            self._accepts.append(bool(reached & positions.last))
            self._grow()
        self._table[state, kind] = self._states[reached]

    def _grow(self) -> None:
        if len(self._sets) > _MOST_STATES:
            raise QueryError("an expression has too many ways to match", "write it shorter, or with fewer repeats")
        if len(self._sets) > len(self._table):
            more = np.full_like(self._table, _UNKNOWN)
            self._table = np.concatenate((self._table, more))


def _classes(letters: list[Ranges]) -> tuple[NDArray[Any], list[int]]:
    """For each code point the number of its class, and for each class the positions that it may stand at.

    Two characters are of one class when no set of the expression tells them apart.
    """
    holders: dict[Ranges, int] = {}
    for number, ranges in enumerate(letters):
        holders[ranges] = holders.get(ranges, 0) | 1 << number
    changes: dict[int, int] = {0: 0}
    for ranges, holder in holders.items():
        for low, high in ranges:
            changes[low] = changes.get(low, 0) ^ holder
            changes[high + 1] = changes.get(high + 1, 0) ^ holder
    numbers: dict[int, int] = {}
    members, starts, kinds = 0, sorted(changes), []
    for start in starts:
        members ^= changes[start]
        kinds.append(numbers.setdefault(members, len(numbers)))
    lengths = np.diff([*starts, max(LAST + 1, starts[-1])])
    table = np.repeat(np.array(kinds, dtype=np.min_scalar_type(max(kinds))), lengths)
    return table, list(numbers)

"""Matches an expression with all strings of a lexicon at once, in linear time.

The automaton of positions is made deterministic only where the strings lead (McNaughton and Yamada; lazily, as in RE2), and all
strings are stepped together, a character at a time. Those that can match no more are dropped, so an expression whose last
characters are the more telling ones is matched backwards.
"""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.query.character_sets import ANY, LAST, Ranges
from trasmallo.study.query.expressions import Alt, Cat, Letter, Node, Positions, Times, bits, extent, reversed_node
from trasmallo.study.query.query_errors import QueryError
from trasmallo.values.arrays import Integers, Mask, Whole

_MOST_STATES = 10_000
"""States that are made at most before an expression is refused. Judgement: memory of some megabytes."""
_DEAD, _DONE, _START, _UNKNOWN = 0, 1, 2, -1
"""States: no match any more, a match whatever follows, the beginning; and a state that is not made yet."""
_WIDE = 256
"""Characters in a set that tells little."""
_TELLING = 3
"""Letters of a text that is worth being looked for first."""
_MANY = 100_000
"""Places of a text from which looking at all strings is as fast. Judgement."""
_BORDER = LAST + 1
_WORTH_KEEPING = 0.7
"""Share of the strings that still go on, below which the others are thrown out."""
_WORTH_ALL = 1 / 32
"""Strings for each character of all, above which it is worth to class all characters beforehand."""


class Texts:
    """Strings ready to be matched: all of them one after the other in one text, and where each begins and the last ends.

    `codes` are their code points with a sign that is no character around each; there string i has its first one at `begins[i]`
    and its last one at `ends[i]`. Memory: 5 to 8 bytes a character, 24 a string.
    """

    def __init__(self, text: str, bounds: Whole) -> None:
        self.text = text
        self.bounds = bounds
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.codes: NDArray[np.uint32] = np.insert(codes, bounds, _BORDER)
        places = np.arange(len(bounds) - 1)
        small = np.min_scalar_type(-len(self.codes) - 1)
        self.begins, self.ends = (bounds[:-1] + places + 1).astype(small), (bounds[1:] + places).astype(small)
        self.lengths: Whole = np.diff(bounds)

    @classmethod
    def of(cls, texts: list[str]) -> Texts:
        """Some strings."""
        return cls("".join(texts), np.cumsum([0, *map(len, texts)], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def holding(self, piece: str) -> Whole | None:
        """The strings in which a piece of text stands, None when these are many."""
        found = [match.start() for match in islice(re.finditer(re.escape(piece), self.text), _MANY)]
        if len(found) == _MANY:
            return None
        at = np.array(found, dtype=np.int64)
        holders = np.searchsorted(self.bounds, at, side="right") - 1
        holders = holders[at + len(piece) <= self.bounds[holders + 1]]
        return holders[np.diff(holders, prepend=-1) > 0]


def matches(node: Node, texts: Texts) -> Mask:
    """For each string whether the expression matches the whole of it."""
    found = np.zeros(len(texts), dtype=np.bool_)
    ahead, behind = _telling(node, last=False), _telling(node, last=True)
    piece = _needed(node)
    # A telling character at one end drops most strings at once; else a text inside is looked for first.
    holders = texts.holding(piece) if min(ahead, behind) == _WIDE and len(piece) >= _TELLING else None
    if holders is not None and _is_inside(node):
        found[holders] = True
        return found
    chosen = _long_enough(node, texts, holders)
    backwards = behind < ahead
    automaton = _Automaton(Positions(reversed_node(node) if backwards else node))
    at = texts.ends[chosen] if backwards else texts.begins[chosen]
    found[chosen[automaton.accepted(texts.codes, at, -1 if backwards else 1)]] = True
    return found


def _long_enough(node: Node, texts: Texts, chosen: Whole | None) -> Whole:
    """Of some strings, or of all, those that are as long as a match can be."""
    least, most = extent(node)
    lengths = texts.lengths if chosen is None else texts.lengths[chosen]
    held = lengths >= least if most is None else (lengths >= least) & (lengths <= most)
    return np.flatnonzero(held) if chosen is None else chosen[held]


def _needed(node: Node) -> str:
    """The longest text that stands in every match, as far as it is plain to see."""
    if not isinstance(node, Cat):
        return ""
    runs = [""]
    for part in node.parts:
        if isinstance(part, Letter) and len(part.ranges) == 1 and part.ranges[0][0] == part.ranges[0][1]:
            runs[-1] += chr(part.ranges[0][0])
        else:
            runs += [_needed(part), ""]
    return max(runs, key=len)


def _is_inside(node: Node) -> bool:
    """Whether an expression asks for a text inside of strings and for nothing else: `.*text.*`."""
    anything = Times(Letter(ANY), 0, None)
    plain = isinstance(node, Cat) and len(_needed(node)) == len(node.parts) - 2
    return plain and isinstance(node, Cat) and node.parts[0] == node.parts[-1] == anything


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
    """States are sets of positions, made when they are first reached; 0 is the one that leads nowhere, in 1 it has matched.

    The border of strings is a class of its own, the last one.
    """

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._classes, self._members = _classes(positions.letters)
        self._end = len(self._members)
        self._states: dict[int, int] = {0: _DEAD}
        self._sets = [0, 0, 0]
        self._table = np.full((64, self._end + 1), _UNKNOWN, dtype=np.int32)
        self._table[_DEAD], self._table[_DONE] = _DEAD, _DONE
        self._table[_START, self._end] = _DONE if positions.empty else _DEAD

    def accepted(self, codes: NDArray[np.uint32], at: Whole, step: int) -> Mask:
        """Of strings with borders that begin (or, read backwards, end) at some places, those that are accepted."""
        result, places = np.zeros(len(at), dtype=np.bool_), np.arange(len(at), dtype=np.int32)
        state = np.full(len(at), _START, dtype=np.int32)
        known: Integers | None = None
        while len(places):
            # Strings that have ended go on for a while behind their border, which changes nothing.
            read = np.take(codes if known is None else known, at, mode="clip")
            state = self._stepped(state, np.take(self._classes, read) if known is None else read)
            going = state > _DONE
            if np.count_nonzero(going) < _WORTH_KEEPING * len(going):
                result[places[state == _DONE]] = True
                places, at, state = places[going], at[going], state[going]
            elif known is None and len(at) > _WORTH_ALL * len(codes):
                known = np.take(self._classes, codes)
            at += step
        return result

    def _stepped(self, state: NDArray[np.int32], classes: Integers) -> NDArray[np.int32]:
        width = self._table.shape[1]
        keys = state * np.int32(width) + classes
        following: NDArray[np.int32] = np.take(self._table, keys)
        if following.min() == _UNKNOWN:
            asked = np.zeros(self._table.size, dtype=np.bool_)
            asked[keys[following == _UNKNOWN]] = True
            for key in np.flatnonzero(asked).tolist():
                self._learn(*divmod(key, width))
            following = np.take(self._table, keys)
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
            self._grow()
            self._table[self._states[reached], self._end] = _DONE if reached & positions.last else _DEAD
        self._table[state, kind] = self._states[reached]

    def _grow(self) -> None:
        if len(self._sets) > _MOST_STATES:
            raise QueryError("an expression has too many ways to match", "write it shorter, or with fewer repeats")
        if len(self._sets) > len(self._table):
            more = np.full_like(self._table, _UNKNOWN)
            self._table = np.concatenate((self._table, more))


def _classes(letters: list[Ranges]) -> tuple[Integers, list[int]]:
    """For each code point the number of its class, and for each class the positions that it may stand at.

    Two characters are of one class when no set of the expression tells them apart. The border has the last class.
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
    table = np.repeat(np.array(kinds, dtype=np.min_scalar_type(len(numbers))), lengths)
    return np.append(table, np.array([len(numbers)], dtype=table.dtype)), list(numbers)

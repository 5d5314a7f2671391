r"""Regular expressions for the values of a query, read into an automaton of positions (Glushkov's).

    .  [a-zñ]  [^aeiou]  \d \w \s  \.  (a|b)  (?:a)  ?  *  +  {2}  {1,3}  ^ and $ at the ends, where they change nothing

An expression matches a whole value. What would need backtracking (references, looking around) is refused; so matching takes
linear time whatever is asked, see `automaton`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

import msgspec

from trasmallo.study.query.character_sets import ANY, MARKS, Ranges, inverted, named, single, united, widened
from trasmallo.study.query.query_errors import QueryError
from trasmallo.values.messages import Message

_MOST_POSITIONS = 20_000
"""Characters of an expression with its repeats written out. Judgement: seconds of work at the most."""
_MOST_REPEATS = 1_000
"""Repeats in one place at most. Judgement: no word is longer."""
_MOST_DEPTH = 100
"""Brackets inside each other at most: the parser calls itself for each. Judgement."""
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_TIMES = re.compile(r"\{([0-9]{0,9})(?:(,)([0-9]{0,9}))?\}")
_HOW = 'write it like "(des|re)?hac.*", with a backslash before a sign that is meant as it stands'


class Letter(NamedTuple):
    """One character of a set."""

    ranges: Ranges


class Cat(NamedTuple):
    """Things one after the other."""

    parts: tuple[Node, ...]


class Alt(NamedTuple):
    """One of several things."""

    parts: tuple[Node, ...]


class Times(NamedTuple):
    """The same thing several times, None without an upper bound."""

    part: Node
    least: int
    most: int | None


Node = Letter | Cat | Alt | Times


class Flags(msgspec.Struct, frozen=True):
    """Which differences do not count."""

    case: bool = False
    accents: bool = False


def literals(pattern: str) -> list[str] | None:
    """The plain texts that an expression matches and nothing else: `casa`, `a|b`; None when it is more than that."""
    if not re.search(r"[.\[\](){}?*+^$\\]", pattern):
        return pattern.split("|")
    text = re.sub(r"\\(\W)", r"\1", pattern)
    return [text] if re.fullmatch(r"(?:[^.\[\](){}?*+^$|\\]|\\\W)*", pattern) else None


def plain(text: str, flags: Flags) -> Node:
    """A plain text."""
    return Cat(tuple(_leaf(single(letter), flags) for letter in text))


def read(pattern: str, flags: Flags) -> Node:
    """The tree of an expression; raises QueryError that shows where it breaks."""
    return _Reader(pattern, flags).whole()


def _leaf(ranges: Ranges, flags: Flags) -> Node:
    wide = widened(ranges, case=flags.case, accents=flags.accents)
    return Cat((Letter(wide), Times(Letter(MARKS), 0, None))) if flags.accents else Letter(wide)


class _Reader:
    """Reads from left to right."""

    def __init__(self, pattern: str, flags: Flags) -> None:
        self._pattern, self._flags = pattern, flags
        self._at = self._depth = 0
        if pattern.startswith("(?i)"):
            self._flags, self._at = Flags(case=True, accents=flags.accents), 4

    def whole(self) -> Node:
        found = self._either()
        if self._at < len(self._pattern):
            self._refuse("this bracket was never opened")
        return found

    def _refuse(self, what: str, repair: str = _HOW, at: int | None = None, /, **arguments: object) -> NoReturn:
        at = self._at if at is None else at
        said, how = Message(what, **arguments), Message(repair, **arguments)
        problem = 'character {place} of the expression "{pattern}": {what}'
        raise QueryError(problem, how, at, 1, place=at + 1, pattern=self._pattern[:60], what=said)

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        letter = self._peek()
        self._at += 1
        return letter

    def _either(self) -> Node:
        self._depth += 1
        self._check_depth(self._depth)
        parts = [self._row()]
        while self._peek() == "|":
            self._at += 1
            parts.append(self._row())
        self._depth -= 1
        return Alt(tuple(parts)) if len(parts) > 1 else parts[0]

    def _row(self) -> Node:
        parts: list[Node] = []
        while (letter := self._peek()) and letter not in "|)":
            if letter in "*+?":
                self._refuse("{letter!r} has nothing to repeat", letter=letter)
            parts.append(self._repeated(self._thing()))
        return Cat(tuple(parts))

    def _thing(self) -> Node:
        letter = self._take()
        if letter == "(":
            return self._group()
        if letter == "[":
            return self._set()
        if letter == "\\":
            return _leaf(self._escaped(), self._flags)
        if letter == ".":
            return Letter(ANY)
        if letter in "^$" and self._at == (1 if letter == "^" else len(self._pattern)):
            return Cat(())
        if letter in "^$":
            self._refuse(
                "{letter!r} stands inside", "an expression matches whole values: leave it out", self._at - 1, letter=letter
            )
        return _leaf(single(letter), self._flags)

    def _group(self) -> Node:
        opened = self._at - 1
        if self._peek() == "?" and self._pattern[self._at : self._at + 2] != "?:":
            self._refuse("looking around and names of groups are not understood", "use [condition & condition] instead")
        self._at += 2 * (self._peek() == "?")
        found = self._either()
        if self._take() != ")":
            self._refuse("this bracket is never closed", "close it with )", opened)
        return found

    def _escaped(self) -> Ranges:
        letter = self._take()
        if not letter:
            self._refuse("nothing follows the last backslash", _HOW, self._at - 2)
        if letter in "dwsDWS":
            return named(letter)
        if letter.isalnum() and letter not in _CONTROLS:
            self._refuse("\\{letter} is not understood", _HOW, self._at - 2, letter=letter)
        return single(_CONTROLS.get(letter, letter))

    def _set(self) -> Node:
        opened = self._at - 1
        negated = self._peek() == "^"
        self._at += negated
        ranges: list[tuple[int, int]] = []
        first = True
        while first or self._peek() != "]":
            if not self._peek():
                self._refuse("this bracket is never closed", "close it with ]", opened)
            ranges += self._range()
            first = False
        self._at += 1
        found = widened(united(ranges), case=self._flags.case, accents=self._flags.accents)
        return Letter(inverted(found) if negated else found)

    def _range(self) -> Ranges:
        low = self._member()
        if self._peek() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", ""):
            return low
        self._at += 1
        high = self._member()
        if len(low) != 1 or len(high) != 1 or low[0][0] > high[0][1]:
            self._refuse("this range goes backwards", "write the lower end first", self._at - 1)
        return ((low[0][0], high[0][1]),)

    def _member(self) -> Ranges:
        letter = self._take()
        return self._escaped() if letter == "\\" else single(letter)

    def _check_depth(self, depth: int) -> None:
        if depth > _MOST_DEPTH:
            self._refuse("brackets are nested more than {most_depth} deep", "write it flatter", most_depth=_MOST_DEPTH)

    def _repeated(self, part: Node) -> Node:
        repeats = 0
        while letter := self._peek():
            if letter in "*+?":
                self._at += 1
                part = Times(part, int(letter == "+"), 1 if letter == "?" else None)
            elif letter == "{" and (found := _TIMES.match(self._pattern, self._at)):
                part = Times(part, *self._bounds(found))
                self._at = found.end()
            else:
                return part
            # A lazy or greedy repeat matches the same whole values.
            self._at += self._peek() == "?"
            repeats += 1
            self._check_depth(repeats)
        return part

    def _bounds(self, found: re.Match[str]) -> tuple[int, int | None]:
        least = int(found[1] or 0)
        most = least if not found[2] else int(found[3]) if found[3] else None
        if most is not None and (most < least or not most):
            self._refuse("{found} is no range", "write it like {1,3}", found=found[0])
        if max(least, most or 0) > _MOST_REPEATS:
            self._refuse(
                "{found} repeats too often",
                "repeat at most {most_repeats:,} times, or write {1,}",
                found=found[0],
                most_repeats=_MOST_REPEATS,
            )
        return least, most


def reversed_node(node: Node) -> Node:
    """What matches the values read backwards."""
    if isinstance(node, Letter):
        return node
    if isinstance(node, Times):
        return Times(reversed_node(node.part), node.least, node.most)
    if isinstance(node, Alt):
        return Alt(tuple(map(reversed_node, node.parts)))
    return Cat(tuple(map(reversed_node, node.parts[::-1])))


def extent(node: Node) -> tuple[int, int | None]:
    """How many characters a match has: the fewest and the most, None without a bound."""
    if isinstance(node, Letter):
        return 1, 1
    if isinstance(node, Times):
        least, most = extent(node.part)
        return least * node.least, None if most is None or node.most is None else most * node.most
    lows, highs = zip(*map(extent, node.parts), strict=True) if node.parts else ((0,), (0,))
    known = [high for high in highs if high is not None]
    low, high = (min(lows), max(known, default=0)) if isinstance(node, Alt) else (sum(lows), sum(known))
    return low, high if len(known) == len(highs) else None


class Positions:
    """The letters of an expression, numbered, and which may follow which; sets of them are the bits of whole numbers."""

    def __init__(self, node: Node) -> None:
        self.letters: list[Ranges] = []
        self.follow: list[int] = []
        self.empty, self.first, self.last = self._add(node)

    def _add(self, node: Node) -> tuple[bool, int, int]:
        """Whether it matches the empty text, where it can begin, and where it can end."""
        if isinstance(node, Letter):
            return self._letter(node)
        if isinstance(node, Times):
            return self._times(node)
        if isinstance(node, Alt):
            parts = [self._add(part) for part in node.parts]
            return any(empty for empty, _, _ in parts), _all(first for _, first, _ in parts), _all(last for _, _, last in parts)
        return self._row(node.parts)

    def _letter(self, node: Letter) -> tuple[bool, int, int]:
        if len(self.letters) >= _MOST_POSITIONS:
            raise QueryError(
                "an expression is longer than {most_positions:,} characters",
                "repeat less, or ask in pieces",
                most_positions=_MOST_POSITIONS,
            )
        self.letters.append(node.ranges)
        self.follow.append(0)
        bit = 1 << (len(self.letters) - 1)
        return False, bit, bit

    def _row(self, parts: Sequence[Node]) -> tuple[bool, int, int]:
        empty, first, last = True, 0, 0
        for part in parts:
            more_empty, more_first, more_last = self._add(part)
            self._link(last, more_first)
            first |= more_first if empty else 0
            last = more_last | (last if more_empty else 0)
            empty &= more_empty
        return empty, first, last

    def _times(self, node: Times) -> tuple[bool, int, int]:
        """Copies one after the other; those beyond the least may be left out, and the last may go round without a bound."""
        copies = node.most if node.most is not None else max(node.least, 1)
        empty, first, last = True, 0, 0
        ends = 0
        for number in range(copies):
            part_empty, part_first, part_last = self._add(node.part)
            self._link(last, part_first)
            first |= part_first if empty else 0
            last = part_last | (last if part_empty else 0)
            empty &= part_empty
            if number + 1 >= node.least:
                ends |= last
            if node.most is None and number + 1 == copies:
                self._link(part_last, part_first)
        return empty or not node.least, first, ends or last

    def _link(self, before: int, after: int) -> None:
        for number in bits(before):
            self.follow[number] |= after


def _all(sets: Iterator[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def bits(value: int) -> Iterator[int]:
    """The places of the ones."""
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low

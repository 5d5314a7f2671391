"""A sequence of a query as an automaton over tokens: states, and what a token must be to lead from one to another.

Repeats are written out, so there are no circles and a hit has at most as many tokens as there are in the automaton. Edges of
structures take no token; they are conditions on the place between two.
"""

from __future__ import annotations

from typing import NamedTuple

from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import LIMITS, Choice, Condition, Edge, Either, One, Pattern, PatternSequence, Repeat

_MOST_MOVES = 50_000
"""Moves of an automaton at most, all repeats written out. Judgement: some megabytes."""

_MOST_STATES = 20_000
"""States at most; repeats of what takes no token have states and no moves. Judgement: tens of milliseconds."""

_MOST_LOOKS = 500_000
"""States that are looked at to find all ways without a token. Judgement: half a second."""

Edges = frozenset[Edge]


class Move(NamedTuple):
    """A token that fulfils `condition` leads to state `target`, where the edges hold before it."""

    condition: Condition
    label: str
    target: int
    edges: Edges


class TokenAutomaton:
    """`moves[state]` are the ways on, `finals[state]` the edges under which the sequence may end here; it starts in 0."""

    def __init__(self, pattern: Pattern) -> None:
        self._empty: list[list[tuple[int, Edge | None]]] = [[], []]
        self._tokens: list[list[tuple[One, int]]] = [[], []]
        self._size = self._looks = 0
        self._build(pattern, 0, 1)
        self.moves: list[list[Move]] = []
        self.finals: list[list[Edges]] = []
        total = 0
        for state in range(len(self._empty)):
            moves, finals = self._ways(state)
            self.moves.append(moves)
            self.finals.append(finals)
            total += len(moves)
            if total > _MOST_MOVES or self._looks > _MOST_LOOKS:
                raise _too_many()

    @property
    def longest(self) -> int:
        """The most tokens a hit can have."""
        return self._size

    def _state(self) -> int:
        self._empty.append([])
        self._tokens.append([])
        if len(self._empty) > _MOST_STATES:
            raise _too_many()
        return len(self._empty) - 1

    def _build(self, pattern: Pattern, begin: int, end: int) -> None:
        if isinstance(pattern, One):
            self._size += 1
            if self._size > LIMITS.tokens:
                raise QueryError("hits could be longer than {tokens:,} tokens", "use smaller repeats", tokens=LIMITS.tokens)
            self._tokens[begin].append((pattern, end))
        elif isinstance(pattern, Edge):
            self._empty[begin].append((end, pattern))
        elif isinstance(pattern, Choice):
            for part in pattern.parts:
                self._build(part, begin, end)
        elif isinstance(pattern, PatternSequence):
            self._row(pattern.parts, begin, end)
        else:
            self._repeat(pattern, begin, end)

    def _row(self, parts: tuple[Pattern, ...], begin: int, end: int) -> None:
        for part in parts[:-1]:
            middle = self._state()
            self._build(part, begin, middle)
            begin = middle
        if parts:
            self._build(parts[-1], begin, end)
        else:
            self._empty[begin].append((end, None))

    def _repeat(self, repeat: Repeat, begin: int, end: int) -> None:
        for number in range(repeat.most):
            if number >= repeat.least:
                self._empty[begin].append((end, None))
            middle = self._state()
            self._build(repeat.part, begin, middle)
            begin = middle
        self._empty[begin].append((end, None))

    def _ways(self, state: int) -> tuple[list[Move], list[Edges]]:
        """Everything that can be reached from a state without a token."""
        waiting: list[tuple[int, Edges]] = [(state, frozenset())]
        seen = set(waiting)
        moves: dict[Move, None] = {}
        finals: dict[Edges, None] = {}
        while waiting:
            here, edges = waiting.pop()
            if here == 1:
                finals[edges] = None
            for one, target in self._tokens[here]:
                moves[Move(one.condition, one.label, target, edges)] = None
            for target, edge in self._empty[here]:
                more = (target, edges | {edge} if edge else edges)
                if more not in seen:
                    seen.add(more)
                    waiting.append(more)
        self._looks += len(seen)
        return list(moves), list(finals)


def _too_many() -> QueryError:
    return QueryError("the query has too many ways to match", "use fewer repeats inside repeats")


def mirrored(pattern: Pattern) -> Pattern:
    """The sequence that is found by walking backwards."""
    if isinstance(pattern, PatternSequence):
        return PatternSequence(tuple(map(mirrored, pattern.parts[::-1])))
    if isinstance(pattern, Choice):
        return Choice(tuple(map(mirrored, pattern.parts)))
    if isinstance(pattern, Repeat):
        return Repeat(mirrored(pattern.part), pattern.least, pattern.most)
    return pattern


def elements(pattern: Pattern) -> list[Pattern]:
    """What stands one after the other at the top, as plain as possible: choices of single tokens are single tokens."""
    plain = simplified(pattern)
    return list(plain.parts) if isinstance(plain, PatternSequence) else [plain]


def simplified(pattern: Pattern) -> Pattern:
    """The same hits with fewer states."""
    if isinstance(pattern, PatternSequence):
        parts = [part for one in pattern.parts for part in elements(one)]
        return PatternSequence(tuple(parts)) if len(parts) > 1 else parts[0]
    if isinstance(pattern, Choice):
        parts = list(map(simplified, pattern.parts))
        if all(isinstance(part, One) and not part.label for part in parts):
            return One(Either(tuple(part.condition for part in parts if isinstance(part, One))))
        return Choice(tuple(parts))
    if isinstance(pattern, Repeat):
        inner = simplified(pattern.part)
        if isinstance(inner, One) and pattern.least == pattern.most:
            return PatternSequence((inner,) * pattern.least) if pattern.least > 1 else inner
        return Repeat(inner, pattern.least, pattern.most)
    return pattern


def labels(pattern: Pattern) -> list[str]:
    """The labels of a sequence in the order in which they are met."""
    if isinstance(pattern, One):
        return [pattern.label] if pattern.label else []
    if isinstance(pattern, Edge):
        return []
    parts = (pattern.part,) if isinstance(pattern, Repeat) else pattern.parts
    return list(dict.fromkeys(label for part in parts for label in labels(part)))

"""Walks an automaton over tokens from many places at once, forwards or backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from trasmallo.study.query.columns import CorpusColumns
from trasmallo.study.query.conditions import Wanted
from trasmallo.study.query.hits import NO_LABELS
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import Condition, Edge
from trasmallo.study.query.token_automaton import Edges, Move, TokenAutomaton
from trasmallo.study.query.work_limit import MOVE, steps
from trasmallo.values.arrays import Mask, Whole

_SENTENCE = 1
"""The flag of a token that begins a sentence."""
MOST_ROWS = 1 << 22
"""Walks that are followed at once."""


class Crowded(QueryError):
    """There are too many ways to follow them at once; from fewer places there may not be."""

    def __init__(
        self,
        problem: str = "the query has too many ways to match",
        repair: str = "use smaller repeats, or rarer words",
        at: int = 0,
        length: int = 0,
    ) -> None:
        super().__init__(problem, repair, at, length)


class WalkRange(NamedTuple):
    """Places from which it is walked (the next token that is looked at), and the bounds of their documents."""

    origin: Whole
    low: Whole
    high: Whole


class Ends(NamedTuple):
    """Where walks ended: from which place, after how many tokens, and the labelled tokens they met."""

    place: Whole
    taken: Whole
    labels: Whole


class _Rows(NamedTuple):
    """Walks that are in one state: from which place they came, and the labelled tokens so far."""

    place: Whole
    labels: Whole

    def only(self, chosen: Mask) -> _Rows:
        return _Rows(self.place[chosen], self.labels[:, chosen] if len(self.labels) else self.labels)


class Walker:
    """`names` are all labels of the query; with `stay` a walk does not leave the sentence it began in.

    At most `most` walks are followed at once; `spend` is told the steps of each move and may raise (see `work_limit`).
    """

    def __init__(
        self,
        columns: CorpusColumns,
        wanted: dict[Condition, Wanted],
        names: list[str],
        *,
        stay: bool,
        most: int,
        spend: Callable[[int], None],
    ) -> None:
        self._most = most
        self._spend = spend
        self._columns = columns
        self._wanted = wanted
        self._names = names
        self._stay = stay

    def walk(self, machine: TokenAutomaton, stretch: WalkRange, *, back: bool, free: bool = False) -> Ends:
        """All ways through the automaton; with `free` the first token may begin a sentence."""
        every = np.arange(len(stretch.origin))
        unset = np.full((len(self._names), len(every)), -1, dtype=np.int64) if self._names else NO_LABELS
        frontier = {0: _Rows(every, unset)}
        ends: list[Ends] = []
        depth = rows_so_far = 0
        while frontier:
            following: dict[int, list[_Rows]] = {}
            for state, rows in frontier.items():
                at = stretch.origin[rows.place] + (-depth if back else depth)
                ends += self._ended(machine.finals[state], rows, at + back, stretch, depth)
                rows_so_far += len(rows.place)
                self._spend(MOVE + steps(len(rows.place), len(self._names)))
                if rows_so_far > self._most:
                    raise Crowded
                if machine.moves[state]:
                    allowed = self._allowed(at, rows, stretch, back=back, free=free and not depth)
                    self._follow(machine.moves[state], rows.only(allowed), at[allowed], stretch, following, back=back)
            frontier = {state: _merged(pieces) for state, pieces in following.items()}
            depth += 1
        return Ends(*(np.concatenate(column, axis=-1) for column in zip(*ends, strict=True))) if ends else self._none()

    def _none(self) -> Ends:
        nothing = np.zeros(0, dtype=np.int64)
        return Ends(nothing, nothing, np.zeros((len(self._names), 0), dtype=np.int64))

    def _ended(self, finals: list[Edges], rows: _Rows, gap: Whole, stretch: WalkRange, depth: int) -> list[Ends]:
        found = []
        for edges in finals:
            some = rows.only(self._at_edges(edges, gap, rows, stretch)) if edges else rows
            found.append(Ends(some.place, np.full(len(some.place), depth), some.labels))
        return found

    def _allowed(self, at: Whole, rows: _Rows, stretch: WalkRange, *, back: bool, free: bool) -> Mask:
        """Which walks may look at their next token: it is in the document and, where that is asked, in the sentence."""
        allowed: Mask = at >= stretch.low[rows.place] if back else at < stretch.high[rows.place]
        if self._stay and not free:
            # Forwards the token itself must not begin a sentence, backwards the one after it.
            places = (at[allowed] + 1) if back else at[allowed]
            allowed[allowed] = (self._columns.flags[places] & _SENTENCE) == 0
        return allowed

    def _follow(
        self,
        moves: list[Move],
        rows: _Rows,
        at: Whole,
        stretch: WalkRange,
        following: dict[int, list[_Rows]],
        *,
        back: bool,
    ) -> None:
        if not len(at):
            return
        types = None
        for move in moves:
            self._spend(MOVE + steps(len(at), len(self._names)))
            wanted = self._wanted[move.condition]
            if wanted.every:
                chosen = np.ones(len(at), dtype=np.bool_)
            elif wanted.categories is not None:
                chosen = wanted.holds(at)
            else:
                types = self._columns.types(at) if types is None else types
                chosen = wanted.mask[types]
            if move.edges:
                chosen &= self._at_edges(move.edges, at + back, rows, stretch)
            some = rows.only(chosen)
            if move.label:
                row = some.labels[self._names.index(move.label)]
                # Of several tokens with one label the last one counts, which is met first on the way back.
                row[...] = np.where(row < 0, at[chosen], row) if back else at[chosen]
            if len(some.place):
                following.setdefault(move.target, []).append(some)

    def _at_edges(self, edges: Edges, gap: Whole, rows: _Rows, stretch: WalkRange) -> Mask:
        """Whether the gaps before these tokens are such edges."""
        held = np.ones(len(gap), dtype=np.bool_)
        for edge in edges:
            held &= self._at_edge(edge, gap, rows, stretch)
        return held

    def _at_edge(self, edge: Edge, gap: Whole, rows: _Rows, stretch: WalkRange) -> Mask:
        low, high = stretch.low[rows.place], stretch.high[rows.place]
        outer: Mask = gap == (high if edge.end else low)
        if edge.structure == "s":
            inner = (gap > low) & (gap < high)
            outer[inner] = (self._columns.flags[gap[inner]] & _SENTENCE) > 0
        return outer


def _merged(pieces: list[_Rows]) -> _Rows:
    """Walks that are in one state; those that differ in nothing are one."""
    if len(pieces) == 1:
        return pieces[0]
    place = np.concatenate([piece.place for piece in pieces])
    labels = np.concatenate([piece.labels for piece in pieces], axis=1)
    if not len(labels):
        place.sort()
        return _Rows(place[np.concatenate(([True], place[1:] != place[:-1]))], NO_LABELS)
    columns = np.stack([place, *labels])
    order = np.lexsort(columns[::-1])
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (columns[:, order][:, 1:] != columns[:, order][:, :-1]).any(axis=0)
    return _Rows(place[order[fresh]], labels[:, order[fresh]])

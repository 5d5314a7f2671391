"""The hosts a frontier knows, and which of them is due next.

Columns, not objects: a known host costs its name (50 bytes and its length), about 110 bytes of name table and 33 of columns;
one that waits for its turn 130 more in the heap; and 4 in each of the backlog's files (some 25 at 10 million URLs). A million
hosts of 25 letters, all waiting, are 400 MB.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain, islice

import numpy as np

from trasmallo.crawl.frontier.interface import HostState
from trasmallo.values.model import Outcome

_IDLE = math.inf
_LEASED = -math.inf
_COMPARED = 64  # judgement: hosts that are due of which the best is chosen; each is looked at once a turn
NO_OUTCOME = 255  # a byte that is the code of no outcome
OUTCOMES = tuple(Outcome)
"""By the codes of the column `last`."""
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}


def last_in_codes(last: bytes, names: Sequence[Outcome]) -> bytes:
    """A column `last` that was written when outcomes had other codes: those of their places in `names`."""
    codes = bytes(_CODES[outcome] for outcome in names)
    return last.translate(codes + bytes(range(len(codes), 256))) if codes else last


class HostTable:
    """Hosts by number. `queued` counts what waits, `due` is when a host may be asked again, `last` its last outcome's code."""

    def __init__(self, names: Sequence[str] = (), due: bytes = b"", queued: bytes = b"", last: bytes = b"") -> None:
        self.names = list(names)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self.due = array("d", due)
        self.queued = array("Q", queued)
        self.last = bytearray(last)
        self._when = array("d", [_IDLE]) * len(self.names)
        self._turn = array("Q", [0]) * len(self.names)
        self._heap: list[tuple[float, int, int]] = []
        self._ready: list[tuple[int, int, int]] = []
        self._turns = 0

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: str) -> int:
        """A host's number, a new one for a new host."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
            self.due.append(0.0)
            self.queued.append(0)
            self.last.append(NO_OUTCOME)
            self._when.append(_IDLE)
            self._turn.append(0)
        return number

    def find(self, name: str) -> int | None:
        """The number of a known host."""
        return self._numbers.get(name)

    def note(self, host: int, due: float, last: Outcome | None) -> None:
        """A host was asked: when it may be asked again, and the outcome if there was one."""
        self.due[host] = due
        if last is not None:
            self.last[host] = _CODES[last]

    def offer(self, host: int, when: float) -> None:
        """Give a host a turn at a time, unless it has an earlier one or is leased; among equals the order of offers counts."""
        when = max(when, self.due[host])
        if when < self._when[host]:
            self._turns += 1
            self._when[host] = when
            self._turn[host] = self._turns
            heappush(self._heap, (when, self._turns, host))

    def lease(self, now: float, place: Callable[[int], int] | None = None) -> int | None:
        """The host whose turn it is, which gets no other turn until released; None when none is due.

        With `place` it is the one of those that are due whose place is first, among equals in the order of offers. Some hosts
        are compared at a time, by their places when they became due: what waits in a million of them is not looked at.
        """
        if self.next_turn() > now:
            return None
        if place is not None:
            self._compare(now, place)
        host = heappop(self._ready)[2] if self._drop_taken() else heappop(self._heap)[2]
        self.hold(host)
        return host

    def _compare(self, now: float, place: Callable[[int], int]) -> None:
        while len(self._ready) < _COMPARED and self._next_waiting() <= now:
            _, turn, host = heappop(self._heap)
            heappush(self._ready, (place(host), turn, host))

    def next_turn(self) -> float:
        """The time of the next turn; infinite when there is none."""
        return self._when[self._ready[0][2]] if self._drop_taken() else self._next_waiting()

    def _drop_taken(self) -> bool:
        """Forget the first of those that are ready while their turn is none; whether any is left."""
        while self._ready and self._turn[self._ready[0][2]] != self._ready[0][1]:
            heappop(self._ready)
        return bool(self._ready)

    def _next_waiting(self) -> float:
        heap = self._heap
        while heap:
            when, turn, host = heap[0]
            if self._turn[host] == turn:
                return when
            heappop(heap)
        return math.inf

    def hold(self, host: int) -> None:
        """Give a host no turn until it is released."""
        self._when[host] = _LEASED
        self._turn[host] = 0

    def release(self, host: int) -> None:
        """Let a host have turns again; it has none yet."""
        self._when[host] = _IDLE
        self._turn[host] = 0

    def clear_turns(self) -> None:
        """Take all turns back."""
        self._heap.clear()
        self._ready.clear()
        for host in range(len(self.names)):
            self.release(host)

    def is_leased(self, host: int) -> bool:
        """Whether the host is held."""
        return self._when[host] == _LEASED

    def busiest(self, leased: Sequence[int], most: int) -> tuple[HostState, ...]:
        """Those hosts that are leased, then others with something queued: the longest queues first."""
        first = leased[:most]
        others = (host for host in self._longest(most) if host not in first)
        return tuple(self._describe(host) for host in islice(chain(first, others), most))

    def _describe(self, host: int) -> HostState:
        last = None if self.last[host] == NO_OUTCOME else OUTCOMES[self.last[host]]
        return HostState(self.names[host], self.queued[host], self.due[host], self.is_leased(host), last)

    def _longest(self, most: int) -> Iterator[int]:
        """Hosts with something queued, the longest queues first, among equals the first known."""
        queued = np.frombuffer(self.queued, np.uint64).astype(np.int64)
        order = np.argsort(-queued, kind="stable")[:most]
        for host in order.tolist():
            if queued[host]:
                yield host

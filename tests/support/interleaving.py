"""What somebody else does between any two lines of what we do: each interleaving once, always in the same order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeVar

Answer = TypeVar("Answer")
Step = Callable[[], object]


class Interleaving:
    """Runs the steps of another one while functions of some modules run.

    The first comes before line number `begin`, the others one every `stride` lines, or `at_once`.
    """

    def __init__(self, modules: Sequence[ModuleType], steps: Sequence[Step], begin: int, stride: int, *, at_once: bool) -> None:
        self.lines = 0
        self._files = {module.__file__ for module in modules}
        self._waiting = list(steps)
        self._next = begin
        self._stride = stride
        self._at_once = at_once

    def run(self, work: Callable[[], Answer]) -> Answer:
        """Do our work, in which the steps fall; those that are left come afterwards."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            found = work()
        finally:
            sys.settrace(before)
        self._step(len(self._waiting))
        return found

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any] | None:
        return self._line if self._is_watched(frame.f_code) else None

    def _line(self, _frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        if event == "line":
            self.lines += 1
            if self.lines > self._next and self._waiting:
                self._next += self._stride
                self._step(len(self._waiting) if self._at_once else 1)
        return self._line

    def _step(self, number: int) -> None:
        """The next steps, which nobody interrupts."""
        tracing = sys.gettrace()
        sys.settrace(None)
        try:
            for _ in range(number):
                self._waiting.pop(0)()
        finally:
            sys.settrace(tracing)

    def _is_watched(self, code: CodeType) -> bool:
        return code.co_filename in self._files


def interleavings(
    modules: Sequence[ModuleType], steps: Callable[[], Sequence[Step]], stride: int = 1
) -> Iterator[Interleaving]:
    """Every interleaving: the steps begin before each line in turn, until the work has no more; or every `stride` lines."""
    for at_once in (False, True):
        begin, lines = 0, 1
        while begin < lines:
            turn = Interleaving(modules, steps(), begin, stride, at_once=at_once)
            yield turn
            begin, lines = begin + stride, turn.lines

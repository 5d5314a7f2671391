"""Samples of what each Python process spends its CPU on: a file of folded stacks a process, as programs for flame graphs read.

Python imports a module of this name by itself when its folder is in PYTHONPATH; without CPU_SAMPLES, the folder for the files,
it does nothing. A sample weighs as many microseconds as the process has used since the one before, with all its threads: a long
call of C code counts whole, for who called it. What is used before this module and after the last sample is not counted.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

_INTERVAL = 0.004
"""Seconds of CPU between two samples: what Linux tells at 250 ticks a second."""

_BETWEEN = 0.5
"""Seconds of CPU between two writings of the file: a process that is killed writes no more."""


class _Samples:
    """Seconds by stack."""

    def __init__(self, folder: str) -> None:
        self._file = Path(folder) / f"{os.getpid()}.folded"
        self._spent: Counter[tuple[CodeType, ...]] = Counter()
        self._last = self._written = time.process_time()

    def take(self, _signal: int, frame: FrameType | None) -> None:
        """Count what was used since the last sample for the stack that is there now."""
        now, stack = time.process_time(), []
        while frame is not None:
            stack.append(frame.f_code)
            frame = frame.f_back
        self._spent[tuple(stack)] += now - self._last  # type: ignore[assignment]
        self._last = now
        if now > self._written + _BETWEEN:
            # Until this one is done no other writing begins, whatever signals come meanwhile.
            self._written = float("inf")
            self.write()
            self._written = now

    def end(self) -> None:
        """Take no more samples."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.write()

    def write(self) -> None:
        """One line a stack: the functions from the outermost in, and microseconds."""
        with self._file.open("w", encoding="utf-8") as file:
            for stack, seconds in list(self._spent.items()):
                names = (f"{code.co_filename}:{code.co_qualname}".replace(";", "") for code in reversed(stack))
                print(";".join(names), round(seconds * 1e6), file=file)


def _start(folder: str) -> None:
    samples = _Samples(folder)
    signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, _INTERVAL, _INTERVAL)
    atexit.register(samples.end)


if "CPU_SAMPLES" in os.environ and hasattr(signal, "setitimer") and sys.version_info >= (3, 11):
    _start(os.environ["CPU_SAMPLES"])

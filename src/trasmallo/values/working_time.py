"""Time that another process has for something, on a machine that may be busy with others.

On a busy machine no document is to blame for the time in which who reads it waits for a processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class WorkingTime:
    """Seconds by the clock that a process has from now on, without those in which it waits for a processor.

    What a child of its own waits for is given back too: meanwhile it waits for the child.
    """

    def __init__(self, process: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._process = process
        self._clock = clock
        self._looked = clock()
        self._until = self._looked + seconds
        self._delays = processor_delays(process)

    @property
    def left(self) -> float:
        """Seconds until it is worth asking whether the time is over."""
        return max(0.0, self._until - self._clock())

    def is_over(self) -> bool:
        """Whether nothing is left when all is given back that was waited for since this was asked last."""
        before, self._delays = self._delays, processor_delays(self._process)
        looked, self._looked = self._looked, self._clock()
        waited = sum(max(0.0, delay - before.get(process, 0.0)) for process, delay in self._delays.items())
        self._until += min(waited, self._looked - looked)
        return self.left == 0


def processor_delays(process: int) -> dict[int, float]:
    """Seconds for which a process and its descendants were ready to work and had to wait for a processor, since each began.

    Of each the first thread counts. Empty where the system does not tell, and for one that is gone.
    """
    found: dict[int, float] = {}
    place = Path(f"/proc/{process}")
    with suppress(OSError, IndexError, ValueError):
        found[process] = int((place / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9
        for thread in (place / "task").iterdir():
            for child in _children(thread):
                found |= processor_delays(child)
    return found


def _children(thread: Path) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in (thread / "children").read_text(encoding="ascii").split()]
    return []

"""Free memory: how often what nobody needs is looked for, and what of it goes back to the system.

The C library keeps what many threads have freed, so that a process that serves for weeks looks as if it grew. Nothing goes back
where there is another library than GNU's.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

_ARENAS = -8  # M_ARENA_MAX of mallopt
_MOST_ARENAS = 2
"""Places where threads allocate apart from each other. Judgement: ours share a lock in Python most of the time anyway."""

_SECONDS = 10.0  # judgement: a return takes some milliseconds


_NEW_OBJECTS = 50_000
"""Objects made and not yet freed after which the collector looks at those made last."""


def calm_collector() -> None:
    """Let the garbage collector of this process look seldom; for processes that do one thing and end.

    What a page leaves has hardly any cycles, and what is remembered is much to look through: that took a quarter of the time
    of study, a twentieth of that of a revisit in which nothing changed, and a sixth of the import of what a run needs.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)


def share_arenas() -> None:
    """Have all threads allocate in few places; to be called before there are threads."""
    if mallopt := _function("mallopt"):
        mallopt(_ARENAS, _MOST_ARENAS)


class Returning:
    """Gives free memory back, at most every few seconds by `clock`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = clock()

    def now(self) -> bool:
        """Give it back unless that was done a moment ago; whether it was."""
        trim = _function("malloc_trim")
        if trim is None or self._clock() < self._next:
            return False
        self._next = self._clock() + _SECONDS
        trim(0)
        return True


def _function(name: str) -> Callable[..., int] | None:
    """A function of GNU's C library."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    found: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return found

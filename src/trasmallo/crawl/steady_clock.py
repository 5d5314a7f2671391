"""The time of a crawl: it begins with the machine's clock and then only passes, whatever becomes of that.

When hosts may be asked again is written down as a time. A clock that is set back a day would stall the crawl for a day, one
that is set forward would end every rest at once. So a session counts from its beginning by a clock that nobody sets; and the
next one begins where this one ended, should the machine's clock then stand before that.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from trasmallo.values.errors import disk_errors

_FAR_AHEAD = 10 * 365 * 86_400.0  # judgement: ten years; a note that is later is damage, not a clock


class SteadyClock:
    """Seconds since 1970 as the crawl counts them. `note` writes them to `path`, for the next session; "" for none."""

    def __init__(
        self, path: str = "", wall: Callable[[], float] = time.time, passing: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = Path(path) if path else None
        self._passing = passing
        now = wall()
        noted = _read(self._path) if self._path else 0.0
        self._ahead = max(now, noted if noted < now + _FAR_AHEAD else 0.0) - passing()

    def __call__(self) -> float:
        """The time now."""
        return self._passing() + self._ahead

    def note(self) -> None:
        """Write down where it stands; to be called once a second."""
        if self._path is not None:
            with disk_errors(self._path):
                file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
                try:
                    os.pwrite(file, b"%017.3f\n" % self(), 0)
                finally:
                    os.close(file)


def _read(path: Path) -> float:
    """What was noted last, 0 when nothing can be read."""
    with suppress(OSError, ValueError):
        noted = float(path.read_bytes())
        return noted if math.isfinite(noted) else 0.0
    return 0.0

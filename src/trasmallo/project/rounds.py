"""The same work again every hour, for as long as it was wished."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from trasmallo.values.errors import NothingDue

Done = TypeVar("Done")

ROUND_SECONDS = 3_600.0
"""Between two rounds. Judgement: a page is left in peace for an hour."""


def in_rounds(
    work: Callable[[], Done],
    seconds: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], object] = time.sleep,
) -> Done:
    """Work once, and again every hour until so many seconds are over; a later round with nothing due is passed over."""
    end = clock() + seconds
    done = work()
    while clock() + ROUND_SECONDS <= end:
        wait(ROUND_SECONDS)
        try:
            done = work()
        except NothingDue:
            continue
    return done

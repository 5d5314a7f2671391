"""Waiting for what another thread or process does: for the thing itself, never for a span of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 20.0
"""Seconds that a test waits for something; the machine may be busy."""


class Stuck(AssertionError):
    """Something that a test waited for did not happen."""


def until(question: Callable[[], T | None], what: str, patience: float = PATIENCE) -> T:
    """Ask again and again until the answer is neither None nor false; `Stuck` after `patience` seconds."""
    end = time.monotonic() + patience
    pause = threading.Event()
    while not (answer := question()):
        if time.monotonic() > end:
            raise Stuck(f"waited {patience:.0f} s for {what}")
        pause.wait(0.02)
    return answer

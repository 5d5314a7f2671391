"""One input given to a target: whether it ends as it may, in time."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

from fuzz.target import Target

SECONDS = 10
"""Seconds of the processor that an input may take, which is at most 200 KB."""


class TooSlow(BaseException):
    """An input took more than its time; no reader catches it."""


class Fault(NamedTuple):
    """What went wrong: `kind` is the same for inputs that fail in the same place."""

    kind: str
    told: str


def attempt(target: Target, content: bytes) -> Fault | None:
    """Run a target on an input; None when it ends as it may."""
    try:
        with _timed(), suppress(*target.expected):
            target.run(content)
    except (Exception, TooSlow) as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "trasmallo" in frame.filename] or frames
        place = "" if isinstance(error, TooSlow) else f" in {ours[-1].name}"
        return Fault(f"{type(error).__name__}{place}", "".join(traceback.format_exception(error))[-4_000:])
    return None


@contextmanager
def _timed() -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow(f"more than {SECONDS} s")

"""Steps of a long question, told to whoever asked it, through functions that need not know who that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Tell = Callable[[int, int], None]
"""Takes how many steps are done, and how many there are."""

_listener: ContextVar[Tell | None] = ContextVar("listener", default=None)


def tell_step(done: int, total: int) -> None:
    """Say that so many steps are done; nobody may listen."""
    if listener := _listener.get():
        listener(done, total)


@contextmanager
def told_to(listener: Tell) -> Iterator[None]:
    """Have `listener` told of the steps of what is asked in the block, in this thread."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)

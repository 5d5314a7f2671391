"""The readings that a process has told, numbered: documents share them, and most of a text is told by arithmetic."""

from __future__ import annotations

from threading import RLock

from trasmallo.values.model import Tagged

_MOST = 300_000
"""Readings before another list is begun: some 30 MB."""

_lock = RLock()


class Told(list[Tagged]):
    """Readings in the order in which they were first told; what is known of them can be kept under the list itself."""

    __eq__, __ne__ = object.__eq__, object.__ne__
    __hash__ = object.__hash__  # type: ignore[assignment]  # a list has none because it may change; its identity does not

    def tell(self, reading: Tagged) -> int:
        """The number of a reading that is told for the first time."""
        with _lock:
            self.append(reading)
            return len(self) - 1


def told() -> Told:
    """The list of this process; another one from time to time."""
    global _current
    with _lock:
        if len(_current) > _MOST:
            _current = Told()
        return _current


_current = Told()

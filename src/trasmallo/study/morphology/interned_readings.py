"""Interned readings: what taggers found in a process, numbered, so that documents share them and most is done by arithmetic."""

from __future__ import annotations

from threading import RLock

from trasmallo.values.model import Tagged

_MOST = 300_000
"""Readings before another table is begun: some 30 MB."""


class InternedReadings(list[Tagged]):
    """Table of readings in the order in which they were first found; two tables are never equal, whatever they hold."""

    __eq__, __ne__ = object.__eq__, object.__ne__
    __hash__ = object.__hash__  # type: ignore[assignment]  # a list has none because it may change; its identity does not

    def __init__(self) -> None:
        super().__init__()
        self._lock = RLock()

    def intern(self, reading: Tagged) -> int:
        """The number of a reading that is found for the first time."""
        with self._lock:
            self.append(reading)
            return len(self) - 1


class ReadingTables:
    """The table that taggers share; another one is begun when it is full."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._current = InternedReadings()

    def current(self) -> InternedReadings:
        """The table to intern readings in."""
        with self._lock:
            if len(self._current) > _MOST:
                self._current = InternedReadings()
            return self._current


TABLES = ReadingTables()
"""Those of this process."""

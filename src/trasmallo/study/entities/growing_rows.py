"""An array that more rows can be added to."""

from __future__ import annotations

import numpy as np

from trasmallo.values.arrays import Array


class GrowingRows:
    """Rows of one shape; their memory doubles when it is full."""

    def __init__(self, shape: tuple[int, ...], kind: type[np.float32] | type[np.int64]) -> None:
        self._held: Array = np.zeros((0, *shape), kind)
        self._size = 0

    @property
    def array(self) -> Array:
        """The rows so far."""
        return self._held[: self._size]

    def add(self, rows: Array) -> None:
        """Put rows behind those that are there."""
        missing = self._size + len(rows) - len(self._held)
        if missing > 0:
            more = np.zeros((max(missing, len(self._held)), *self._held.shape[1:]), self._held.dtype)
            self._held = np.concatenate([self._held, more])
        self._held[self._size : self._size + len(rows)] = rows
        self._size += len(rows)

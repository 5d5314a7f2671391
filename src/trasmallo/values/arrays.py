"""Types of arrays of numbers."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Numbers of any kind."""
Mask = NDArray[np.bool_]
Whole = NDArray[np.int64]
Integers = NDArray[np.integer]
"""Whole numbers of any width."""


class Numbers(Protocol):
    """A column of numbers, in memory or in a file: it gives those of a slice or of an array of places."""

    def __len__(self) -> int:
        """How many there are."""

    def __getitem__(self, key: slice | Integers) -> Integers:
        """The numbers at these places."""

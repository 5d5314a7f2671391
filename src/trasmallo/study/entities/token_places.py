"""Where tokens stand in their text: from characters to tokens and back."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from trasmallo.study.sentences import Cut
from trasmallo.values.arrays import Whole


class TokenPlaces(NamedTuple):
    """The characters at which tokens begin and end."""

    starts: Whole
    ends: Whole

    @classmethod
    def of(cls, cut: Cut) -> Self:
        """Those of a text that is cut."""
        return cls(np.asarray(cut.tokens.starts, np.int64), np.asarray(cut.tokens.ends, np.int64))

    def characters(self, low: int, high: int) -> tuple[int, int]:
        """The characters of some tokens, of which there is one at least."""
        return int(self.starts[low]), int(self.ends[high - 1])

    def tokens(self, start: int, end: int) -> tuple[int, int]:
        """The tokens that have some of these characters."""
        return int(np.searchsorted(self.ends, start, side="right")), int(np.searchsorted(self.starts, end, side="left"))

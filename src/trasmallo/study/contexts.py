"""What stands around words in a text, for many words at once: some words have no other claim to be understood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.characters import IS_BLANK, codes, traits
from trasmallo.values.arrays import Whole

CONTEXT = 80
"""Characters of a context, unless the word itself has more."""


def contexts(text: str, starts: Whole, ends: Whole) -> list[str]:
    """The text around each range, cut at blanks where there are any near, with single blanks between its words."""
    written = codes(text)
    # With a blank before the text and one after it, so that every character has neighbours.
    blank = np.ones(len(written) + 2, np.bool_)
    blank[1:-1] = traits()[written] & IS_BLANK
    lows, highs = _near(blank, starts, ends)
    # A context of plain words is a slice of the text.
    rough = np.flatnonzero(blank[1:-1] & (blank[:-2] | (written != ord(" "))))
    plain = np.searchsorted(rough, lows) == np.searchsorted(rough, highs)
    lows += plain & blank[lows + 1] & (lows < starts)
    highs -= plain & blank[highs] & (highs > ends)
    bounds = zip(lows.tolist(), highs.tolist(), plain.tolist(), strict=True)
    return [text[low:high] if as_it_is else " ".join(text[low:high].split()) for low, high, as_it_is in bounds]


def _near(blank: NDArray[np.bool_], starts: Whole, ends: Whole) -> tuple[Whole, Whole]:
    """Where contexts begin and end: no piece of a word at either side, where a blank lies between it and the range."""
    spare = np.maximum(CONTEXT - (ends - starts), 0) // 2
    lows, highs = np.maximum(starts - spare, 0), np.minimum(ends + spare, len(blank) - 2)
    blanks = np.flatnonzero(blank) - 1
    after, before = blanks[np.searchsorted(blanks, lows)], blanks[np.searchsorted(blanks, highs) - 1]
    lows = np.where(~blank[lows] & (after < starts), after, lows)
    highs = np.where(~blank[highs + 1] & (before >= ends), before + 1, highs)
    return lows, highs

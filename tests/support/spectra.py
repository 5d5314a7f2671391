"""Spectra of frequencies for the tests of laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trasmallo.study.laws.zipf import Spectrum, from_pairs


def spectrum(frequencies: Iterable[int]) -> Spectrum:
    """The spectrum of the frequencies of words in any order."""
    return from_pairs(Counter(frequencies).items())

"""Speed of recognition with and without a memory of the words that were met before (DAWeb, 2.2.4 and figure 7)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from trasmallo.study.morphology.analysis_cache import AnalysisCache
from trasmallo.study.morphology.lexical import Analyses


class SpeedPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Words recognised so far, how many of them differ, and the mean speed up to here in words a CPU second."""

    words: int
    different: int
    without_memory: float
    with_memory: float


def measure_recognition(
    stretches: Iterable[Sequence[str]], analyses: Analyses, clock: Callable[[], float] = time.process_time
) -> Iterator[SpeedPoint]:
    """A point after each stretch of a text; every word is analysed twice, once without and once with the memory."""
    memory = AnalysisCache(analyses)
    words, plain, remembered = 0, 0.0, 0.0
    for stretch in stretches:
        words += len(stretch)
        plain += _seconds(analyses.analyse, stretch, clock)
        remembered += _seconds(memory.analyse, stretch, clock)
        yield SpeedPoint(
            words=words, different=memory.missed, without_memory=_speed(words, plain), with_memory=_speed(words, remembered)
        )


def _seconds(analyse: Callable[[str], object], words: Sequence[str], clock: Callable[[], float]) -> float:
    begin = clock()
    for word in words:
        analyse(word)
    return clock() - begin


def _speed(words: int, seconds: float) -> float:
    return words / seconds if seconds > 0 else 0.0

"""Recognition with and without a memory of words."""

from __future__ import annotations

from itertools import count

from trasmallo.study.morphology.analyser import analyser
from trasmallo.study.recognition_speed import measure_recognition


class Counted:
    """Analyses that count what they are asked, and tell the time by it: a word takes a second."""

    def __init__(self) -> None:
        self._real = analyser("es")
        self.listed, self.guess = self._real.listed, self._real.guess
        self.asked = 0

    def analyse(self, word: str) -> list[object]:
        self.asked += 1
        return list(self._real.analyse(word))


def test_a_word_that_was_met_before_costs_nothing() -> None:
    analyses = Counted()
    stretches = [["casa", "mar", "casa"], ["casa", "mar"], ["red"]]
    points = list(measure_recognition(stretches, analyses, clock=lambda: float(analyses.asked)))  # type: ignore[arg-type]
    assert [(point.words, point.different) for point in points] == [(3, 2), (5, 2), (6, 3)]
    assert [point.without_memory for point in points] == [1.0, 1.0, 1.0]
    assert [point.with_memory for point in points] == [3 / 2, 5 / 2, 6 / 3]


def test_no_time_is_no_speed() -> None:
    ticks = count()
    (point,) = measure_recognition([["casa"]], analyser("es"), clock=lambda: 0.0 * next(ticks))
    assert (point.without_memory, point.with_memory) == (0.0, 0.0)

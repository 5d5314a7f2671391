"""Work that is done again every hour."""

from __future__ import annotations

import pytest

from trasmallo.project.rounds import ROUND_SECONDS, in_rounds
from trasmallo.values.errors import NothingDue


class Hours:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rounds: list[float] = []

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def work(self) -> int:
        self.rounds.append(self.now)
        if len(self.rounds) == 2:
            raise NothingDue("nothing is due", "wait")
        return len(self.rounds)


def test_once_without_a_time_and_every_hour_with_one() -> None:
    hours = Hours()
    assert in_rounds(hours.work, 0.0, clock=lambda: hours.now, wait=hours.wait) == 1
    hours = Hours()
    assert in_rounds(hours.work, 3.5 * ROUND_SECONDS, clock=lambda: hours.now, wait=hours.wait) == 4
    assert hours.rounds == [0.0, 3_600.0, 7_200.0, 10_800.0]


def test_that_nothing_is_due_in_the_first_round_is_told() -> None:
    hours = Hours()
    hours.rounds = [0.0]
    with pytest.raises(NothingDue):
        in_rounds(hours.work, ROUND_SECONDS, clock=lambda: hours.now, wait=hours.wait)

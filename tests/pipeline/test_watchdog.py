"""Nothing stalls in silence."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from trasmallo.events import Event, LineChanged, Progress, Waiting
from trasmallo.pipeline.watchdog import Watchdog, clock_time
from trasmallo.values.run_status import HostStatus

STILL = Progress(known=9, waiting=7, obtained=2, failed=0, studied=2, dropped=0, received=10)
HOSTS = [
    HostStatus(host="http://b.test", queued=5, reason="rests (delay of 90 s)", until=2_000.0),
    HostStatus(host="http://a.test", queued=1, reason="asked us to wait (Retry-After)", until=1_500.0),
    HostStatus(host="http://c.test", queued=1, reason="is being asked", leased=True),
]
LINE = LineChanged(line=3, state="downloading", url="http://c.test/x", since=900.0)


class Kennel:
    """A watchdog with a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.heard: list[Event] = []
        self.dog = Watchdog(self.heard.append, clock=lambda: self.now)

    def look(self, seconds: float, progress: Progress = STILL, *, reading: bool = False, **seen: Any) -> None:
        self.now += seconds
        self.dog.look(progress, seen.get("lines", []), seen.get("hosts", []), reading=reading)


@pytest.fixture
def kennel() -> Kennel:
    kennel = Kennel()
    kennel.look(0)
    return kennel


def test_a_stall_is_told_once_with_everything_that_is_waited_for(kennel: Kennel) -> None:
    kennel.look(9.9, lines=[LINE], hosts=HOSTS)
    assert kennel.heard == []
    for _ in range(5):
        kennel.look(1.0, lines=[LINE], hosts=HOSTS)
    (told,) = kennel.heard
    assert told == Waiting(
        cause=f"line 3 downloads http://c.test/x since {clock_time(900)}; "
        f"http://a.test asked us to wait (Retry-After) until {clock_time(1_500)}, 1 addresses wait; "
        f"http://b.test rests (delay of 90 s) until {clock_time(2_000)}, 5 addresses wait",
        until=1_500.0,
    )
    assert kennel.dog.cause == told.cause


def test_what_moves_is_no_stall(kennel: Kennel) -> None:
    for number in range(30):
        kennel.look(5.0, msgspec.structs.replace(STILL, failed=number), hosts=HOSTS)
        kennel.look(5.0, lines=[msgspec.structs.replace(LINE, received=number + 1)])
    assert kennel.heard == []


def test_after_a_stall_everything_begins_anew(kennel: Kennel) -> None:
    kennel.look(11.0, hosts=HOSTS[:1])
    kennel.look(1.0, msgspec.structs.replace(STILL, obtained=3))
    assert kennel.dog.cause == ""
    kennel.look(11.0, msgspec.structs.replace(STILL, obtained=3), hosts=HOSTS[:1])
    assert len(kennel.heard) == 2


def test_many_are_counted_and_readers_named(kennel: Kennel) -> None:
    lines = [msgspec.structs.replace(LINE, line=number) for number in range(5)]
    kennel.look(11.0, msgspec.structs.replace(STILL, studied=0), lines=lines, hosts=HOSTS[:1] * 7, reading=True)
    kennel.look(11.0, msgspec.structs.replace(STILL, studied=0), lines=lines, hosts=HOSTS[:1] * 7, reading=True)
    (told,) = kennel.heard
    assert isinstance(told, Waiting)
    assert "2 more lines download" in told.cause
    assert "4 more hosts wait" in told.cause
    assert told.cause.endswith("2 documents are being read")


def test_even_what_cannot_be_explained_is_told(kennel: Kennel) -> None:
    kennel.look(11.0)
    (told,) = kennel.heard
    assert isinstance(told, Waiting)
    assert told.cause.startswith("nobody knows what for")

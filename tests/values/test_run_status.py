"""The status of a run, as it is written down and read again."""

from __future__ import annotations

import msgspec

from trasmallo.values.model import Outcome
from trasmallo.values.run_status import HostStatus, LineStatus, PageInReading, RunCounts, RunStatus

STATUS = RunStatus(
    at=3.0,
    counts=RunCounts(known=7, obtained=2),
    lines=(LineStatus(line=1, state="downloading", url="http://a.es/", received=5),),
    hosts=(HostStatus(host="http://a.es", queued=4, reason="rests", last_outcome=Outcome.FETCHED),),
    waiting="for long",
    paused=True,
    reading=(PageInReading("http://a.es/x", 2.0, 3),),
)


def test_it_comes_back_as_written() -> None:
    assert msgspec.json.decode(msgspec.json.encode(STATUS), type=RunStatus) == STATUS


def test_what_an_earlier_version_wrote_is_understood() -> None:
    old = {"at": 1.0, "counts": {"obtained": 5}, "lines": [{"line": 1, "state": "ready", "more": 1}], "hosts": []}
    status = msgspec.json.decode(msgspec.json.encode(old), type=RunStatus)
    assert (status.counts.obtained, status.lines[0].state, status.reading) == (5, "ready", ())

"""The status of a run, as it is written down and read again."""

from __future__ import annotations

import msgspec

from trasmallo.values.model import Outcome
from trasmallo.values.run_status import (
    HostStatus,
    LineStatus,
    PageInReading,
    RunCounts,
    RunStatus,
    addresses_left,
    count_run,
)

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


def test_counts_add_up() -> None:
    outcomes = {Outcome.FETCHED: 5, Outcome.UNCHANGED: 1, Outcome.REDIRECTED: 2, Outcome.MISSING: 3}
    outcomes |= {Outcome.ROBOTS: 4, Outcome.TLS: 0}
    pages = {"": 4, "no text": 1, "damaged in the archive": 0}
    counts = count_run(outcomes=outcomes, known=20, waiting=5, received=9, pages=pages, copies=1)
    assert (counts.asked, counts.obtained, counts.failed, counts.refused, counts.known) == (15, 6, 3, 4, 20)
    assert (counts.studied, counts.dropped, counts.pages) == (3, 2, 5)
    assert counts.drops == {"copy of another document": 1, "no text": 1}
    assert "no secure connection" not in counts.outcomes


def test_what_was_asked_for_since_the_counts_were_told_waits_no_more() -> None:
    told = RunCounts(known=20, waiting=6, outcomes={"fetched": 13, "timed out": 2})
    assert addresses_left(told, 15) == (20, 6), "one is to be tried again"
    assert addresses_left(told, 18) == (20, 3)
    assert addresses_left(told, 25) == (25, 1)
    assert addresses_left(RunCounts(known=100, waiting=4), 90) == (94, 4), "known had another meaning"

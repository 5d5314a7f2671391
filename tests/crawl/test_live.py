"""Why a host waits, in words."""

from __future__ import annotations

import pytest

from trasmallo.crawl.frontier import HostState
from trasmallo.crawl.live import Manners, describe_host, describe_process, state_after
from trasmallo.values.model import Outcome
from trasmallo.values.run_status import AgentStatus, LineStatus

NOW = 100.0


@pytest.mark.parametrize(
    ("due", "leased", "manners", "reason", "until"),
    [
        (0.0, True, Manners(1, 1, at_work=True), "is being asked", 0.0),
        (0.0, True, Manners(1, 1), "what it brought is being kept", 0.0),
        (110.0, False, Manners(1, 1, 2, held_until=105.0), "asked us to wait (Retry-After)", 110.0),
        (110.0, False, Manners(1, 1, blocks=2, held_until=105.0), "asked 2 times in a row to be left alone", 110.0),
        (110.0, False, Manners(1, 5, 2), "backs off after 2 failures in a row", 110.0),
        (110.0, False, Manners(1, 5), "rests (Crawl-delay of 5 s)", 110.0),
        (110.0, False, Manners(1, 1), "rests (delay of 1 s)", 110.0),
        (110.0, False, Manners(1, 1, machine_until=110.01), "its machine rests", 110.0),
        (90.0, False, Manners(1, 1, machine_until=101.0), "its machine rests", 101.0),
        (90.0, False, Manners(1, 1, rules_known=False), "its robots.txt is to be asked for first", 0.0),
        (90.0, False, Manners(1, 1, again_at=400.0, free=True), "what failed is tried again later", 400.0),
        (90.0, False, Manners(1, 1, again_at=400.0), "waits for a free line", 0.0),
        (90.0, False, Manners(1, 1, 1, held_until=99.0, again_at=99.0, free=True), "waits for a free line", 0.0),
    ],
)
def test_reasons(due: float, leased: bool, manners: Manners, reason: str, until: float) -> None:
    found = describe_host(HostState("http://a.test", 3, due, leased, Outcome.FETCHED), manners, NOW)
    assert (found.reason, found.until) == (reason, until)
    assert (found.host, found.queued, found.leased, found.last_outcome) == ("http://a.test", 3, leased, Outcome.FETCHED)


def test_a_line_is_in_one_of_the_states_that_people_know() -> None:
    known = {"finished", "redirected", "refused", "address failed", "retrieval failed", "no server", "log-in needed"}
    assert {state_after(outcome) for outcome in Outcome} == known
    finished = {outcome for outcome in Outcome if state_after(outcome) == "finished"}
    assert finished == {outcome for outcome in Outcome if outcome.obtained} | {Outcome.OFF_TOPIC}, "that came, and is left out"


def test_a_process_is_at_the_host_that_it_has_asked_for_the_longest() -> None:
    lines = [
        LineStatus(line=1, state="finished", url="http://c.es/1", since=9.0),
        LineStatus(line=2, state="downloading", url="http://b.es/1", since=8.0),
        LineStatus(line=3, state="keeping", url="http://a.es/1", since=7.0),
    ]
    assert describe_process(5, lines) == AgentStatus(process=5, work="fetching", what="http://a.es", since=7.0, more=1)
    assert describe_process(5, lines[:1]) == AgentStatus(process=5, work="waiting", since=9.0)
    assert describe_process(5, []) == AgentStatus(process=5, work="waiting")

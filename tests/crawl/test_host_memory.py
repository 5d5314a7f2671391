"""What one worker knew of a host is known to the next: rules, troubles, and what it brought."""

from __future__ import annotations

from trasmallo.config import CrawlConfig
from trasmallo.crawl.crawl_limits import HostLimits
from trasmallo.crawl.host_memory import HostMemory
from trasmallo.crawl.host_rests import HostRests
from trasmallo.crawl.ip_politeness import IpPoliteness
from trasmallo.values.model import Fetch, Outcome, Response

HOST = "http://a.example"
CONFIG = CrawlConfig(pages_per_host=2)


class Rules:
    agent = "trasmallo"


def knowledge() -> tuple[HostMemory, HostRests, HostLimits]:
    return HostMemory(), HostRests(CONFIG, Rules(), IpPoliteness(0.0), lambda: 100.0), HostLimits(CONFIG)  # type: ignore[arg-type]


def test_what_is_known_of_a_host_is_handed_over_once() -> None:
    memory, rests, limits = knowledge()
    content = b"User-agent: *\nDisallow: /no\n"
    memory.note_rules(HOST, Response(HOST + "/robots.txt", 50.0, 200, "OK", (), content, content, address="9.9.9.9"))
    rests.count_trouble(HOST)
    for _ in range(2):
        limits.count(HOST, Fetch(HOST + "/", 1.0, Outcome.FETCHED, size=10))
    state = memory.pack(HOST, rests, limits)
    assert state
    assert memory.pack(HOST, rests, limits) == b"", "it was told"

    other, other_rests, other_limits = knowledge()
    other.restore(HOST, state, other_rests, other_limits)
    rules = other.recall_rules(HOST)
    assert rules is not None
    assert (rules.content, rules.status, rules.at, rules.address) == (content, 200, 50.0, "9.9.9.9")
    assert other.recall_rules(HOST) is None, "once"
    assert other_rests.is_troubled(HOST)
    assert "2 pages" in other_limits.refuses(HOST, 100.0)
    assert other.pack(HOST, other_rests, other_limits) == b"", "nothing is new"


def test_a_host_that_is_left_alone_stays_so_and_nonsense_is_forgotten() -> None:
    memory, rests, limits = knowledge()
    rests.restore(HOST, 0, 5)
    state = memory.pack(HOST, rests, limits)
    other, other_rests, other_limits = knowledge()
    other.restore(HOST, b"\xff\x00", other_rests, other_limits)
    assert not other_rests.leaves_alone(HOST)
    other.restore(HOST, state, other_rests, other_limits)
    assert other_rests.leaves_alone(HOST)
    other_rests.end_trouble(HOST)
    assert not other_rests.leaves_alone(HOST)

"""What the hall and crawling processes say to each other."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import Plan, Standing
from trasmallo.crawl.workers.messages import (
    Allow,
    Answer,
    End,
    Ended,
    Leave,
    Letter,
    Links,
    NewScope,
    Report,
    Settled,
    Start,
    State,
    decode_answer,
    decode_letter,
    pack,
    unpack,
)
from trasmallo.events import Failed, Fetched, LineChanged
from trasmallo.values.errors import StoreFull
from trasmallo.values.model import Fetch, Locator, Outcome, Target
from trasmallo.values.pipes import HEAD, Trouble, encode
from trasmallo.values.run_status import HostStatus

PLAN = Plan(CrawlConfig(seeds=("http://a.es/",)), "frontier", "traps", "border", "rules", "bot/1", ("a.es", "127.0.0.0/8"))
ROW = Fetch("http://a.es/", 1.5, Outcome.FETCHED, 200, "text/html", "sha1:X", 7, Locator("a.warc.gz", 1, 2))
EVENTS = (
    Fetched(url="http://a.es/", status=200, size=7, media="text/html", digest="sha1:X"),
    Failed(url="http://a.es/b", outcome=Outcome.TIMED_OUT, cause="slow", again_at=3.0),
    LineChanged(line=2, state="waiting"),
)
STATE = State(
    Standing(1, 2, 3, 4, 5),
    6,
    True,
    7,
    True,
    8,
    [HostStatus(host="http://a.es", queued=1, reason="rests", until=2.0, leased=True, last_outcome=Outcome.FETCHED)],
)
TARGETS = [Target("http://b.es/ñ", 1, -2, "http://a.es/", 3), Target("http://b.es/c")]
PACKED = pack([(target.url, target.depth, target.priority, target.via, target.hops) for target in TARGETS])


@pytest.mark.parametrize(
    "letter",
    [
        Start(PLAN, "run", 1, 2, "archive", "catalog", 10**9, limited=True),
        Links(4, PACKED),
        Settled(5),
        Allow(6),
        NewScope(("ñ",), ("/a/*",)),
        End(True),
        Leave(),
    ],
)
def test_letters_come_back(letter: Letter) -> None:
    data = encode(letter)
    assert HEAD.unpack(data[: HEAD.size]) == (len(data) - HEAD.size,)
    assert decode_letter(data[HEAD.size :]) == letter


@pytest.mark.parametrize(
    "answer",
    [
        Report(9, STATE, (ROW,), {0: PACKED}, EVENTS, (1, 2)),
        Report(0, State()),
        Ended(),
        Trouble.of(StoreFull("a {n}", "b", n=1)),
    ],
)
def test_answers_come_back(answer: Answer) -> None:
    assert decode_answer(encode(answer)[HEAD.size :]) == answer


def test_links_arrive_as_they_were_sent() -> None:
    letter = decode_letter(encode(Links(1, PACKED))[HEAD.size :])
    assert isinstance(letter, Links)
    assert unpack(letter.targets) == TARGETS


@pytest.mark.parametrize("said", [b"", b"\x80", b"\xc0", encode(Settled(1))[HEAD.size :], b"\x81\xa4type\xa5Other"])
def test_a_crawling_process_cannot_say_anything_else(said: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_answer(said)

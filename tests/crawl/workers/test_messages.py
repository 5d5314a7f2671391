"""What the coordinator and crawling processes say to each other."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.config import CrawlConfig
from trasmallo.crawl.local_crawl import CrawlCounts, CrawlPlan
from trasmallo.crawl.workers.messages import (
    Allow,
    Dismiss,
    End,
    Ended,
    Links,
    Message,
    NewScope,
    Reply,
    Report,
    Settled,
    Start,
    WorkerState,
    decode_message,
    decode_reply,
    pack,
    unpack,
)
from trasmallo.events import Failed, Fetched, LineChanged
from trasmallo.values.errors import StoreFull
from trasmallo.values.model import Fetch, Locator, Outcome, Target
from trasmallo.values.pipes import HEAD, Trouble, encode
from trasmallo.values.private_places import PrivatePlace
from trasmallo.values.run_status import HostStatus

PLAN = CrawlPlan(
    config=CrawlConfig(seeds=("http://a.es/",)),
    frontier="frontier",
    traps="traps",
    scope_log="border",
    robots="rules",
    software="bot/1",
    private=(PrivatePlace("a.es", 80, addresses=("10.0.0.1",)), PrivatePlace(network="127.0.0.0/8")),
)
ROW = Fetch("http://a.es/", 1.5, Outcome.FETCHED, 200, "text/html", "sha1:X", 7, Locator("a.warc.gz", 1, 2))
EVENTS = (
    Fetched(url="http://a.es/", status=200, size=7, media="text/html", digest="sha1:X"),
    Failed(url="http://a.es/b", outcome=Outcome.TIMED_OUT, cause="slow", again_at=3.0),
    LineChanged(line=2, state="waiting"),
)
STATE = WorkerState(
    counts=CrawlCounts(known=1, waiting=2, obtained=3, failed=4, received=5),
    taken=6,
    idle=True,
    busy=7,
    wants=True,
    returned=8,
    hosts=[HostStatus(host="http://a.es", queued=1, reason="rests", until=2.0, leased=True, last_outcome=Outcome.FETCHED)],
)
TARGETS = [Target("http://b.es/ñ", 1, -2, "http://a.es/", 3, from_public=True), Target("http://b.es/c")]
PACKED = pack([msgspec.structs.astuple(target) for target in TARGETS])


@pytest.mark.parametrize(
    "message",
    [
        Start(plan=PLAN, run="run", worker=1, workers=2, archive="archive", catalog="catalog", roll_at=10**9, limited=True),
        Links(4, PACKED),
        Settled(5),
        Allow(6),
        NewScope(("ñ",), ("/a/*",)),
        End(True),
        Dismiss(),
    ],
)
def test_messages_come_back(message: Message) -> None:
    data = encode(message)
    assert HEAD.unpack(data[: HEAD.size]) == (len(data) - HEAD.size,)
    assert decode_message(data[HEAD.size :]) == message


@pytest.mark.parametrize(
    "answer",
    [
        Report(number=9, state=STATE, rows=(ROW,), links={0: PACKED}, events=EVENTS, safe=(1, 2)),
        Report(number=0, state=WorkerState()),
        Ended(),
        Trouble.of(StoreFull("a {n}", "b", n=1)),
    ],
)
def test_answers_come_back(answer: Reply) -> None:
    assert decode_reply(encode(answer)[HEAD.size :]) == answer


def test_links_arrive_as_they_were_sent() -> None:
    message = decode_message(encode(Links(1, PACKED))[HEAD.size :])
    assert isinstance(message, Links)
    assert unpack(message.targets) == TARGETS


@pytest.mark.parametrize("sent", [b"", b"\x80", b"\xc0", encode(Settled(1))[HEAD.size :], b"\x81\xa4type\xa5Other"])
def test_a_crawling_process_cannot_say_anything_else(sent: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_reply(sent)

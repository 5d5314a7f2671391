"""Pages that are asked for by HEAD first: by what is known of them, and by what their hosts made of it."""

from __future__ import annotations

import base64
import hashlib
from itertools import pairwise

from trasmallo.crawl.head_requests import SMALLEST, HeadRequests, Said, is_seen_whole, unchanged_by_head
from trasmallo.values.model import Failure, Fetch, Outcome, Response

URL = "http://a.es/largo"
BODY = b"x" * SMALLEST
DIGEST = "sha1:" + base64.b32encode(hashlib.sha1(BODY).digest()).decode()
DATE = "Mon, 16 Nov 2026 10:00:00 GMT"


def known(size: int = SMALLEST, etag: str = "", modified: str = "") -> Fetch:
    return Fetch(URL, 1.0, Outcome.FETCHED, 200, digest=DIGEST, size=size, etag=etag, modified=modified)


def answered(status: int = 200, body: bytes = b"", **headers: str) -> Response:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=URL, at=2.0, status=status, reason="", headers=named, body=body, content=body)


def moments(heads: HeadRequests, version: Fetch) -> list[bool]:
    return [heads.is_worth(version, float(second)) for second in range(200)]


def test_only_large_pages_without_validators_that_work_are_looked_at() -> None:
    heads = HeadRequests()
    assert not any(moments(heads, known(size=SMALLEST - 1)))
    assert not any(moments(heads, known(etag='"x"')))
    assert not heads.is_worth(None, 0.0)
    assert 100 < sum(moments(heads, known())) < 190, "where only the length speaks, now and then the page itself is asked for"


def test_a_host_that_does_not_hear_conditions_is_asked_by_head() -> None:
    heads, version = HeadRequests(), known(etag='"x"', modified=DATE)
    heads.learn(version, answered(body=BODY), looked=False)
    assert not any(moments(heads, version)), "once may be chance"
    heads.learn(version, answered(body=BODY), looked=False)
    assert all(moments(heads, version))
    heads.learn(version, answered(304), looked=False)
    assert not any(moments(heads, version))


def test_a_changed_page_says_nothing_of_its_host() -> None:
    heads, version = HeadRequests(), known(etag='"x"')
    for _ in range(9):
        heads.learn(version, answered(body=b"y" * SMALLEST), looked=False)
    assert not any(moments(heads, version))


def test_what_a_head_says() -> None:
    heads, length = HeadRequests(), str(SMALLEST)
    assert heads.read(known(), answered(Content_Length=length)) is Said.SAME
    assert heads.read(known(), answered(Content_Length="7")) is Said.ASK
    assert heads.read(known(modified=DATE), answered(Content_Length=length, Last_Modified=DATE)) is Said.SAME
    assert heads.read(known(modified=DATE), answered(Content_Length=length, Last_Modified=DATE[:-3])) is Said.ASK
    assert heads.read(known(), answered(404)) is Said.ASK
    assert heads.read(known(), answered(503)) is Said.LATER
    assert heads.read(known(), Failure(URL, 1.0, Outcome.TIMED_OUT, "")) is Said.LATER
    assert any(moments(heads, known()))


def test_a_host_that_refuses_head_or_says_nothing_is_asked_no_more_so() -> None:
    for useless in (answered(405), answered(501), answered(), answered(Content_Length="0")):
        heads = HeadRequests()
        assert heads.read(known(), useless) is Said.ASK
        assert not any(moments(heads, known()))


def test_a_host_whose_heads_are_wrong_is_asked_no_more_so() -> None:
    heads = HeadRequests()
    heads.learn(known(), answered(body=BODY), looked=True)
    assert not any(moments(heads, known()))


def test_the_judgement_names_what_it_rests_on() -> None:
    assert unchanged_by_head(known()).cause == "asked by HEAD: its length is as before"
    assert unchanged_by_head(known(modified=DATE)).cause == "asked by HEAD: its length and date are as before"


def seen_whole(days: float, visits: int) -> float:
    """The share of visits so many days apart that ask for the page whole."""
    times = [days * 86_400.0 * number for number in range(visits + 1)]
    seen = [is_seen_whole(Fetch(URL, before, Outcome.UNCHANGED, 304), now) for before, now in pairwise(times)]
    return sum(seen) / visits


def test_a_page_is_seen_whole_at_times_whatever_its_server_says_of_it() -> None:
    heads, version = HeadRequests(), known(etag='"x"', modified=DATE)
    assert heads.conditions(None, 5.0) == {}
    assert heads.conditions(version, 2.0) == {"If-None-Match": '"x"', "If-Modified-Since": DATE}
    late = [Fetch(URL, float(at), Outcome.FETCHED, etag='"x"') for at in range(400)]
    asked = [heads.conditions(each, 86_400.0 * 90) for each in late]
    assert 10 < asked.count({}) < 45, "one visit in sixteen at most"


def test_how_often_a_page_is_seen_whole_goes_by_time_and_not_by_visits() -> None:
    daily, hourly = seen_whole(1, 6_400), seen_whole(1 / 24, 64_000)
    assert 0.01 < daily < 0.022
    assert 0.01 < 24 * hourly < 0.022
    assert 0.05 < seen_whole(400, 6_400) < 0.075
    assert seen_whole(0, 100) == 0


def test_a_page_that_is_to_be_seen_whole_is_not_asked_for_by_head() -> None:
    versions = [Fetch(URL, float(at), Outcome.FETCHED, 200, digest=DIGEST, size=SMALLEST, modified=DATE) for at in range(400)]
    heads, now = HeadRequests(), 86_400.0 * 90
    for version in versions[:2]:
        heads.learn(version, answered(body=BODY), looked=False)
    assert [heads.is_worth(each, now) for each in versions] == [not is_seen_whole(each, now) for each in versions]

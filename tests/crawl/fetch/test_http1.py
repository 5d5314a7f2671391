from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.fetch.http1 import ResponseParser, parse_head
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.model import Outcome

LIMITS = RequestLimits(header_bytes=2000, body_bytes=5000, wire_bytes=50_000)
OK = b"HTTP/1.1 200 OK\r\n"


def read(data: bytes, *, end: bool = False, bodiless: bool = False, limits: RequestLimits = LIMITS) -> ResponseParser:
    answer = ResponseParser(limits, bodiless=bodiless)
    whole = answer.feed(data)
    if end:
        assert not whole
        answer.end()
    else:
        assert whole
    return answer


def misfortune(data: bytes, *, end: bool = False) -> Misfortune:
    with pytest.raises(Misfortune) as caught:
        read(data, end=end)
    return caught.value


def chunk(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


CORPUS = [
    OK + b"Content-Length: 4\r\nX: y\r\n\r\nhola",
    OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunk(b"hola", b" ", b"mundo" * 50),
    OK + b"Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok",
    b"\r\nHTTP/1.0 404 Not Found\nContent-Length: 3\n\nabc",
    b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
]


@given(st.sampled_from(CORPUS), st.lists(st.integers(0, 400), max_size=12))
def test_it_does_not_matter_how_an_answer_is_cut_into_pieces(data: bytes, cuts: list[int]) -> None:
    at_once = read(data)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    answer = ResponseParser(LIMITS)
    done = [answer.feed(data[a:b]) for a, b in pairwise(places) if b > a]
    assert done == [False] * (len(done) - 1) + [True]
    assert (answer.status, answer.headers, answer.body) == (at_once.status, at_once.headers, at_once.body)
    assert (answer.reusable, answer.received) == (at_once.reusable, len(data))


@given(st.binary(max_size=300), st.booleans())
def test_whatever_comes_ends_as_an_answer_or_a_misfortune(junk: bytes, framed: bool) -> None:
    answer = ResponseParser(LIMITS)
    try:
        if not answer.feed(OK + b"Transfer-Encoding: chunked\r\n" + junk if framed else b"HTTP/1.1 " + junk):
            answer.end()
    except Misfortune as found:
        assert found.outcome in (Outcome.BROKEN, Outcome.TOO_LARGE)


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=15))
def test_chunks_are_joined(pieces: list[bytes]) -> None:
    assert read(OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunk(*pieces)).body == b"".join(pieces)


def test_heads_are_read_as_browsers_do() -> None:
    head = b"HTTP/1.1 200 Muy bien\r\nNo colon here\r\n: no name\r\nA : 1\r\nB:\tEspa\xf1a \r\n"
    head += b"C: one\r\n  two\r\nD: x\x01\ry\r\nA:2"
    assert parse_head(head) == (11, 200, "Muy bien", (("A", "1"), ("B", "España"), ("C", "one two"), ("D", "x  y"), ("A", "2")))


@pytest.mark.parametrize(
    ("line", "version", "status", "reason"),
    [
        (b"HTTP/1.1 200", 11, 200, ""),
        (b"HTTP/1.0 999 Odd", 10, 999, "Odd"),
        (b"HTTP/2 200 OK", 11, 200, "OK"),
        (b"HTTP/1.1  200   OK", 11, 200, "OK"),
    ],
)
def test_status_lines(line: bytes, version: int, status: int, reason: str) -> None:
    assert parse_head(line) == (version, status, reason, ())


@pytest.mark.parametrize("line", [b"HTTP/1.1 20 OK", b"HTTP/1.1", b"HTTP/1.1 abc", b"HTTP/1.1 2000 OK", b"HTTP/x 200 OK"])
def test_status_lines_that_are_none(line: bytes) -> None:
    assert misfortune(line + b"\r\n\r\n").outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    ("data", "reusable"),
    [
        (OK + b"Content-Length: 0\r\n\r\n", True),
        (OK + b"Content-Length: 0\r\nConnection: Upgrade, Close\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n", True),
        (OK + b"Content-Length: 0\r\n\r\nHTTP/1.1", False),
        (OK + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", False),
        (b"HTTP/1.1 204 No Content\r\n\r\nbody", False),
    ],
)
def test_when_a_connection_can_be_used_again(data: bytes, reusable: bool) -> None:
    assert read(data).reusable is reusable


@pytest.mark.parametrize(
    "headers",
    [b"", b"Content-Length: lots\r\n", b"Content-Length: -1\r\n", b"Transfer-Encoding: rot13\r\nContent-Length: 1\r\n"],
)
def test_bodies_that_end_with_the_connection(headers: bytes) -> None:
    answer = read(OK + headers + b"\r\nhola", end=True)
    assert (answer.body, answer.reusable) == (b"hola", False)


def test_what_has_no_body() -> None:
    assert read(OK + b"Content-Length: 100\r\n\r\n", bodiless=True).body == b""
    assert read(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n").reusable
    assert read(OK + b"Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nhola").body == b"hola"


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"<html>", "the answer is not HTTP"),
        (b"\x16\x03\x01", "the answer is not HTTP"),
        (OK + b"X: a\0b\r\n\r\n", "a NUL character in the headers"),
        (OK + b"Content-Length: 3, 4\r\n\r\n", "the headers promise two different lengths"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\n", "the size of a chunk is not written as HTTP does"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n\r\n", "the size of a chunk is not written as HTTP does"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhola\r\n", "a chunk is longer than it says"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, "the size of a chunk is not written as HTTP does"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "the server switches to another protocol"),
    ],
)
def test_broken_answers(data: bytes, cause: str) -> None:
    found = misfortune(data)
    assert (found.outcome, found.cause) == (Outcome.BROKEN, cause)


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (OK + b"Content", "the connection ended within the headers"),
        (OK + b"Content-Length: 9\r\n\r\nhola", "the connection ended after 4 of 9 bytes"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nhola", "the connection ended within a chunk, after 4 bytes"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhola\r\n0\r\n", "the connection ended within a chunk, after 4 bytes"),
    ],
)
def test_answers_that_end_too_early(data: bytes, cause: str) -> None:
    found = misfortune(data, end=True)
    assert (found.outcome, found.cause) == (Outcome.BROKEN, cause)


@pytest.mark.parametrize(
    "data",
    [
        OK + b"X: " + b"a" * 2000,
        OK + b"X: a\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100,
        OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: trailer\r\n" * 300,
        OK + b"Content-Length: 5001\r\n\r\n",
        OK + b"Content-Length: " + b"9" * 1900 + b"\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n1389\r\n",
        OK + b"\r\n" + b"x" * 5001,
        OK + b"Content-Encoding: gzip\r\n\r\n" + b"x" * 50_000,
    ],
)
def test_answers_that_are_too_large(data: bytes) -> None:
    assert misfortune(data).outcome is Outcome.TOO_LARGE


def test_a_compressed_body_may_use_the_whole_wire() -> None:
    answer = read(OK + b"Content-Encoding: gzip\r\nContent-Length: 6000\r\n\r\n" + b"x" * 6000)
    assert (answer.coding, answer.loaded, answer.expected) == ("gzip", 6000, 6000)


def test_too_many_chunks_are_too_much_work() -> None:
    limits = RequestLimits()
    with pytest.raises(Misfortune, match="chunks"):
        read(OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\na\n" * 100_001, limits=limits)

"""Bytes of strangers in bounded memory."""

from __future__ import annotations

import gzip
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.stream import BrokenError, ByteStream


@given(st.lists(st.binary(max_size=200), max_size=4), st.integers(1, 50))
def test_gzip_members_read_as_the_bytes_they_hold(members: list[bytes], step: int) -> None:
    plain, packed = b"".join(members), b"".join(map(gzip.compress, members))
    stream = ByteStream(io.BytesIO(packed))
    assert b"".join(iter(lambda: stream.take(step), b"")) == plain
    assert stream.position == len(plain)


def test_what_is_peeked_at_is_not_taken() -> None:
    stream = ByteStream(io.BytesIO(b"abc"))
    assert (stream.peek(), stream.position, stream.take(2), stream.peek()) == (b"abc", 0, b"ab", b"c")
    assert stream.skip(1)
    assert not stream.skip(1)
    assert stream.peek() == b""


def test_lines_end_at_their_line_feed_or_are_refused() -> None:
    stream = ByteStream(io.BytesIO(b"one\ntwo\n" + b"x" * 100_000))
    assert (stream.line(10), stream.line(10)) == (b"one\n", b"two\n")
    with pytest.raises(BrokenError, match="a line without end"):
        stream.line(10)


def test_a_mark_across_two_reads_is_found_and_only_some_bytes_are_kept() -> None:
    filling = b"x" * ((1 << 16) - 2)
    stream = ByteStream(io.BytesIO(filling + b"</doc>rest"))
    passage = stream.through(re.compile(b"</doc>"), 6, 10)
    assert (passage.data, passage.size, passage.found) == (b"x" * 10, len(filling) + 6, True)
    assert stream.take(10) == b"rest"
    assert not stream.through(re.compile(b"</doc>"), 6, 10).found


def test_padding_after_the_last_member_is_no_damage() -> None:
    assert ByteStream(io.BytesIO(gzip.compress(b"a") + bytes(100))).take(9) == b"a"


DAMAGED = gzip.compress(b"b", mtime=0)[:10] + b"\xff" * 60


@pytest.mark.parametrize(
    ("data", "why"),
    [(gzip.compress(b"a" * 999, mtime=0)[:-9], "ends too early"), (gzip.compress(b"a", mtime=0) + DAMAGED, "damaged")],
)
def test_sound_bytes_are_given_before_the_damage_is_told(data: bytes, why: str) -> None:
    stream = ByteStream(io.BytesIO(data))
    assert stream.take(1) == b"a"
    with pytest.raises(BrokenError, match=why):
        stream.take(10_000)

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable
from functools import partial

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.content_encodings import Bomb, decode

LIMIT = 1_000_000
ZEROS = bytes(50_000_000)


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw": ("deflate", _raw_deflate),
    "brotli": ("br", partial(brotli.compress, quality=4)),
    "zstd": ("zstd", zstandard.compress),
}
each_coding = pytest.mark.parametrize(("label", "encode"), ENCODERS.values(), ids=ENCODERS)
LONG = b"".join(b"%d texto de ejemplo " % (i * i) for i in range(20_000))


@given(st.sampled_from(sorted(ENCODERS)), st.binary(max_size=2000), st.integers(1, 50))
def test_what_was_compressed_comes_back(name: str, data: bytes, times: int) -> None:
    label, encode = ENCODERS[name]
    assert decode(encode(data * times), label, LIMIT) == data * times


@each_coding
def test_long_bodies_come_back(label: str, encode: Callable[[bytes], bytes]) -> None:
    long = bytes(random.Random(1).choices(range(256), k=300_000)) + LONG
    assert decode(encode(long), label, LIMIT) == long


@each_coding
def test_the_limit_is_exact_and_bombs_stop_there(label: str, encode: Callable[[bytes], bytes]) -> None:
    assert decode(encode(LONG), label, len(LONG)) == LONG
    with pytest.raises(Bomb):
        decode(encode(LONG), label, len(LONG) - 1)
    with pytest.raises(Bomb):
        decode(encode(ZEROS), label, LIMIT)


def test_a_bomb_inside_a_bomb() -> None:
    with pytest.raises(Bomb):
        decode(gzip.compress(gzip.compress(ZEROS)), "gzip, gzip", LIMIT)


@each_coding
def test_a_wrong_label_leaves_the_body(label: str, encode: Callable[[bytes], bytes]) -> None:
    page = b"<!doctype html><p>never compressed</p>"
    assert decode(page, label, LIMIT) == page
    assert decode(page * 3000, label, LIMIT) == page * 3000


@each_coding
def test_what_came_before_the_end_or_the_damage_is_kept(label: str, encode: Callable[[bytes], bytes]) -> None:
    packed = encode(LONG)
    cut = decode(packed[: len(packed) * 3 // 4], label, LIMIT)
    assert len(cut) > len(LONG) // 2
    assert LONG.startswith(cut)
    middle = len(packed) // 2
    damaged = decode(packed[:middle] + bytes(1000) + packed[middle + 1000 :], label, LIMIT)
    assert damaged[:50_000] == LONG[:50_000]


def test_gzip_members_in_a_row_are_one_and_junk_after_them_is_ignored() -> None:
    assert decode(gzip.compress(b"a") + gzip.compress(b"b") * 3 + b"junk", "gzip", LIMIT) == b"abbb"


def test_a_million_empty_members_are_not_followed() -> None:
    assert decode(gzip.compress(b"") * 100_000 + gzip.compress(b"late"), "gzip", LIMIT) == b""


@pytest.mark.parametrize("label", ["snake-oil", "gzip, snake-oil", "utf-8", "gzip," * 5])
def test_unknown_codings_leave_the_body(label: str) -> None:
    packed = gzip.compress(b"text")
    assert decode(packed, label, LIMIT) == packed


@pytest.mark.parametrize("label", ["", "identity", " , ", "Identity"])
def test_no_coding_at_all(label: str) -> None:
    assert decode(b"text", label, LIMIT) == b"text"


@pytest.mark.parametrize("label", ["", "identity", "snake-oil", "gzip", "br, gzip"])
def test_what_is_left_as_it_is_has_the_same_limit(label: str) -> None:
    assert decode(b"x" * LIMIT, label, LIMIT) == b"x" * LIMIT
    with pytest.raises(Bomb):
        decode(b"x" * (LIMIT + 1), label, LIMIT)


def test_several_codings_are_undone_from_the_last() -> None:
    packed = zstandard.compress(brotli.compress(gzip.compress(LONG)))
    assert decode(packed, "X-GZIP, identity, br, ZSTD", LIMIT) == LONG


@given(st.sampled_from(("gzip", "deflate", "br", "zstd", "gzip, br")), st.binary())
def test_nothing_that_comes_breaks_it(label: str, body: bytes) -> None:
    assert isinstance(decode(body, label, LIMIT), bytes)


def test_an_empty_body_is_empty() -> None:
    assert decode(b"", "gzip", LIMIT) == b""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.codings import Content, decode

PACKERS = {
    "gzip": gzip.compress,
    "X-GZIP": lambda data: gzip.compress(data[:5]) + gzip.compress(data[5:]),
    "deflate": zlib.compress,
    "Deflate": lambda data: zlib.compress(data, 6, -15),
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "identity": bytes,
    "": bytes,
}


@given(data=st.binary(max_size=2000), name=st.sampled_from(sorted(PACKERS)))
def test_what_was_packed_is_unpacked(data: bytes, name: str) -> None:
    assert decode(PACKERS[name](data), name, 2000) == Content(data)


@pytest.mark.parametrize("name", ["gzip", "X-GZIP", "deflate", "Deflate", "br", "zstd"])
def test_a_bomb_is_refused_as_a_value(name: str) -> None:
    bomb = PACKERS[name](bytes(2_000_000))
    assert decode(bomb, name, 1000) == Content(b"", "unpacks to more than 1000 bytes", too_large=True)
    assert decode(PACKERS[name](bytes(1000)), name, 1000) == Content(bytes(1000))


def test_layers_are_undone_from_the_outermost() -> None:
    assert decode(brotli.compress(gzip.compress(b"text")), "gzip, br", 100) == Content(b"text")
    assert decode(b"text", "gzip,gzip,gzip,gzip", 100) == Content(b"text", "too many content codings")


@pytest.mark.parametrize("name", ["gzip", "deflate", "br"])
def test_a_cut_body_gives_what_there_is(name: str) -> None:
    data = bytes(range(256)) * 40
    content = decode(PACKERS[name](data)[:-6], name, 100_000)
    assert data.startswith(content.data)
    assert content.problem == f"{name} ends too early"


def test_a_wrong_label_leaves_the_body() -> None:
    assert decode(b"<html>", "gzip", 100) == Content(b"<html>", "not gzip although the server says so")
    assert decode(b"<html>", "compress", 100) == Content(b"<html>", "unknown content coding compress")


@given(body=st.binary(max_size=300), names=st.lists(st.sampled_from(sorted(PACKERS)), max_size=4))
def test_hostile_bodies_never_raise(body: bytes, names: list[str]) -> None:
    content = decode(body, ",".join(names), 1000)
    assert len(content.data) <= 1000

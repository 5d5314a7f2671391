from __future__ import annotations

import bz2
import lzma
import zlib

import pytest

from trasmallo.crawl.files.seven_zip_coders import Coder, Folder, SevenZipError, unpack

TEXT = b"la red y el mar " * 5_000
LZMA1 = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2}
LZMA = Coder(b"\x03\x01\x01", b"\x5d\x00\x00\x01\x00")


def packed(octets: bytes, *coders: Coder, most: int = 1_000_000) -> bytes:
    return unpack(b"??" + octets, Folder(2, len(octets), list(coders), len(TEXT)), most)


def raw(filters: list[dict[str, int]]) -> bytes:
    return lzma.compress(TEXT, lzma.FORMAT_RAW, filters=filters)


@pytest.mark.parametrize(
    ("octets", "coder"),
    [
        (TEXT, Coder(b"\0", b"")),
        (bz2.compress(TEXT), Coder(b"\x04\x02\x02", b"")),
        (zlib.compress(TEXT)[2:-4], Coder(b"\x04\x01\x08", b"")),
        (raw([LZMA1]), LZMA),
        (raw([{"id": lzma.FILTER_LZMA2, "preset": 1}]), Coder(b"\x21", b"\x18")),
    ],
    ids=["copy", "bzip2", "deflate", "lzma", "lzma2"],
)
def test_each_coder(octets: bytes, coder: Coder) -> None:
    assert packed(octets, coder) == TEXT
    assert packed(octets, coder, most=10) == TEXT[:10]
    assert packed(octets, coder, most=0) == b""


def test_a_window_of_four_gigabytes_takes_no_more_memory_than_its_result() -> None:
    assert packed(raw([LZMA1]), Coder(LZMA.method, b"\x5d\xff\xff\xff\xff"), most=100) == TEXT[:100]
    two = raw([{"id": lzma.FILTER_LZMA2, "preset": 1}])
    assert packed(two, Coder(b"\x21", b"\x28"), most=100) == TEXT[:100]


def test_a_filter_follows_its_coder() -> None:
    delta = [{"id": lzma.FILTER_DELTA, "dist": 2}, {"id": lzma.FILTER_LZMA2, "preset": 1}]
    assert packed(raw(delta), Coder(b"\x21", b"\x18"), Coder(b"\x03", b"\x01")) == TEXT


@pytest.mark.parametrize(
    ("octets", "coders", "cause"),
    [
        (b"", [Coder(b"\x06\xf1\x07\x01", b""), LZMA], "encrypted"),
        (b"", [Coder(b"\x04\xf7\x11\x01", b"")], "not read .04f71101"),
        (bz2.compress(TEXT), [LZMA, LZMA], "several times"),
        (b"nonsense" * 9, [LZMA], "damaged"),
        (b"nonsense" * 9, [Coder(LZMA.method, b"")], "damaged"),
        (b"\xff" * 9, [Coder(LZMA.method, b"\xff" * 5)], "damaged"),
        (b"nonsense" * 9, [Coder(b"\x04\x01\x08", b"")], "damaged"),
        (b"nonsense" * 9, [Coder(b"\x04\x02\x02", b"")], "damaged"),
    ],
)
def test_what_cannot_be_unpacked_is_told(octets: bytes, coders: list[Coder], cause: str) -> None:
    with pytest.raises(SevenZipError, match=cause):
        packed(octets, *coders)

"""Archives of 7z, made by the format's own program (see tests/golden/archives)."""

from __future__ import annotations

import random
import struct
import zlib
from pathlib import Path

import pytest

from trasmallo.crawl.files.seven_zip import SIGNATURE, SevenZip
from trasmallo.crawl.files.seven_zip_coders import SevenZipError

ARCHIVES = Path(__file__).parents[2] / "golden" / "archives"
READ = [  # what the program packs by such and such coders
    "arm-lzma",
    "bzip2",
    "copy",
    "deflate",
    "delta-lzma",
    "lzma",
    "lzma2",
    "one-by-one",
    "plain-list",
    "x86-lzma",
    "x86-lzma2",
]
TEXTS = {"uno.txt": b"uno " * 500, "sub/ñandú.txt": "ñandú\n".encode(), "empty.txt": b""}


def archive(name: str) -> bytes:
    return (ARCHIVES / f"{name}.7z").read_bytes()


@pytest.mark.parametrize("name", READ)
def test_files_are_what_was_packed(name: str) -> None:
    packed = SevenZip(archive(name), 1_000_000)
    found = {entry.name: packed.read(entry) for entry in packed.entries}
    program = found.pop("program")
    assert (found, len(program), zlib.crc32(program)) == (TEXTS, 3_000, 0x945A10E2)


@pytest.mark.parametrize(
    ("name", "cause"), [("ppmd", "not read .030401"), ("four-streams", "not read .0303011b"), ("encrypted", "encrypted")]
)
def test_files_that_cannot_be_had_are_listed(name: str, cause: str) -> None:
    packed = SevenZip(archive(name), 1_000_000)
    assert {entry.name for entry in packed.entries} == {"program", *TEXTS}
    for entry in packed.entries:
        if entry.size:
            with pytest.raises(SevenZipError, match=cause):
                packed.read(entry)


def test_a_list_that_is_encrypted_is_told() -> None:
    with pytest.raises(SevenZipError, match="encrypted"):
        SevenZip(archive("encrypted-names"), 1_000_000)


def test_no_more_is_unpacked_than_is_wanted() -> None:
    packed = SevenZip(archive("lzma"), 3_100)
    known = {entry.name: entry for entry in packed.entries}
    assert len(packed.read(known["program"])) == 3_000
    with pytest.raises(SevenZipError, match="more than 3,100 bytes"):
        packed.read(known["uno.txt"])
    assert packed.unpacked == 3_100


def test_a_damaged_folder_is_unpacked_once() -> None:
    whole = archive("plain-list")
    packed = SevenZip(whole[:32] + b"\xff" * 2_800 + whole[2_832:], 1_000_000)
    for entry in packed.entries:
        if entry.size:
            with pytest.raises(SevenZipError, match="damaged"):
                packed.read(entry)
    assert packed.unpacked == 5_008, "its work counts, and is not done again for each of its files"


def headed(listed: bytes) -> bytes:
    start = struct.pack("<QQL", 0, len(listed), zlib.crc32(listed))
    return SIGNATURE + b"\0\4" + struct.pack("<L", zlib.crc32(start)) + start + listed


def test_an_archive_of_nothing() -> None:
    assert SevenZip(headed(b""), 100).entries == []


@pytest.mark.parametrize(
    "listed",
    [
        b"\x01",
        b"\x02\x00",
        b"\x01\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff",  # files beyond number
        b"\x01\x05\x03\x00\x00",  # files with octets, and nothing packed
        b"\x01\x04\x07\x0b\x01\x00\x05",  # a folder that ends early
        b"\x01\x04\x07\x0b\x01\x00\x02\x01\x00\x01\x00\x00\x00\x01\x00",  # coders in a circle
        b"\x17\x00",  # a packed list of nothing
    ],
)
def test_lists_that_make_no_sense(listed: bytes) -> None:
    with pytest.raises(SevenZipError, match="cannot be read"):
        SevenZip(headed(listed), 100)


@pytest.mark.parametrize("name", ["plain-list", "x86-lzma2", "one-by-one"])
def test_damage_is_told_wherever_it_is(name: str) -> None:
    whole, chance = archive(name), random.Random(7)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[chance.randrange(6, len(whole))] ^= 1 << chance.randrange(8)
        try:
            packed = SevenZip(bytes(damaged), 10_000)
            found = {entry.name: packed.read(entry) for entry in packed.entries}
        except SevenZipError:
            continue
        assert {name: found[name] for name in TEXTS} == TEXTS  # what was hit is told nowhere, such as a time


@pytest.mark.parametrize("place", range(0, 3_100, 61))
def test_a_start_alone_is_told(place: int) -> None:
    with pytest.raises(SevenZipError):
        SevenZip(archive("plain-list")[:place], 10_000)

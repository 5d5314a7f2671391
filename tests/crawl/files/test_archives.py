from __future__ import annotations

import io
import random
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from trasmallo.crawl.files.archives import MOST_MEMBERS, Member, OpenedArchive, is_archive, is_tar, read_members
from trasmallo.values.errors import DocumentError


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def tarred(mode: str, **files: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as packed:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    return out.getvalue()


def test_the_files_of_a_zip() -> None:
    content = zipped(a=b"uno", b=b"dos")
    assert is_archive("application/zip", content)
    assert [(one.name, one.content) for one in read_members(content, 10)] == [("a", b"uno"), ("b", b"dos")]
    assert [OpenedArchive(content).read(name, 10) for name in "ba"] == [b"dos", b"uno"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_the_files_of_a_tar_without_its_links(mode: str) -> None:
    content = tarred(mode, a=b"uno")
    assert is_tar(content)
    assert [(one.name, one.content) for one in read_members(content, 10)] == [("a", b"uno"), ("link", None)]
    opened = OpenedArchive(content)
    assert [opened.read("a", 10), opened.read("a", 3)] == [b"uno", b"uno"]
    with pytest.raises(DocumentError, match="more than 2 bytes"):
        opened.read("a", 2)
    with pytest.raises(DocumentError, match="a link or device"):
        opened.read("link", 10)


SEVEN_ZIP = (Path(__file__).parents[2] / "golden" / "archives" / "one-by-one.7z").read_bytes()


def test_the_files_of_a_7z() -> None:
    assert is_archive("application/x-7z-compressed", SEVEN_ZIP)
    found = {one.name: one.content for one in read_members(SEVEN_ZIP, 2_000)}
    assert (found["uno.txt"], found["empty.txt"], found["program"]) == (b"uno " * 500, b"", None)
    opened = OpenedArchive(SEVEN_ZIP)
    assert opened.read("sub/ñandú.txt", 100) == "ñandú\n".encode()
    with pytest.raises(DocumentError, match="more than 2,000 bytes"):
        opened.read("program", 2_000)
    with pytest.raises(DocumentError, match="any more"):
        opened.read("dos.txt", 10)
    with pytest.raises(DocumentError, match="cannot be opened: its list of files is cut off"):
        list(read_members(SEVEN_ZIP[:-1], 10))


def test_a_7z_is_unpacked_up_to_a_bound() -> None:
    found = list(read_members(SEVEN_ZIP, 10_000, most=2_000))
    assert [one.cause for one in found if one.content is None] == ["more than 2,000 bytes have to be unpacked for it"]
    *_, last = read_members(SEVEN_ZIP, 10_000, most=3_000)
    assert last == Member("", None, "what comes behind 200,000,000 bytes unpacked is not read")


def test_what_unpacks_to_too_much_is_not_unpacked() -> None:
    [bomb] = read_members(zipped(a=b"0" * 10_000_000), 1_000)
    assert bomb.content is None
    assert "1,000" in bomb.cause


def many(number: int) -> dict[str, bytes]:
    return {f"f{index}": b"0" * 1_000 for index in range(number)}


@pytest.mark.parametrize("content", [zipped(**many(50)), tarred("w:xz", **many(50))], ids=["zip", "tar.xz"])
def test_an_archive_is_unpacked_up_to_a_bound(content: bytes) -> None:
    found = list(read_members(content, 2_000, most=20_000))
    assert 5 < sum(one.content is not None for one in found) < 25
    assert (found[-1].content, found[-1].cause) == (None, "what comes behind 200,000,000 bytes unpacked is not read")
    assert sum(len(one.content or b"") for one in found) <= 22_000


def test_a_tar_whose_header_promises_more_than_there_can_be() -> None:
    info = tarfile.TarInfo("huge")
    info.size = 1 << 50
    with pytest.raises(DocumentError, match="damaged"):
        list(read_members(info.tobuf() + b"x" * 512, 1_000))


def test_of_two_files_with_one_name_the_last_one_is_read() -> None:
    first, second = tarred("w", a=b"uno"), tarred("w", a=b"dos")
    both = first[:1_024] + second
    assert OpenedArchive(both).read("a", 10) == b"dos"
    assert [one.content for one in read_members(both, 10) if one.name == "a"][-1] == b"dos"


def test_more_members_than_anybody_looks_through() -> None:
    found = list(read_members(zipped(**{f"f{number}": b"" for number in range(MOST_MEMBERS + 1)}), 10))
    assert len(found) == MOST_MEMBERS + 1
    assert "10,001" in found[-1].cause


def test_a_member_without_a_name_is_a_member() -> None:
    content = zipped(nameless=b"uno").replace(b"nameless", b"\0ameless")  # names end at a zero
    assert list(read_members(content, 100)) == [Member("", b"uno")]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_damaged_stream_is_told_wherever_it_breaks(mode: str) -> None:
    whole = tarred(mode, **{f"{number}.txt": random.Random(number).randbytes(3_000) for number in range(3)})
    for place in range(20, len(whole), 97):
        with suppress(DocumentError):
            list(read_members(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :], 10_000))


def test_damage_is_told() -> None:
    with pytest.raises(DocumentError, match="damaged"):
        list(read_members(zipped(a=b"uno")[:-10], 10))
    with pytest.raises(DocumentError, match="any more"):
        OpenedArchive(zipped(a=b"uno")).read("b", 10)
    with pytest.raises(DocumentError, match="damaged"):
        OpenedArchive(b"PK nothing")
    assert not is_tar(b"\x1f\x8bnothing")
    assert not is_archive("text/plain", b"From me")

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.gzip_members import MemberError, ReadWindow, last_whole, pack, read_member, starts, unpack


@given(head=st.binary(max_size=500), body=st.binary(max_size=2000), compressed=st.booleans())
def test_a_member_is_gzip_and_comes_back(head: bytes, body: bytes, compressed: bool) -> None:
    member = pack(head + body, compressed=compressed)
    assert unpack(member, 0) == gzip.decompress(member) == head + body


def test_a_body_longer_than_a_stored_block_comes_back() -> None:
    body = bytes(range(256)) * 1000
    member = pack(b"head" + body, compressed=True)
    assert gzip.decompress(member) == b"head" + body
    assert len(member) < len(body) + 100


@pytest.mark.parametrize("times", [5, 150])
def test_a_bit_that_changed_is_noticed_or_changes_nothing(times: int) -> None:
    """In a member that is stored, and in one that is compressed."""
    data = b"head" + b"".join(b" word %d" % (number * number) for number in range(times))
    member = pack(data, compressed=False)
    # The lengths in the extra field, before byte 24, are not part of what unpacking reads.
    unnoticed = 0
    for place in range(24 * 8, len(member) * 8):
        changed = bytearray(member)
        changed[place // 8] ^= 1 << place % 8
        try:
            assert unpack(bytes(changed), 7) == data
            unnoticed += 1
        except MemberError as error:
            assert error.offset == 7
    # The bits that fill up the last byte of the deflate stream, and those that lead to the same letters elsewhere.
    assert unnoticed < 8


def test_members_with_and_without_a_length_are_walked(tmp_path: Path) -> None:
    members = [pack(b"one", compressed=False), gzip.compress(b"two"), pack(b"three", compressed=True)]
    path = tmp_path / "f"
    path.write_bytes(b"".join(members) + members[0][:-1])
    size = path.stat().st_size
    whole = size - len(members[0]) + 1
    with path.open("rb") as file:
        fd = file.fileno()
        assert last_whole(fd, size) == whole
        assert read_member(ReadWindow(fd), len(members[0]), size) == (b"two", len(members[1]))
        found = list(starts(fd, 1, size))
        with pytest.raises(MemberError) as caught:
            read_member(ReadWindow(fd), whole, size)
    assert caught.value.torn
    assert {len(members[0]), len(members[0]) + len(members[1]), whole} <= set(found)


@given(asked=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 100)), max_size=12), size=st.integers(0, 256))
def test_a_window_shows_the_file_up_to_the_size_it_is_told(
    asked: list[tuple[int, int]], size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = bytes(range(256))
    path = tmp_path_factory.getbasetemp() / "window"
    path.write_bytes(data)
    with path.open("rb") as file:
        window = ReadWindow(file.fileno(), reach=64)
        for offset, length in asked:
            assert window.view(offset, length, size) == data[:size][offset : offset + length]


def test_a_window_that_forgot_sees_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"before")
    with path.open("rb") as file:
        window = ReadWindow(file.fileno())
        assert window.view(0, 6, 6) == b"before"
        path.write_bytes(b"after!")
        window.forget()
        assert window.view(0, 6, 6) == b"after!"

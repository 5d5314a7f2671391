"""The rights of a file, from its mode and its ACL as the kernel keeps it."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from trasmallo.crawl.files.access import parse_acl, read_access, read_acl
from trasmallo.values.access import Access, Asker, may


def _attribute(*entries: tuple[int, int, int]) -> bytes:
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_a_file_tells_owner_group_and_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("casa")
    file.chmod(0o640)
    told = file.stat()
    found = read_access(file)
    assert (found.uid, found.gid, found.mode, found.acl, found.mailbox) == (told.st_uid, told.st_gid, 0o640, (), "")
    assert unquote_to_bytes(found.path) == bytes(file)


def test_a_name_that_is_no_utf8_is_kept(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/ma\xf1ana.txt"
    Path(os.fsdecode(name)).touch()
    assert unquote_to_bytes(read_access(os.fsdecode(name)).path) == name


def test_the_entries_of_an_acl_are_those_that_the_mode_does_not_tell() -> None:
    none = 0xFFFFFFFF
    content = _attribute((1, 6, none), (2, 4, 60_001), (4, 4, none), (8, 4, 60_002), (0x10, 4, none), (0x20, 0, none))
    assert parse_acl(content) == ("user:60001:r--", "group::r--", "group:60002:r--", "mask::r--")


@pytest.mark.parametrize("content", [b"", b"\x02", struct.pack("<I", 3), _attribute((2, 4, 7))[:-1]])
def test_an_acl_that_is_not_understood_lets_nobody_in_by_an_entry(content: bytes) -> None:
    access = Access(uid=1, gid=5, mode=0o640, acl=parse_acl(content))
    assert not may(access, Asker(uid=7, groups=frozenset({5})))
    assert may(access, Asker(uid=1))


def test_a_file_without_an_acl_has_no_entries(tmp_path: Path) -> None:
    assert read_acl(tmp_path) == ()


@pytest.mark.skipif(not shutil.which("setfacl"), reason="setfacl is not installed")
def test_the_system_agrees(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("casa")
    file.chmod(0o600)
    done = subprocess.run(["setfacl", "-m", "u:60001:r--", str(file)], check=False, capture_output=True)
    if done.returncode:
        pytest.skip("no ACL on this file system")
    assert may(read_access(file), Asker(uid=60_001))
    assert not may(read_access(file), Asker(uid=60_002))


def test_what_is_not_there_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_access(tmp_path / "gone")

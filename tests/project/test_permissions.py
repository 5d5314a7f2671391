"""Who asks, and what the system lets them read now."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from urllib.parse import quote

import pytest

from trasmallo.crawl.files.access import read_access
from trasmallo.project.permissions import Permissions, asker_named, asking_as, own_asker, owner_of
from trasmallo.values.access import Access, Asker
from trasmallo.values.errors import NotFound, UsageError

STRANGER = Asker(uid=60_001, name="60001", groups=frozenset({60_001}))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that everybody may read, in folders that everybody may go through."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(folder.stat().st_mode | 0o111)
    path = tmp_path / "a.txt"
    path.write_text("casa")
    path.chmod(0o644)
    return path


def _denies(file: Path, access: Access, asker: Asker = STRANGER, owner: int = -1) -> bool:
    return bool(Permissions(asker, owner).denied({str(file): access}))


def test_what_is_stored_and_what_is_there_must_both_allow_it(file: Path) -> None:
    opened = read_access(file)
    assert not _denies(file, opened)
    file.chmod(0o600)
    closed = read_access(file)
    assert _denies(file, opened)
    file.chmod(0o644)
    assert _denies(file, closed)  # it is another file perhaps


def test_folders_on_the_way_count(file: Path) -> None:
    access = read_access(file)
    file.parent.chmod(0o700)
    assert _denies(file, access)


def test_what_is_gone_is_its_owners_and_the_projects(file: Path) -> None:
    access = read_access(file)
    file.unlink()
    mine = Asker(uid=access.uid or 60_009, name="x")
    assert _denies(file, access)
    assert not _denies(file, access, owner=STRANGER.uid)
    assert not _denies(file, Access(uid=mine.uid, gid=1, mode=0o600, path=access.path), mine)


def test_a_file_that_became_something_else_is_denied(file: Path) -> None:
    access = read_access(file)
    file.unlink()
    file.mkdir()
    file.chmod(0o777)
    assert _denies(file, access)


def test_what_has_no_file_is_as_it_is_stored(tmp_path: Path) -> None:
    assert not _denies(tmp_path, Access(uid=1, gid=1, mode=0o644))
    assert _denies(tmp_path, Access(uid=1, gid=1, mode=0o600))
    assert _denies(tmp_path, Access(uid=1, gid=1, mode=0o644, mailbox="ana"))


@pytest.mark.parametrize("path", ["%00", quote("/" + "a" * 5_000), "/proc/self/mem/x"])
def test_odd_paths_deny(tmp_path: Path, path: str) -> None:
    assert _denies(tmp_path, Access(uid=1, gid=1, mode=0o644, path=path))


def test_the_superuser_is_denied_nothing(tmp_path: Path) -> None:
    assert not _denies(tmp_path, Access(uid=1, gid=1, mode=0, mailbox="ana"), Asker(uid=0))


def test_who_asks_is_the_process_unless_another_is_named(tmp_path: Path) -> None:
    own = own_asker()
    assert own.uid == os.geteuid()
    assert asker_named("", tmp_path) == own
    assert asker_named(str(own.uid), tmp_path) == own
    assert asker_named("60001", tmp_path) == STRANGER
    with asking_as("60001"):
        assert asker_named("", tmp_path) == STRANGER
    assert asker_named("", tmp_path) == own


def test_a_user_has_its_groups(tmp_path: Path) -> None:
    found = next(user for user in pwd.getpwall() if user.pw_uid not in (0, os.geteuid()))
    assert found.pw_gid in asker_named(found.pw_name, tmp_path).groups


@pytest.mark.parametrize("name", ["nobody-has-this-name", "a\0b", "-1", "9" * 30, "ñandú"])
def test_a_user_that_the_system_does_not_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound, match="no user"):
        asker_named(name, tmp_path)


def test_only_an_owner_may_name_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 60_002)
    if owner_of(tmp_path) != 60_002:
        with pytest.raises(UsageError, match="only the owner"):
            asker_named("60001", tmp_path)


def test_a_folder_that_is_not_there_is_nobodys(tmp_path: Path) -> None:
    assert owner_of(tmp_path / "gone") == -1

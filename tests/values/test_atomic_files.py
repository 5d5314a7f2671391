"""Whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.values.atomic_files import drafted, remove, remove_at_once, write_whole
from trasmallo.values.errors import StoreFull


def test_a_draft_takes_its_place_only_at_the_end(tmp_path: Path) -> None:
    with drafted(tmp_path / "out") as draft:
        draft.write_text("new")
        assert not (tmp_path / "out").exists()
    assert (tmp_path / "out").read_text() == "new"
    with pytest.raises(KeyboardInterrupt), drafted(tmp_path / "out") as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert [path.read_text() for path in tmp_path.iterdir()] == ["new"]


def test_a_folder_may_be_a_draft(tmp_path: Path) -> None:
    with drafted(tmp_path / "out") as draft:
        draft.mkdir()
        (draft / "a").touch()
    assert (tmp_path / "out" / "a").exists()
    remove(tmp_path / "out")
    remove(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_the_disk_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "out.new").symlink_to("/dev/full")
    with pytest.raises(StoreFull, match="the disk is full"), drafted(tmp_path / "out") as draft:
        draft.write_text("x")


def test_a_small_file_is_written_whole(tmp_path: Path) -> None:
    for durable in (False, True):
        write_whole(tmp_path / "a", b"%d" % durable, durable=durable)
        assert (tmp_path / "a").read_bytes() == b"%d" % durable
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_who_writes_the_same_file_has_a_draft_of_its_own(tmp_path: Path) -> None:
    with drafted(tmp_path / "a", contested=True) as mine, drafted(tmp_path / "a") as theirs:
        assert mine != theirs
        mine.write_text("mine")
        theirs.write_text("theirs")
    assert (tmp_path / "a").read_text() == "mine"


def test_a_folder_goes_at_once(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "rows").write_text("x")
    (tmp_path / "part.draft").mkdir()
    remove_at_once(tmp_path / "part")
    remove_at_once(tmp_path / "part")
    assert list(tmp_path.iterdir()) == []

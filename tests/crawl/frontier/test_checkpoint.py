from __future__ import annotations

import os
from pathlib import Path

import pytest

from trasmallo.crawl.frontier.checkpoint import State, lock, read_state, sweep, write_state
from trasmallo.errors import ProjectBusy, StoreDamaged
from trasmallo.model import Outcome


def test_a_new_folder_has_no_state(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None


def test_a_state_comes_back_and_replaces_the_one_before(tmp_path: Path) -> None:
    write_state(tmp_path, State("journal-1", known=1))
    state = State("journal-2", known=2, outcomes={Outcome.FETCHED: 2}, names=["http://a.example"], done=b"\3")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_cut_state_is_damage(tmp_path: Path) -> None:
    write_state(tmp_path, State("journal-1"))
    path = tmp_path / "state"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreDamaged, match="state"):
        read_state(tmp_path)


def test_sweeping_removes_only_what_is_ours_and_not_named(tmp_path: Path) -> None:
    names = ["state", "state.part", "journal-1", "journal-2", "backlog-3", "seen-4", "notes.txt", "lock"]
    for name in names:
        (tmp_path / name).touch()
    sweep(tmp_path, ["journal-2", "seen-4"])
    assert {path.name for path in tmp_path.iterdir()} == {"state", "journal-2", "seen-4", "notes.txt", "lock"}


def test_a_folder_is_locked_once(tmp_path: Path) -> None:
    handle = lock(tmp_path)
    with pytest.raises(ProjectBusy, match="stop it"):
        lock(tmp_path)
    os.close(handle)
    os.close(lock(tmp_path))

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from trasmallo.crawl.frontier.backlog import Entry, SegmentInfo, SegmentWriter
from trasmallo.crawl.frontier.checkpoint import CheckpointState, Saving, lock, read_state, sweep, write_state
from trasmallo.values.errors import ProjectBusy, StoreDamaged
from trasmallo.values.model import Outcome


def test_a_new_folder_has_no_state(tmp_path: Path) -> None:
    assert read_state(tmp_path) is None


def test_a_state_comes_back_and_replaces_the_one_before(tmp_path: Path) -> None:
    write_state(tmp_path, CheckpointState("journal-1", known=1))
    state = CheckpointState("journal-2", known=2, outcomes={Outcome.FETCHED: 2}, names=["http://a.example"], done=b"\3")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_cut_state_is_damage(tmp_path: Path) -> None:
    write_state(tmp_path, CheckpointState("journal-1"))
    path = tmp_path / "state"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreDamaged, match="state"):
        read_state(tmp_path)


def written(path: Path, steps: int) -> Generator[SegmentInfo | None]:
    writer = SegmentWriter(path)
    try:
        for seq in range(steps):
            writer.put([1], [seq], [Entry(seq, 0, 0, f"http://a.example/{seq}", "")])
            yield None
        info = writer.finish()
    except BaseException:
        writer.abandon()
        raise
    yield info


def complete(saving: Saving) -> None:
    while not saving.step():
        saving.wait()


def test_a_checkpoint_counts_when_all_its_steps_are_done(tmp_path: Path) -> None:
    write_state(tmp_path, CheckpointState("journal-1"))
    saving = Saving(tmp_path, CheckpointState("journal-2"), written(tmp_path / "backlog-1", 3), [])
    assert [saving.step() for _ in range(3)] == [False] * 3
    assert read_state(tmp_path) == CheckpointState("journal-1")
    complete(saving)
    state = read_state(tmp_path)
    assert state == saving.state
    assert state is not None
    assert [info.entries for info in state.segments] == [3]


def test_an_empty_file_is_not_named(tmp_path: Path) -> None:
    saving = Saving(tmp_path, CheckpointState("journal-2"), written(tmp_path / "backlog-1", 0), [])
    complete(saving)
    assert read_state(tmp_path) == CheckpointState("journal-2")


def test_a_checkpoint_that_is_given_up_leaves_the_one_before(tmp_path: Path) -> None:
    write_state(tmp_path, CheckpointState("journal-1"))
    saving = Saving(tmp_path, CheckpointState("journal-2"), written(tmp_path / "backlog-1", 3), [])
    saving.step()
    saving.abandon()
    assert read_state(tmp_path) == CheckpointState("journal-1")
    assert not (tmp_path / "backlog-1").exists()


def test_what_the_disk_refuses_in_the_thread_is_raised(tmp_path: Path) -> None:
    saving = Saving(tmp_path, CheckpointState("journal-2"), written(tmp_path / "backlog-1", 1), [tmp_path / "missing"])
    with pytest.raises(OSError, match="missing"):
        complete(saving)
    assert read_state(tmp_path) is None


def test_sweeping_removes_only_what_is_ours_and_not_named(tmp_path: Path) -> None:
    names = ["state", "state.part", "journal-1", "journal-2", "backlog-3", "backlog-4", "seen", "notes.txt", "lock"]
    for name in names:
        (tmp_path / name).touch()
    sweep(tmp_path, ["journal-2", "backlog-4"])
    assert {path.name for path in tmp_path.iterdir()} == {"state", "journal-2", "backlog-4", "seen", "notes.txt", "lock"}


def test_a_folder_is_locked_once(tmp_path: Path) -> None:
    handle = lock(tmp_path)
    with pytest.raises(ProjectBusy, match="stop it"):
        lock(tmp_path)
    os.close(handle)
    os.close(lock(tmp_path))

"""Locks between processes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from trasmallo.values.errors import ProjectBusy
from trasmallo.values.folder_lock import locked, try_lock


@pytest.mark.parametrize("name", ["", "lock"])
def test_a_folder_or_a_file_is_locked_while_the_block_lasts(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with locked(path):
        handle = os.open(path, os.O_RDONLY)
        assert not try_lock(handle)
        assert not try_lock(handle, shared=True)
    assert try_lock(handle)
    os.close(handle)


def test_who_waits_gets_it_when_the_other_ends(tmp_path: Path) -> None:
    order, inside = [], threading.Event()

    def first() -> None:
        with locked(tmp_path):
            inside.set()
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait()
    with locked(tmp_path, patience=20.0):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_patience_has_an_end(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(ProjectBusy, match="another program uses .*: wait until it has ended"),
        locked(tmp_path / "lock", patience=0.0),
    ):
        pass


def test_shared_locks_bear_each_other(tmp_path: Path) -> None:
    handles = [os.open(tmp_path, os.O_RDONLY) for _ in range(2)]
    assert [try_lock(handle, shared=True) for handle in handles] == [True, True]
    for handle in handles:
        os.close(handle)

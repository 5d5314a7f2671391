"""Line groups on disk."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trasmallo.store.line_groups import (
    FOLDER,
    MarkedLine,
    group_names,
    groups_stamp,
    put_into,
    read_group,
    remove_group,
    rename_group,
    take_out_of,
)
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError


def line(start: int, document: str = "d") -> MarkedLine:
    return MarkedLine(
        url="http://a.es/", document=document, start=start, end=start + 4, hit="casa", left="la ", right=".", digest="x"
    )


def test_lines_are_put_in_once_and_taken_out(tmp_path: Path) -> None:
    assert group_names(tmp_path) == []
    assert put_into(tmp_path, "mar y red", [line(1), line(9)]) == 2
    before = groups_stamp(tmp_path)
    assert put_into(tmp_path, "mar y red", [line(9), line(20)]) == 1
    assert groups_stamp(tmp_path) != before
    assert [one.start for one in read_group(tmp_path, "mar y red")] == [1, 9, 20]
    assert take_out_of(tmp_path, "mar y red", [("d", 9, 13), ("d", 999, 1003)]) == 1
    assert take_out_of(tmp_path, "mar y red", [("d", 1, 5), ("d", 20, 24)]) == 2
    assert group_names(tmp_path) == ["mar y red"]


def test_two_that_mark_at_once_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda start: put_into(tmp_path, "g", [line(start), line(0)]), range(1, 41)))
    assert sum(added) == 41
    assert {one.start for one in read_group(tmp_path, "g")} == set(range(41))


def test_names(tmp_path: Path) -> None:
    put_into(tmp_path, "ironía", [line(1)])
    with pytest.raises(NotFound, match="did you mean 'ironía'"):
        read_group(tmp_path, "ironia")
    put_into(tmp_path, "otro", [])
    with pytest.raises(UsageError, match="already"):
        rename_group(tmp_path, "otro", "ironía")
    rename_group(tmp_path, "otro", "nuevo")
    assert group_names(tmp_path) == ["ironía", "nuevo"]
    assert remove_group(tmp_path, "ironía") == 1
    for name in ("", "../x", "a/b", " a", "a" * 61, ".x"):
        with pytest.raises(UsageError, match="no name"):
            put_into(tmp_path, name, [line(1)])


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    put_into(tmp_path, "g", [line(1)])
    path = tmp_path / FOLDER / "g.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(StoreDamaged, match="is damaged"):
        read_group(tmp_path, "g")

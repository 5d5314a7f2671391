from __future__ import annotations

import errno
import math
from pathlib import Path

import pytest

from trasmallo.crawl.frontier import backlog
from trasmallo.crawl.frontier.backlog import Entry
from trasmallo.crawl.frontier.queues import DoneSet, Queues
from trasmallo.errors import StoreFull


def entries(seqs: range, after: float = 0.0) -> list[Entry]:
    return [Entry(seq, 0, 0, f"http://a.example/{seq}", "", 0, after) for seq in seqs]


def spill(queues: Queues, path: Path, floor: int) -> None:
    queues.adopt(queues.outlook(queues.spill(path)), floor)


def seqs(queues: Queues, lane: int, most: int, now: float = 0.0) -> list[int]:
    return [item[1].seq for item in queues.take(lane, now, most)]


def test_a_lane_goes_on_in_files_and_back_in_memory(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    queues.push(1, entries(range(100)))
    assert seqs(queues, 1, 3) == [0, 1, 2]
    spill(queues, tmp_path / "backlog-1", 100)
    queues.push(1, entries(range(100, 110)))
    assert queues.dirty == 10
    assert seqs(queues, 1, 200) == list(range(3, 110))


def test_what_is_out_while_files_are_written_comes_back_once(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    queues.push(1, entries(range(40)))
    taken = queues.take(1, 0.0, 5)
    spill(queues, tmp_path / "backlog-1", 40)
    assert seqs(queues, 1, 2) == [5, 6]
    queues.give_back(1, taken[2:])
    queues.finish(taken[:2])
    assert seqs(queues, 1, 99) == [2, 3, 4, *range(7, 40)]


def test_memory_is_relieved_without_losing_the_order(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 30, DoneSet())
    for lane in range(5):
        queues.push(lane, entries(range(lane * 100, lane * 100 + 100)))
    spill(queues, tmp_path / "backlog-1", 500)
    taken: dict[int, list[int]] = {lane: [] for lane in range(5)}
    for turn in range(500):
        taken[turn % 5] += seqs(queues, turn % 5, 1)
        queues.relieve()
    assert taken == {lane: list(range(lane * 100, lane * 100 + 100)) for lane in range(5)}


def test_what_waits_for_its_time_is_told(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    queues.push(1, entries(range(2), after=50.0))
    assert seqs(queues, 1, 9, now=49.0) == []
    assert queues.wait(1) == 50.0
    spill(queues, tmp_path / "backlog-1", 2)
    assert queues.wait(1) == 0.0
    assert seqs(queues, 1, 9, now=49.0) == []
    assert queues.wait(1) == 50.0
    assert [entry.seq for entry in queues.peek(1)] == [0, 1]
    assert seqs(queues, 1, 9, now=50.0) == [0, 1]


def test_what_waits_in_files_keeps_its_place_when_memory_is_relieved(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 10, DoneSet())
    queues.push(1, [*entries(range(1), after=50.0), *entries(range(1, 16))])
    spill(queues, tmp_path / "backlog-1", 16)
    assert seqs(queues, 1, 2, now=0.0) == [1, 2]
    queues.relieve()
    assert seqs(queues, 1, 2, now=60.0) == [0, 3]


def test_finished_parts_are_not_read_again(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    queues.push(1, entries(range(40)))
    spill(queues, tmp_path / "backlog-1", 40)
    queues.finish(queues.take(1, 0.0, 40))
    assert queues.segments[0].live() == 0
    assert queues.outlook(None) == []


def test_many_small_files_become_one(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    for number in range(8):
        queues.push(1, entries(range(number * 10, number * 10 + 10)))
        spill(queues, tmp_path / f"backlog-{number}", number * 10 + 10)
    assert len(queues.segments) == 8
    for _ in range(20):
        queues.work(1, lambda: tmp_path / "backlog-merged")
    assert queues.unfinished == ["backlog-merged"]
    spill(queues, tmp_path / "backlog-9", 80)
    assert [segment.info.name for segment in queues.segments] == ["backlog-merged"]
    assert seqs(queues, 1, 99, math.inf) == list(range(80))


def test_a_merge_that_fails_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    for number in range(8):
        queues.push(1, entries(range(number * 10, number * 10 + 10)))
        spill(queues, tmp_path / f"backlog-{number}", number * 10 + 10)

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backlog.os, "fsync", refuse)
    with pytest.raises(StoreFull):
        queues.work(99, lambda: tmp_path / "backlog-failed")
    monkeypatch.undo()
    assert not (tmp_path / "backlog-failed").exists()
    queues.work(99, lambda: tmp_path / "backlog-merged")
    spill(queues, tmp_path / "backlog-9", 80)
    assert [segment.info.name for segment in queues.segments] == ["backlog-merged"]


def test_done_numbers_are_a_bit_each() -> None:
    done = DoneSet()
    for seq in (0, 9, 100_000):
        done.add(seq)
    assert [seq for seq in (0, 1, 8, 9, 100_000, 10**9) if seq in done] == [0, 9, 100_000]
    assert [entry.seq for entry in done.without(entries(range(12)))] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11]
    assert [entry.seq for entry in DoneSet().without(entries(range(2)))] == [0, 1]

from __future__ import annotations

from pathlib import Path

import numpy as np

from trasmallo.crawl.frontier.backlog import Entry
from trasmallo.crawl.frontier.queues import DoneSet, Queues


def entries(seqs: range, after: float = 0.0) -> list[Entry]:
    return [Entry(seq, 0, 0, f"http://a.example/{seq}", "", 0, after) for seq in seqs]


def spill(queues: Queues, path: Path, floor: int) -> None:
    queues.freeze(floor)
    files = queues.outlook()
    *_, spilled = queues.spill(path)
    assert spilled is not None
    queues.adopt([*files, spilled] if spilled.parts else files)


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
    queues = Queues(tmp_path, 1, DoneSet())
    queues.push(1, entries(range(2), after=50.0))
    assert seqs(queues, 1, 9, now=49.0) == []
    assert queues.wait(1) == 50.0
    spill(queues, tmp_path / "backlog-1", 2)
    assert queues.wait(1) == 50.0
    queues.relieve()
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
    assert queues.segments[0].live == 0
    assert queues.outlook() == []


def test_merged_files_take_the_place_of_their_sources(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    for number in range(16):
        queues.push(1, entries(range(number * 10, number * 10 + 10)))
        spill(queues, tmp_path / f"backlog-{number}", number * 10 + 10)
    assert len(queues.segments) == 16
    assert seqs(queues, 1, 3) == [0, 1, 2]
    while queues.merging.merged is None:
        queues.merging.work(queues.segments, lambda: tmp_path / "backlog-merged")
    spill(queues, tmp_path / "backlog-17", 160)
    assert [segment.info.name for segment in queues.segments] == ["backlog-merged"]
    queues.relieve()
    assert seqs(queues, 1, 200) == list(range(3, 160))


def test_what_comes_and_goes_while_files_are_written_is_kept_once(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet(), slice_entries=7)
    for lane in range(5):
        queues.push(lane, entries(range(lane * 20, lane * 20 + 20)))
    early, late = queues.take(0, 0.0, 3), queues.take(4, 0.0, 20)
    queues.freeze(100)
    steps = queues.spill(tmp_path / "backlog-1")
    assert next(steps) is None
    queues.push(2, entries(range(100, 105)))
    queues.finish(early[:1])
    queues.give_back(0, early[1:])
    queues.give_back(4, late[5:])
    between = queues.take(3, 0.0, 2)
    spilled = list(steps)[-1]
    assert spilled is not None
    queues.adopt([spilled])
    assert queues.dirty == 5
    queues.give_back(4, late[:5])
    queues.give_back(3, between)
    assert seqs(queues, 0, 99) == list(range(1, 20))
    assert seqs(queues, 2, 99) == [*range(40, 60), *range(100, 105)]
    assert seqs(queues, 3, 99) == list(range(60, 80))
    assert seqs(queues, 4, 99) == list(range(80, 100))


def test_a_spill_that_is_given_up_is_done_again(tmp_path: Path) -> None:
    queues = Queues(tmp_path, 1000, DoneSet())
    queues.push(1, entries(range(40)))
    queues.freeze(40)
    steps = queues.spill(tmp_path / "backlog-1")
    next(steps)
    steps.close()
    queues.thaw()
    assert (queues.dirty, list(tmp_path.iterdir())) == (40, [])
    spill(queues, tmp_path / "backlog-2", 40)
    assert seqs(queues, 1, 99) == list(range(40))


def test_done_numbers_are_a_bit_each() -> None:
    done = DoneSet()
    for seq in (0, 9, 100_000):
        done.add(seq)
    assert [seq for seq in (0, 1, 8, 9, 100_000, 10**9) if seq in done] == [0, 9, 100_000]
    items = [(5 << 40 | seq, b"") for seq in range(12)]
    assert done.without(items) == [item for item in items if item not in (items[0], items[9])]
    assert DoneSet().without(items) == items
    marked = done.marked(np.array([0, 1, 9, 100_000, 10**9], np.uint64))
    assert marked.tolist() == [True, False, True, True, False]
    assert DoneSet().marked(np.array([0, 7], np.uint64)).tolist() == [False, False]

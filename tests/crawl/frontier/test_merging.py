from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trasmallo.crawl.frontier import merging
from trasmallo.crawl.frontier.backlog import PART, Column, Entry, Segment, SegmentInfo, SegmentWriter, key_of
from trasmallo.crawl.frontier.merging import Merging, merge
from trasmallo.values.errors import StoreFull


def entries(seqs: range, lane: int = 0) -> list[Entry]:
    return [Entry(seq, seq % 3, 0, f"http://h{lane}.example/{seq}", "") for seq in seqs]


def write(path: Path, lanes: dict[int, list[Entry]]) -> Segment:
    writer = SegmentWriter(path)
    for lane, content in lanes.items():
        writer.put([lane] * len(content), [key_of(entry) for entry in content], content)
    return Segment(path.parent, writer.finish(), 0)


def read(segment: Segment, lane: int) -> list[Entry]:
    place, found = segment.find(lane), []
    while place >= 0:
        found += segment.load(place)
        place = segment.skip(place + 1, lane)
    return found


def last(steps: list[SegmentInfo | None]) -> SegmentInfo:
    assert steps[-1] is not None
    assert steps[:-1] == [None] * (len(steps) - 1)
    return steps[-1]


def nothing(seqs: Column) -> Column:
    return np.zeros(len(seqs), bool)


def even(seqs: Column) -> Column:
    return seqs % np.uint64(2) == 0


def test_a_merge_sorts_lanes_anew_and_leaves_out_what_is_done(tmp_path: Path) -> None:
    first = write(tmp_path / "backlog-1", {1: entries(range(50)), 2: entries(range(50, 60))})
    second = write(tmp_path / "backlog-2", {1: entries(range(60, 70)), 3: entries(range(70, 71))})
    second.begin(second.find(3), 0)
    info = last(list(merge([first, second], tmp_path / "backlog-3", even)))
    merged = Segment(tmp_path, info, 2)
    everything = [*entries(range(50)), *entries(range(60, 70))]
    assert read(merged, 1) == sorted((entry for entry in everything if entry.seq % 2), key=key_of)
    assert [entry.seq for entry in read(merged, 2)] == [51, 57, 55, 53, 59]
    assert read(merged, 3) == []
    assert merged.info.parts == -(-30 // PART) + 1


@pytest.mark.parametrize("parts", [2, 5, 40])
def test_lanes_are_whole_however_they_are_cut_into_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    monkeypatch.setattr(merging, "_SLICE_PARTS", parts)
    sources = []
    for number in range(3):
        first = number * 10_000
        lanes = {
            lane: entries(range(first + lane * 1000, first + lane * 1000 + 40 * lane), lane)
            for lane in range(1, 12, number + 1)
        }
        sources.append(write(tmp_path / f"backlog-{number}", lanes))
    steps = list(merge(sources, tmp_path / "backlog-9", nothing))
    merged = Segment(tmp_path, last(steps), 9)
    assert len(steps) > 3
    for lane in range(1, 12):
        expected = [entry for source in sources for entry in read(source, lane)]
        assert sorted(read(merged, lane), key=key_of) == sorted(expected, key=key_of)
    keys = [(int(merged.lanes[place]), merged.key(place)) for place in range(merged.info.parts)]
    assert keys == sorted(keys)


def test_what_is_done_altogether_leaves_an_empty_file(tmp_path: Path) -> None:
    source = write(tmp_path / "backlog-1", {1: entries(range(0, 50, 2))})
    assert last(list(merge([source], tmp_path / "backlog-2", even))).parts == 0


def test_a_merge_that_is_given_up_leaves_no_file(tmp_path: Path) -> None:
    steps = merge([write(tmp_path / "backlog-1", {1: entries(range(50))})], tmp_path / "backlog-2", nothing)
    next(steps)
    steps.close()
    assert not (tmp_path / "backlog-2").exists()


def test_files_of_one_size_are_merged_when_they_are_sixteen(tmp_path: Path) -> None:
    work = Merging(nothing)
    large = write(tmp_path / "backlog-large", {1: entries(range(5000, 10_000))})
    small = [write(tmp_path / f"backlog-{n}", {1: entries(range(n * 10, n * 10 + 10))}) for n in range(16)]
    work.work([large, *small[:15]], lambda: tmp_path / "backlog-merged")
    assert work.unfinished == []
    while work.merged is None:
        work.work([large, *small], lambda: tmp_path / "backlog-merged")
        assert work.unfinished == ["backlog-merged"]
    assert work.sources == small
    assert read(Segment(tmp_path, work.merged, 99), 1) == sorted(entries(range(160)), key=key_of)


def test_a_file_that_is_mostly_spent_is_merged_alone(tmp_path: Path) -> None:
    work = Merging(nothing)
    segment = write(tmp_path / "backlog-1", {1: entries(range(10 * PART))})
    for part in range(6):
        segment.begin(part, 0)
    while work.merged is None:
        work.work([segment], lambda: tmp_path / "backlog-merged")
    assert work.merged.entries == 4 * PART


def test_a_merge_that_fails_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Merging(nothing)
    files = [write(tmp_path / f"backlog-{n}", {1: entries(range(n * 10, n * 10 + 10))}) for n in range(16)]

    def refuse(*_: object) -> SegmentInfo:
        raise StoreFull("the disk is full", "free some space")

    monkeypatch.setattr(SegmentWriter, "finishing", refuse)
    with pytest.raises(StoreFull):
        while work.merged is None:
            work.work(files, lambda: tmp_path / "backlog-failed")
    monkeypatch.undo()
    assert not (tmp_path / "backlog-failed").exists()
    while work.merged is None:
        work.work(files, lambda: tmp_path / "backlog-merged")
    assert work.merged.entries == 160

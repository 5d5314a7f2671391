from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.crawl.frontier import backlog
from trasmallo.crawl.frontier.backlog import PART, Entry, Segment, SegmentInfo, SegmentWriter, key_of, merge
from trasmallo.errors import StoreDamaged, StoreTooNew


def entries(seqs: range, lane: int = 0) -> list[Entry]:
    return [Entry(seq, seq % 3, 0, f"http://h{lane}.example/{seq}", "") for seq in seqs]


def write(path: Path, lanes: dict[int, list[Entry]], number: int = 0) -> Segment:
    writer = SegmentWriter(path)
    for lane, content in lanes.items():
        writer.put(lane, sorted(content, key=key_of))
    return Segment(path.parent, writer.finish(), number)


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


def test_lanes_come_back_in_order_whatever_the_order_of_writing(tmp_path: Path) -> None:
    content = {7: entries(range(100), 7), 2: entries(range(100, 103), 2), 9: entries(range(200, 900), 9)}
    segment = write(tmp_path / "backlog-1", content)
    for lane, expected in content.items():
        assert read(segment, lane) == sorted(expected, key=key_of)
    assert [segment.find(lane) for lane in (0, 8, 10)] == [-1, -1, -1]


def test_keys_sort_by_priority_depth_and_arrival() -> None:
    ordered = [(-5, 0, 9), (0, 0, 7), (0, 1, 2), (0, 1, 3), (1, 0, 0)]
    keys = [key_of(Entry(seq, priority, depth, "", "")) for priority, depth, seq in ordered]
    assert keys == sorted(keys)
    beyond = key_of(Entry(0, 10**30, 10**30, "", ""))
    assert keys[-1] < beyond < 1 << 80


def test_spent_parts_are_skipped_and_remembered(tmp_path: Path) -> None:
    segment = write(tmp_path / "backlog-1", {1: entries(range(3 * PART))})
    segment.spent[0] = segment.spent[2] = 1
    again = Segment(tmp_path, segment.describe(), 0)
    assert again.live() == 1
    assert again.find(1) == 1
    assert again.skip(2, 1) == -1


def test_a_merge_sorts_lanes_anew_and_leaves_out_what_is_done(tmp_path: Path) -> None:
    first = write(tmp_path / "backlog-1", {1: entries(range(50)), 2: entries(range(50, 60))})
    second = write(tmp_path / "backlog-2", {1: entries(range(60, 70)), 3: entries(range(70, 71))})
    second.spent[second.find(3)] = 1
    info = last(list(merge([first, second], tmp_path / "backlog-3", lambda seq: seq % 2 == 0)))
    merged = Segment(tmp_path, info, 2)
    everything = [*entries(range(50)), *entries(range(60, 70))]
    assert read(merged, 1) == sorted((entry for entry in everything if entry.seq % 2), key=key_of)
    assert [entry.seq for entry in read(merged, 2)] == [51, 57, 55, 53, 59]
    assert read(merged, 3) == []


def test_a_very_long_lane_is_merged_by_copying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "_SORTED_PARTS", 2)
    sources = [write(tmp_path / f"backlog-{n}", {1: entries(range(n * 100, n * 100 + 100))}) for n in range(2)]
    merged = Segment(tmp_path, last(list(merge(sources, tmp_path / "backlog-9", lambda seq: False))), 9)
    assert sorted(read(merged, 1), key=key_of) == sorted(entries(range(200)), key=key_of)
    starts = [merged.key(place) for place in range(merged.info.parts)]
    assert starts == sorted(starts)


def test_a_merge_that_is_given_up_leaves_no_file(tmp_path: Path) -> None:
    steps = merge([write(tmp_path / "backlog-1", {1: entries(range(50))})], tmp_path / "backlog-2", lambda seq: False)
    next(steps)
    steps.close()
    assert not (tmp_path / "backlog-2").exists()


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "backlog-1"
    info = write(path, {1: entries(range(50))}).info
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(StoreDamaged, match=f"ends at byte {len(data) - 1}"):
        Segment(tmp_path, info, 0)
    path.write_bytes(data[:-1] + b"\xff")
    with pytest.raises(StoreDamaged, match=f"after byte {info.index_at}"):
        Segment(tmp_path, info, 0)
    path.write_bytes(data[:8] + b"\xff" + data[9:])
    with pytest.raises(StoreTooNew):
        Segment(tmp_path, info, 0)

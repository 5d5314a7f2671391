from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from trasmallo.crawl.frontier.backlog import (
    FAST,
    PART,
    Entry,
    Segment,
    SegmentWriter,
    decode_entry,
    earliest,
    entry_of,
    gather,
    key_of,
    target_of,
)
from trasmallo.values.errors import StoreDamaged, StoreTooNew
from trasmallo.values.model import Reached, Target


def entries(seqs: range, lane: int = 0) -> list[Entry]:
    return [Entry(seq, seq % 3, 0, f"http://h{lane}.example/{seq}", "") for seq in seqs]


def write(path: Path, lanes: dict[int, list[Entry]], number: int = 0) -> Segment:
    writer = SegmentWriter(path, FAST)
    for lane, content in lanes.items():
        writer.put([lane] * len(content), [key_of(entry) for entry in content], content)
    return Segment(path.parent, writer.finish(), number)


def read(segment: Segment, lane: int) -> list[Entry]:
    place, found = segment.find(lane), []
    while place >= 0:
        found += segment.load(place)
        place = segment.skip(place + 1, lane)
    return found


def test_lanes_come_back_in_order_whatever_the_order_of_writing(tmp_path: Path) -> None:
    content = {7: entries(range(100), 7), 2: entries(range(100, 103), 2), 9: entries(range(200, 900), 9)}
    segment = write(tmp_path / "backlog-1", content)
    for lane, expected in content.items():
        assert read(segment, lane) == sorted(expected, key=key_of)
    assert [segment.find(lane) for lane in (0, 8, 10)] == [-1, -1, -1]


def test_an_entry_may_be_longer_than_a_block(tmp_path: Path) -> None:
    content = [Entry(seq, 0, 0, "http://h.example/" + "x" * length, "") for seq, length in enumerate((1, 100_000, 5, 70_000))]
    segment = write(tmp_path / "backlog-1", {3: content})
    assert read(segment, 3) == content


@pytest.mark.parametrize("seed", ["", "http://h.example/", "http://h.example/a/b", "http://other.example/"])
def test_a_target_comes_back_with_its_seed(seed: str) -> None:
    target = Target("http://h.example/a/b", 3, 1, "http://h.example/a", 2, from_public=True, seed=seed, reached=Reached.LINK)
    entry = entry_of(7, target)
    assert target_of(msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=Entry)) == target
    assert isinstance(entry.seed, int) == (bool(seed) and target.url.startswith(seed)), "what the URL says is not said twice"


def test_keys_sort_by_priority_depth_and_arrival() -> None:
    ordered = [(-5, 0, 9), (0, 0, 7), (0, 1, 2), (0, 1, 3), (1, 0, 0)]
    keys = [key_of(Entry(seq, priority, depth, "", "")) for priority, depth, seq in ordered]
    assert keys == sorted(keys)
    beyond = key_of(Entry(0, 10**30, 10**30, "", ""))
    assert keys[-1] < beyond < 1 << 80


def test_spent_parts_are_skipped_and_remembered(tmp_path: Path) -> None:
    segment = write(tmp_path / "backlog-1", {1: entries(range(3 * PART))})
    segment.begin(0, 0)
    segment.begin(2, 3)
    for left in (3, 2, 1):
        assert segment.live == 2, left
        segment.finish(2)
    segment.begin(2, 0)
    again = Segment(tmp_path, segment.describe(), 0)
    assert segment.live == again.live == 1
    assert again.find(1) == 1
    assert again.skip(2, 1) == -1


def test_parts_written_in_several_goes_are_sorted_by_their_first_key(tmp_path: Path) -> None:
    writer = SegmentWriter(tmp_path / "backlog-1")
    for batch in (range(500, 600), range(100), range(200, 210)):
        content = entries(batch)
        writer.put([4] * len(content), [key_of(entry) for entry in content], content)
    segment = Segment(tmp_path, writer.finish(), 0)
    starts = [segment.key(place) for place in range(segment.info.parts)]
    assert starts == sorted(starts)
    assert sorted(read(segment, 4), key=lambda entry: entry.seq) == [
        *entries(range(100)),
        *entries(range(200, 210)),
        *entries(range(500, 600)),
    ]


def test_entries_of_parts_are_gathered_from_any_block_and_file(tmp_path: Path) -> None:
    content = {lane: entries(range(lane * 1000, lane * 1000 + 300), lane) for lane in range(3)}
    segment = write(tmp_path / "backlog-1", content)
    assert segment.info.blocks >= 3
    other = write(tmp_path / "backlog-2", {0: entries(range(50, 60))})
    parts = np.array([segment.find(2), segment.find(0), segment.info.parts - 1])
    rows = gather([other, segment, other], [np.array([], int), parts, np.array([0])])
    expected = [*(entry for part in parts.tolist() for entry in segment.load(part)), *other.load(0)]
    bodies = list(rows.bodies(np.arange(len(expected) + 1)))
    assert [msgspec.msgpack.decode(body, type=Entry) for body in bodies] == expected
    assert list(rows.bodies(np.array([0, 20, len(expected)]))) == [b"".join(bodies[:20]), b"".join(bodies[20:])]
    assert rows.seqs.tolist() == [entry.seq for entry in expected]
    assert rows.lanes.tolist() == [entry.seq // 1000 for entry in expected]
    assert rows.ranks.tolist() == [key_of(entry) >> 40 for entry in expected]


def test_a_part_comes_undecoded_too(tmp_path: Path) -> None:
    segment = write(tmp_path / "backlog-1", {1: entries(range(40)), 2: entries(range(40, 45))})
    for part in range(segment.info.parts):
        items = segment.items(part)
        assert [decode_entry(body) for _, body in items] == segment.load(part)
        assert [key for key, _ in items] == [key_of(entry) for entry in segment.load(part)]


@pytest.mark.parametrize("after", [0.0, 5.0, 1e-300, -1.0])
@pytest.mark.parametrize("hops", [0, 127, 128, 70_000])
def test_the_earliest_time_is_read_from_a_stored_entry(after: float, hops: int) -> None:
    assert earliest(msgspec.msgpack.encode(Entry(1, 0, 0, "http://a.example/", "", 0, after, hops))) == after


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
    for size in (b"\xe0" + (1 << 62).to_bytes(8, "little"), b"\xff" * 9):  # larger than any memory, and no frame
        path.write_bytes(data[:20] + size + data[29:])  # behind the file's stamp and the frame's own
        with pytest.raises(StoreDamaged, match="damaged at byte 16"):
            Segment(tmp_path, info, 0).load(0)

"""The queues of all hosts: a bounded number of entries in memory, the others in files (`backlog`).

A lane is one queue. Its entries in memory are a heap; where it goes on in files is a heap of cursors, each with the key of the
next unread part. The next entry of a lane is the first of its heap unless an unread part begins before it; then that part is
loaded first. So the order is exact wherever the entries lie. Entries that came since the last spill (`seq >= floor`) are only
in memory and in the journal; all others are in exactly one file and may be forgotten in memory at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush, nsmallest
from pathlib import Path

from trasmallo.crawl.frontier.backlog import Entry, Segment, SegmentInfo, SegmentWriter, key_of, merge

_TIER = 8


class Part:
    """A loaded part: how many of its entries are not done yet."""

    __slots__ = ("left", "place", "segment")

    def __init__(self, segment: Segment, place: int, left: int) -> None:
        self.segment = segment
        self.place = place
        self.left = left


Item = tuple[int, Entry, Part | None]
Cursor = tuple[int, int, Segment, int]


class Lane:
    """One queue. `later` waits for its time; `cursors` is None as long as the files need not be searched for the lane.

    That is so while the heap begins with a key up to `bound`: nothing before that key is in files only.
    """

    __slots__ = ("bound", "cursors", "heap", "later")

    def __init__(self) -> None:
        self.heap: list[Item] = []
        self.later: list[tuple[float, int, Item]] = []
        self.cursors: list[Cursor] | None = None
        self.bound = -1


class DoneSet:
    """Numbers of finished entries, one bit each."""

    def __init__(self, bits: bytes = b"") -> None:
        self.bits = bytearray(bits)

    def add(self, seq: int) -> None:
        """Mark an entry."""
        byte = seq >> 3
        if byte >= len(self.bits):
            self.bits.extend(bytes(byte - len(self.bits) + 4096))
        self.bits[byte] |= 1 << (seq & 7)

    def without(self, entries: list[Entry]) -> list[Entry]:
        """The entries that are not marked."""
        bits = self.bits
        try:
            return [entry for entry in entries if not bits[entry.seq >> 3] >> (entry.seq & 7) & 1]
        except IndexError:
            return [entry for entry in entries if entry.seq not in self]

    def __contains__(self, seq: int) -> bool:
        byte = seq >> 3
        return byte < len(self.bits) and bool(self.bits[byte] >> (seq & 7) & 1)


class Queues:
    """All lanes. Entries in memory are `dirty` when no file has them, else clean; those are held under `limit`."""

    def __init__(self, folder: Path, limit: int, done: DoneSet, segments: Iterable[Segment] = (), floor: int = 0) -> None:
        self._folder = folder
        self._limit = limit
        self._lanes: dict[int, Lane] = {}
        self._out: dict[int, tuple[int, Item]] = {}
        self._clean = 0
        self._merging: Generator[SegmentInfo | None] | None = None
        self._merge_sources: list[Segment] = []
        self._merged: SegmentInfo | None = None
        self.unfinished: list[str] = []
        self.done = done
        self.segments = list(segments)
        self.floor = floor
        self.dirty = 0

    def push(self, lane_id: int, entries: Sequence[Entry]) -> None:
        """Queue new entries."""
        lane = self._lane(lane_id)
        self.dirty += len(entries)
        for entry in entries:
            key = key_of(entry)
            if entry.after:
                heappush(lane.later, (entry.after, key, (key, entry, None)))
            else:
                heappush(lane.heap, (key, entry, None))

    def take(self, lane_id: int, now: float, most: int) -> list[Item]:
        """The first entries of a lane that may be asked for now; they are out until finished or given back."""
        lane = self._lane(lane_id)
        taken: list[Item] = []
        while len(taken) < most and self._settle(lane_id, lane, now):
            taken.append(self._pop(lane_id, lane))
        if not lane.heap and not lane.later and not lane.cursors:
            del self._lanes[lane_id]
        return taken

    def first(self, lane_id: int, now: float) -> Entry | None:
        """The entry that `take` would give; None when nothing is ready."""
        lane = self._lane(lane_id)
        return lane.heap[0][1] if self._settle(lane_id, lane, now) else None

    def wait(self, lane_id: int) -> float:
        """When a lane that is not empty has something to give: 0 for at once, as far as one knows without reading files."""
        lane = self._lanes.get(lane_id)
        if lane is None or lane.heap or lane.cursors or lane.cursors is None:
            return 0.0
        return lane.later[0][0] if lane.later else 0.0

    def give_back(self, lane_id: int, items: Iterable[Item]) -> None:
        """Return entries that were taken and not asked for; their key brings them to the head."""
        in_files = False
        for item in items:
            del self._out[item[1].seq]
            if item[1].seq < self.floor:
                in_files = True
            else:
                heappush(self._lane(lane_id).heap, item)
                self.dirty += 1
        if in_files:
            # Their part may be unread, or read while they were out: only a new look at the files gives each of them once.
            self._evict(lane_id)

    def finish(self, items: Iterable[Item]) -> None:
        """Forget entries that were taken."""
        for _, entry, part in items:
            del self._out[entry.seq]
            self.done.add(entry.seq)
            if part is not None:
                part.left -= 1
                if not part.left:
                    part.segment.spent[part.place] = 1

    def relieve(self) -> None:
        """Keep clean entries within bounds: every lane keeps its first ones, so that hosts in turn need not be read again."""
        if self._clean > self._limit:
            self._evict_all()

    def prune(self) -> None:
        """Drop entries in memory that were marked done behind the queues' back (replay, discard)."""
        for lane in self._lanes.values():
            lane.heap = [item for item in lane.heap if item[1].seq not in self.done]
            lane.later = [waiting for waiting in lane.later if waiting[2][1].seq not in self.done]
            heapify(lane.heap)
            heapify(lane.later)
        self._recount()

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """Every entry that is queued and not out, with its lane; in no order, nothing stays in memory."""
        for lane_id, lane in list(self._lanes.items()):
            yield from [(lane_id, item[1]) for item in self._dirty_items(lane)]
        for segment in self.segments:
            for place in range(len(segment.lanes)):
                if segment.spent[place]:
                    continue
                lane_id = int(segment.lanes[place])
                for entry in segment.load(place):
                    if entry.seq not in self.done and entry.seq not in self._out:
                        yield lane_id, entry

    def peek(self, lane_id: int) -> Iterator[Entry]:
        """The entries of a lane in their order, whether their time has come or not; nothing stays in memory."""
        lane, clean = Lane(), self._clean
        held = self._lanes.get(lane_id)
        lane.heap = list(self._dirty_items(held)) if held else []
        heapify(lane.heap)
        while self._settle(lane_id, lane, math.inf):
            self._clean = clean
            yield heappop(lane.heap)[1]

    def spill(self, path: Path) -> SegmentInfo | None:
        """Write the entries that no file has into one, which counts from `adopt` on; None when there are none."""
        lanes: dict[int, list[Item]] = {}
        for lane_id, item in self._out.values():
            if item[1].seq >= self.floor:
                lanes.setdefault(lane_id, []).append(item)
        for lane_id, lane in self._lanes.items():
            dirty = self._dirty_items(lane)
            if dirty:
                lanes.setdefault(lane_id, []).extend(dirty)
        if not lanes:
            return None
        writer = SegmentWriter(path)
        try:
            for lane_id in sorted(lanes):
                writer.put(lane_id, [item[1] for item in sorted(lanes[lane_id])])
            return writer.finish()
        except BaseException:
            writer.abandon()
            raise

    def outlook(self, spilled: SegmentInfo | None) -> list[SegmentInfo]:
        """The files there will be after `adopt`: merged ones instead of their sources, none that is spent."""
        replaced = {id(segment) for segment in self._merge_sources} if self._merged else set()
        files = [segment.describe() for segment in self.segments if id(segment) not in replaced and segment.live()]
        files += [info for info in (self._merged, spilled) if info is not None and info.parts]
        return files

    def adopt(self, files: Sequence[SegmentInfo], floor: int) -> None:
        """Use the files of `outlook`, or none when nothing is queued: nothing is dirty any more."""
        if not files:
            self.close()
        current = {segment.info.name: segment for segment in self.segments}
        number = max((segment.number for segment in self.segments), default=0)
        opened = []
        for info in files:
            number += 1
            opened.append(current.get(info.name) or Segment(self._folder, info, number))
        self.segments, self.floor = opened, floor
        if self._merged is not None:
            self.close()
        # A lane that was never compared with the files can keep nothing.
        self._lanes = {number: lane for number, lane in self._lanes.items() if lane.cursors is not None or lane.bound >= 0}
        self._evict_all()

    def work(self, steps: int, path: Callable[[], Path]) -> None:
        """Go on with merging files, some parts at a call and more when there are many; `path` names a new file."""
        if self._merging is None:
            if self._merged is not None or not (sources := self._to_merge()):
                return
            self._merge_sources = sources
            target = path()
            self.unfinished = [target.name]
            self._merging = merge(sources, target, self.done.__contains__)
        try:
            for _ in range(steps * (1 + len(self.segments) // (2 * _TIER))):
                info = next(self._merging)
                if info is not None:
                    self._merging, self._merged = None, info
                    return
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give up a merge that is under way."""
        if self._merging is not None:
            self._merging.close()
        self._merging, self._merged, self._merge_sources, self.unfinished = None, None, [], []

    def _to_merge(self) -> list[Segment]:
        """Files of one size that became too many, or one that is mostly spent."""
        tiers: dict[int, list[Segment]] = {}
        for segment in self.segments:
            live = segment.live()
            if 0 < live < len(segment.lanes) // 2:
                return [segment]
            tiers.setdefault(live.bit_length() // 3, []).append(segment)
        return next((tier for _, tier in sorted(tiers.items()) if len(tier) >= _TIER), [])

    def _evict_all(self) -> None:
        keep = self._limit // (2 * len(self._lanes) + 1)
        for lane_id in list(self._lanes):
            self._evict(lane_id, keep)
        self._recount()

    def _recount(self) -> None:
        held = sum(len(lane.heap) + len(lane.later) for lane in self._lanes.values())
        self.dirty = sum(item[1].seq >= self.floor for lane in self._lanes.values() for item in self._items(lane))
        self._clean = held - self.dirty

    def _lane(self, lane_id: int) -> Lane:
        lane = self._lanes.get(lane_id)
        if lane is None:
            lane = self._lanes[lane_id] = Lane()
        return lane

    def _point(self, lane: Lane, segment: Segment, place: int) -> None:
        if place >= 0:
            assert lane.cursors is not None
            heappush(lane.cursors, (segment.key(place), segment.number, segment, place))

    def _settle(self, lane_id: int, lane: Lane, now: float) -> bool:
        """Bring the lane's first entry into its heap; False when nothing is ready."""
        heap, later = lane.heap, lane.later
        while later and later[0][0] <= now:
            heappush(heap, heappop(later)[2])
        if lane.cursors is None:
            if heap and heap[0][0] <= lane.bound:
                return True
            lane.cursors = []
            for segment in self.segments:
                self._point(lane, segment, segment.find(lane_id))
        while lane.cursors and (not heap or lane.cursors[0][0] < heap[0][0]):
            self._load(lane_id, lane, now)
        return bool(heap)

    def _load(self, lane_id: int, lane: Lane, now: float) -> None:
        assert lane.cursors
        _, _, segment, place = heappop(lane.cursors)
        self._point(lane, segment, segment.skip(place + 1, lane_id))
        undone = self.done.without(segment.load(place))
        if not undone:
            segment.spent[place] = 1
            return
        part = Part(segment, place, len(undone))
        for entry in undone:
            if entry.seq in self._out:
                continue
            key = key_of(entry)
            self._clean += 1
            if entry.after > now:
                heappush(lane.later, (entry.after, key, (key, entry, part)))
            else:
                heappush(lane.heap, (key, entry, part))

    def _pop(self, lane_id: int, lane: Lane) -> Item:
        item = heappop(lane.heap)
        seq = item[1].seq
        self._out[seq] = lane_id, item
        if seq >= self.floor:
            self.dirty -= 1
        else:
            self._clean -= 1
        return item

    def _evict(self, lane_id: int, keep: int = 0) -> None:
        """Forget a lane's clean entries but the first few, and those only where no unread part comes before them."""
        lane = self._lanes.get(lane_id)
        if lane is None:
            return
        end: float = lane.bound + 1
        if lane.cursors is not None:
            end = lane.cursors[0][0] if lane.cursors else math.inf
        held = len(lane.heap) + len(lane.later)
        later = [waiting for waiting in lane.later if waiting[2][1].seq >= self.floor]
        first = [] if len(later) < len(lane.later) or not keep else nsmallest(keep, self._clean_items(lane, end))
        lane.heap = [item for item in lane.heap if item[1].seq >= self.floor] + first
        lane.later, lane.cursors = later, None
        lane.bound = first[-1][0] if first else -1
        heapify(lane.heap)
        heapify(lane.later)
        self._clean -= held - len(lane.heap) - len(lane.later)
        if not lane.heap and not lane.later:
            del self._lanes[lane_id]

    def _clean_items(self, lane: Lane, end: float) -> Iterator[Item]:
        return (item for item in lane.heap if item[0] < end and item[1].seq < self.floor)

    def _dirty_items(self, lane: Lane) -> list[Item]:
        held = self._items(lane)
        if lane.cursors is None and lane.bound < 0:
            return held
        return [item for item in held if item[1].seq >= self.floor]

    @staticmethod
    def _items(lane: Lane) -> list[Item]:
        return lane.heap + [waiting[2] for waiting in lane.later] if lane.later else lane.heap

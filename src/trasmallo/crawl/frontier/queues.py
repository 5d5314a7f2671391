"""The queues of all hosts: a bounded number of entries in memory, the others in files (`backlog`).

A lane is one queue. Its entries in memory are a heap; where it goes on in files is a heap of cursors, each with the key of the
next unread part. The next entry of a lane is the first of its heap unless an unread part begins before it; then that part is
loaded first. So the order is exact wherever the entries lie.

Entries are told apart by their number. Those from `mark` on are dirty: only in memory and in the journal. Those from `floor` to
`mark` are frozen: a checkpoint is writing them to a file. All others are clean: in exactly one file, so they may be forgotten
in memory at any time. Nothing here goes through all lanes in one call: a checkpoint writes some thousand entries at a time, and
lanes are relieved of clean entries a few at a time.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from pathlib import Path

import numpy as np

from trasmallo.crawl.frontier.backlog import (
    FAST,
    PART,
    SEQ_BITS,
    Column,
    Entry,
    Segment,
    SegmentInfo,
    SegmentWriter,
    decode_entry,
    earliest,
    key_of,
)
from trasmallo.crawl.frontier.merging import Merging

_SLICE_ENTRIES = 4096  # judgement: entries written before others get a turn
_SLICE_LANES = 200  # judgement: hosts relieved of entries in one go


# Plain numbers instead of objects, which the garbage collector would go through again and again: an entry with its key and
# where it was read (a file's number and a part's place in one, -1 for nowhere); the key, file and place of a part still unread.
# What was read from a file stays as it is stored until it is taken, in half the memory.
Item = tuple[int, Entry | bytes, int]
Taken = tuple[int, Entry, int]
Cursor = tuple[int, int, int]
_NOWHERE = -1  # the entry is in no file
_SEQ = (1 << SEQ_BITS) - 1


class Lane:
    """One queue. `later` waits for its time; `cursors` is None as long as the files need not be searched for the lane.

    That is so while the heap begins with a key up to `bound`: nothing before that key is in files only. `floor` is that of the
    queues when the lane was last compared with the files or relieved: entries from there on are not in the files it knows.
    `newest` is the highest number that came.
    """

    __slots__ = ("bound", "cursors", "floor", "heap", "later", "newest")

    def __init__(self, floor: int) -> None:
        self.floor = floor
        self.newest = -1
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

    def without(self, items: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        """The items of entries that are not marked."""
        bits = self.bits
        try:
            return [item for item in items if not bits[(item[0] & _SEQ) >> 3] >> (item[0] & 7) & 1]
        except IndexError:
            return [item for item in items if (item[0] & _SEQ) not in self]

    def marked(self, seqs: Column) -> Column:
        """Which of the numbers are marked."""
        if not self.bits:
            return np.zeros(len(seqs), bool)
        bits = np.frombuffer(self.bits, np.uint8)
        places = (seqs >> np.uint64(3)).astype(np.int64)
        held = bits.take(places, mode="clip") >> (seqs & np.uint64(7)).astype(np.uint8) & 1
        marked: Column = np.logical_and(held, places < len(bits))
        return marked

    def __contains__(self, seq: int) -> bool:
        byte = seq >> 3
        return byte < len(self.bits) and bool(self.bits[byte] >> (seq & 7) & 1)


class Queues:
    """All lanes. `dirty` counts entries in memory that no file has nor is getting; clean ones are held under `limit`."""

    def __init__(
        self,
        folder: Path,
        limit: int,
        done: DoneSet,
        segments: Iterable[Segment] = (),
        floor: int = 0,
        *,
        slice_entries: int = _SLICE_ENTRIES,
    ) -> None:
        self._slice_entries = slice_entries
        self._folder = folder
        self._limit = limit
        self._lanes: dict[int, Lane] = {}
        self._out: dict[int, tuple[int, Item]] = {}
        self._clean = 0
        self._frozen = 0
        self._unsaved: set[int] = set()
        self._spilling: list[int] = []
        self._relieving: list[int] = []
        self._merged: SegmentInfo | None = None
        self.merging = Merging(done.marked)
        self.done = done
        self.segments = list(segments)
        self._files = {segment.number: segment for segment in self.segments}
        # Never twice, because entries in memory remember the number of a file that may be gone.
        self._numbers = itertools.count(max(self._files, default=0) + 1)
        self.floor = self.mark = floor
        self.dirty = 0

    def push(self, lane_id: int, entries: Sequence[Entry]) -> None:
        """Queue new entries."""
        lane = self._lane(lane_id)
        lane.newest = entries[-1].seq
        self._unsaved.add(lane_id)
        self.dirty += len(entries)
        for entry in entries:
            key = key_of(entry)
            if entry.after:
                heappush(lane.later, (entry.after, key, (key, entry, _NOWHERE)))
            else:
                heappush(lane.heap, (key, entry, _NOWHERE))

    def take(self, lane_id: int, now: float, most: int) -> list[Taken]:
        """The first entries of a lane that may be asked for now; they are out until finished or given back."""
        lane = self._lane(lane_id)
        taken: list[Taken] = []
        while len(taken) < most and self._settle(lane_id, lane, now):
            taken.append(self._pop(lane_id, lane))
        if not lane.heap and not lane.later and not lane.cursors:
            del self._lanes[lane_id]
        return taken

    def first(self, lane_id: int, now: float) -> Entry | None:
        """The entry that `take` would give; None when nothing is ready."""
        lane = self._lane(lane_id)
        return _decoded(lane.heap[0]) if self._settle(lane_id, lane, now) else None

    def first_priority(self, lane_id: int, now: float) -> int:
        """The priority of the entry that `take` would give; that of the last when nothing is ready."""
        first = self.first(lane_id, now)
        return sys.maxsize if first is None else first.priority

    def wait(self, lane_id: int) -> float:
        """When a lane that is not empty has something to give: 0 for at once, as far as one knows without reading files."""
        lane = self._lanes.get(lane_id)
        if lane is None or lane.heap or lane.cursors or lane.cursors is None:
            return 0.0
        return lane.later[0][0] if lane.later else 0.0

    def give_back(self, lane_id: int, items: Iterable[Taken]) -> None:
        """Return entries that were taken and not asked for; their key brings them to the head."""
        in_files = False
        for item in items:
            del self._out[item[0] & _SEQ]
            if item[0] & _SEQ < self.floor:
                in_files = True
            else:
                lane = self._lane(lane_id)
                lane.newest = max(lane.newest, item[0] & _SEQ)
                heappush(lane.heap, item)
                self._count(item[0] & _SEQ, 1)
        if in_files:
            # Their part may be unread, or read while they were out: only a new look at the files gives each of them once.
            self._evict(lane_id)

    def finish(self, items: Iterable[Taken]) -> None:
        """Forget entries that were taken."""
        for _, entry, origin in items:
            del self._out[entry.seq]
            self.done.add(entry.seq)
            if origin != _NOWHERE and (segment := self._files.get(origin >> 32)):
                segment.finish(origin & 0xFFFFFFFF)

    def relieve(self, lanes: int = _SLICE_LANES) -> None:
        """Forget clean entries of some lanes: of those just spilled, then of any while there are too many.

        Each keeps its first ones, so that they are at hand for its next turn.
        """
        keep = PART if self._clean <= self._limit else self._limit // (2 * len(self._lanes) + 2)
        for _ in range(lanes):
            if not self._relieving:
                if len(self._files) > len(self.segments):
                    self._files = {segment.number: segment for segment in self.segments}
                if self._clean <= self._limit:
                    return
                self._relieving = list(self._lanes)
            self._evict(self._relieving.pop(), keep)

    def prune(self) -> None:
        """Drop entries in memory that were marked done behind the queues' back (replay, discard)."""
        for lane in self._lanes.values():
            lane.heap = [item for item in lane.heap if item[0] & _SEQ not in self.done]
            lane.later = [waiting for waiting in lane.later if waiting[1] & _SEQ not in self.done]
            heapify(lane.heap)
            heapify(lane.later)
        self._recount()

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """Every entry that is queued and not out, with its lane; in no order, nothing stays in memory."""
        for lane_id, lane in list(self._lanes.items()):
            yield from [(lane_id, _decoded(item)) for item in self._dirty_items(lane)]
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
        lane, clean = Lane(self.floor), self._clean
        held = self._lanes.get(lane_id)
        lane.heap = list(self._dirty_items(held)) if held else []
        heapify(lane.heap)
        while self._settle(lane_id, lane, math.inf):
            self._clean = clean
            yield _decoded(heappop(lane.heap))

    def freeze(self, mark: int) -> None:
        """Begin a checkpoint: entries up to this number are to be spilled."""
        self.mark = mark
        self._frozen += self.dirty
        self.dirty = 0

    def thaw(self) -> None:
        """Give a checkpoint up: what was frozen is dirty again."""
        self.mark = self.floor
        self.dirty += self._frozen
        self._frozen = 0
        self._unsaved.update(self._spilling)

    def spill(self, path: Path) -> Generator[SegmentInfo | None]:
        """Write what is frozen into a file, which counts from `adopt` on: None after each slice, at last the file.

        In the meantime entries may come, be taken, be given back and be finished; the last are written or not.
        """
        lanes = sorted(self._unsaved, reverse=True)
        self._spilling, self._unsaved = lanes[:], set()
        writer = SegmentWriter(path, FAST)
        try:
            while lanes:
                numbers, items = self._next_frozen(lanes)
                for start in range(0, len(items), self._slice_entries):
                    part = items[start : start + self._slice_entries]
                    chosen = numbers[start : start + self._slice_entries]
                    writer.put(chosen, [item[0] for item in part], [_decoded(item) for item in part])
                    yield None
            info = writer.finish()
        except BaseException:
            writer.abandon()
            raise
        yield info

    def outlook(self) -> list[SegmentInfo]:
        """The files there are at a checkpoint besides what is spilled: merged ones instead of their sources, none spent."""
        self._merged = merged = self.merging.merged
        replaced = {id(segment) for segment in self.merging.sources} if merged else set()
        files = [segment.describe() for segment in self.segments if id(segment) not in replaced and segment.live]
        return [*files, merged] if merged is not None and merged.parts else files

    def adopt(self, files: Sequence[SegmentInfo]) -> None:
        """Use the files that a checkpoint names: what was frozen is clean."""
        current = {segment.info.name: segment for segment in self.segments}
        self.segments = [current.get(info.name) or Segment(self._folder, info, next(self._numbers)) for info in files]
        self._files.update({segment.number: segment for segment in self.segments})
        self.floor = self.mark
        self._clean += self._frozen
        self._frozen = 0
        self._relieving += self._spilling
        self._spilling = []
        if not files or (self._merged is not None and self._merged is self.merging.merged):
            self.merging.close()
            # Lanes that still point into the files that were merged keep them on disk.
            self._relieving = list(self._lanes)

    def _next_frozen(self, lanes: list[int]) -> tuple[list[int], list[Item]]:
        """What is frozen in the last of the lanes, as many as make a slice; they are taken off the list."""
        out: dict[int, list[Item]] = {}
        for lane_id, item in self._out.values():
            out.setdefault(lane_id, []).append(item)
        floor, mark = self.floor, self.mark
        numbers: list[int] = []
        items: list[Item] = []
        while lanes and len(items) < self._slice_entries:
            lane_id = lanes.pop()
            lane = self._lanes.get(lane_id)
            held = (self._items(lane) if lane else []) + out.get(lane_id, [])
            frozen = [item for item in held if floor <= item[0] & _SEQ < mark]
            if frozen:
                items += frozen
                numbers += [lane_id] * len(frozen)
        return numbers, items

    def _recount(self) -> None:
        self.dirty = self._frozen = self._clean = 0
        for lane in self._lanes.values():
            for item in self._items(lane):
                self._count(item[0] & _SEQ, 1)

    def _count(self, seq: int, step: int) -> None:
        if seq >= self.mark:
            self.dirty += step
        elif seq >= self.floor:
            self._frozen += step
        else:
            self._clean += step

    def _lane(self, lane_id: int) -> Lane:
        lane = self._lanes.get(lane_id)
        if lane is None:
            lane = self._lanes[lane_id] = Lane(self.floor)
        return lane

    def _settle(self, lane_id: int, lane: Lane, now: float) -> bool:
        """Bring the lane's first entry into its heap; False when nothing is ready."""
        heap, later = lane.heap, lane.later
        while later and later[0][0] <= now:
            heappush(heap, heappop(later)[2])
        if lane.cursors is None:
            if heap and heap[0][0] <= lane.bound:
                return True
            self._look(lane_id, lane)
        while lane.cursors and (not heap or lane.cursors[0][0] < heap[0][0]):
            self._load(lane_id, lane, now)
        return bool(heap)

    def _look(self, lane_id: int, lane: Lane) -> None:
        """Search the files for a lane; what they have is not kept twice."""
        if lane.floor != self.floor:
            held = len(lane.heap) + len(lane.later)
            lane.heap[:] = [item for item in lane.heap if item[0] & _SEQ >= self.floor]
            lane.later[:] = [waiting for waiting in lane.later if waiting[1] & _SEQ >= self.floor]
            heapify(lane.heap)
            heapify(lane.later)
            self._clean -= held - len(lane.heap) - len(lane.later)
            lane.floor = self.floor
        places = [(segment, segment.find(lane_id)) for segment in self.segments]
        lane.cursors = [(segment.key(place), segment.number, place) for segment, place in places if place >= 0]
        heapify(lane.cursors)

    def _load(self, lane_id: int, lane: Lane, now: float) -> None:
        assert lane.cursors is not None
        _, number, place = heappop(lane.cursors)
        segment = self._files[number]
        if (following := segment.skip(place + 1, lane_id)) >= 0:
            heappush(lane.cursors, (segment.key(following), number, following))
        undone = self.done.without(segment.items(place))
        segment.begin(place, len(undone))
        origin = number << 32 | place
        for key, body in undone:
            if key & _SEQ in self._out:
                continue
            self._clean += 1
            if (after := earliest(body)) > now:
                heappush(lane.later, (after, key, (key, body, origin)))
            else:
                heappush(lane.heap, (key, body, origin))

    def _pop(self, lane_id: int, lane: Lane) -> Taken:
        item = heappop(lane.heap)
        seq = item[0] & _SEQ
        taken = item[0], _decoded(item), item[2]
        self._out[seq] = lane_id, taken
        self._count(seq, -1)
        return taken

    def _evict(self, lane_id: int, keep: int = 0) -> None:
        """Forget a lane's clean entries but the first few, and those only where no unread part comes before them."""
        lane = self._lanes.get(lane_id)
        if lane is None:
            return
        if lane.newest < self.floor and lane.cursors is None and lane.bound < 0:
            # The most frequent case: a host that was found and not asked for since the last checkpoint.
            self._clean -= len(lane.heap) + len(lane.later)
            del self._lanes[lane_id]
            return
        held = len(lane.heap) + len(lane.later)
        later = [waiting for waiting in lane.later if waiting[1] & _SEQ >= self.floor]
        if lane.cursors is None and not lane.later and keep and self._clean <= self._limit:
            lane.heap = [item for item in lane.heap if item[0] <= lane.bound or item[0] & _SEQ >= self.floor]
        else:
            first, dirty = self._first_clean(lane, 0 if len(later) < len(lane.later) else keep)
            dirty += [item for item in lane.heap if item[0] & _SEQ >= self.floor]
            lane.heap = first + dirty
            lane.bound = first[-1][0] if first else -1
        lane.later, lane.cursors, lane.floor = later, None, self.floor
        heapify(lane.heap)
        heapify(lane.later)
        self._clean -= held - len(lane.heap) - len(lane.later)
        if not lane.heap and not lane.later:
            del self._lanes[lane_id]

    def _first_clean(self, lane: Lane, most: int) -> tuple[list[Item], list[Item]]:
        """Takes the first entries off a lane's heap, clean ones and dirty ones between them, up to what is still unread."""
        end: float = lane.bound + 1
        if lane.cursors is not None:
            end = lane.cursors[0][0] if lane.cursors else math.inf
        clean: list[Item] = []
        dirty: list[Item] = []
        while lane.heap and len(clean) < most and lane.heap[0][0] < end:
            item = heappop(lane.heap)
            (clean if item[0] & _SEQ < self.floor else dirty).append(item)
        return clean, dirty

    def _dirty_items(self, lane: Lane) -> list[Item]:
        return [item for item in self._items(lane) if item[0] & _SEQ >= self.floor]

    @staticmethod
    def _items(lane: Lane) -> list[Item]:
        return lane.heap + [waiting[2] for waiting in lane.later] if lane.later else lane.heap


def _decoded(item: Item) -> Entry:
    entry = item[1]
    return decode_entry(entry) if isinstance(entry, bytes) else entry

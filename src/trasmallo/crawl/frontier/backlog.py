"""Queued targets that do not fit in memory: immutable files of sorted parts.

A part holds up to 16 entries of one lane (a host's queue) in the order in which they are due. Parts lie in blocks of about
8 kB, each a checksummed zstd frame, so that the common head of a site's URLs costs next to nothing. After the blocks comes an
index of columns, one row a part, sorted by lane and by the key of the part's first entry; it is mapped into memory, not read:
32 bytes a part, so about two an entry. A file is never changed: entries that are done are known by their number, files with
many of them are merged into new ones, a few parts at a step, so that nobody waits for a merge.
"""

from __future__ import annotations

import itertools
import mmap
import os
import weakref
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash
import zstandard

from trasmallo.crawl.frontier.journal import REPAIR, STAMP, check_stamp, stamp
from trasmallo.errors import StoreDamaged, disk_errors

KIND = b"backlog"
PART = 16
_BLOCK_BYTES = 8 * 1024
_SORTED_PARTS = 256
_SYNC_BYTES = 8 << 20
_SEQ_BITS = 40
_NOWHERE = 0xFFFFFFFF
_DEPTH_MOST = (1 << 16) - 1
_PRIORITY_BIAS = 1 << 23
_COLUMNS = (("lane", "u4"), ("block", "u4"), ("start", "u4"), ("stop", "u4"), ("rank", "u8"), ("seq", "u8"))


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A queued target. `seq` numbers arrivals; `attempts` counts askings before; `after` is the earliest time, 0 for any."""

    seq: int
    priority: int
    depth: int
    url: str
    via: str
    attempts: int = 0
    after: float = 0.0
    hops: int = 0


def key_of(entry: Entry) -> int:
    """What a queue is sorted by: priority, depth, arrival. What is out of range counts as the end of the range."""
    priority, depth = entry.priority, entry.depth
    if not (-_PRIORITY_BIAS <= priority < _PRIORITY_BIAS and 0 <= depth <= _DEPTH_MOST):
        priority = min(max(priority, -_PRIORITY_BIAS), _PRIORITY_BIAS - 1)
        depth = min(max(depth, 0), _DEPTH_MOST)
    return ((priority + _PRIORITY_BIAS) << 16 | depth) << _SEQ_BITS | entry.seq


class SegmentInfo(msgspec.Struct, frozen=True, array_like=True):
    """A file as the checkpoint names it. `spent` has a bit for each part, set when nothing in it is queued any more."""

    name: str
    parts: int
    blocks: int
    index_at: int
    digest: int
    entries: int
    spent: bytes = b""


_encode_part = msgspec.msgpack.Encoder().encode
_decode_part = msgspec.msgpack.Decoder(list[Entry]).decode


class Segment:
    """One file of parts, read only. `number` tells files apart in ties; `spent` has a byte for each part."""

    def __init__(self, folder: Path, info: SegmentInfo, number: int) -> None:
        self.path = folder / info.name
        self.number = number
        self.info = info
        # Blocks are read, not mapped: the pages of a file that is merged would count as the program's memory.
        self._file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)
        mapped = _mapped(self._file, self.path)
        _check_index(mapped, info, self.path)
        offset = info.index_at
        columns = {}
        self._offsets, offset = _column(mapped, "u8", info.blocks + 1, offset)
        for name, kind in reversed(_COLUMNS):
            columns[name], offset = _column(mapped, kind, info.parts, offset)
        self.lanes, self.ranks, self.seqs = columns["lane"], columns["rank"], columns["seq"]
        self.blocks, self.starts, self.stops = columns["block"], columns["start"], columns["stop"]
        self.spent = _unpack_bits(info.spent, info.parts)
        self._firsts = _first_places(self.lanes)
        self._decompressor = zstandard.ZstdDecompressor()
        self._block = (-1, b"")

    def describe(self) -> SegmentInfo:
        """The file with its parts' present state."""
        bits = np.packbits(np.frombuffer(bytes(self.spent), np.uint8)).tobytes()
        return msgspec.structs.replace(self.info, spent=bits if any(bits) else b"")

    def live(self) -> int:
        """How many parts may still hold queued entries."""
        return self.spent.count(0)

    def find(self, lane: int) -> int:
        """The first unspent part of a lane; -1 when there is none."""
        first = self._firsts[lane] if lane < len(self._firsts) else _NOWHERE
        return -1 if first == _NOWHERE else self.skip(first, lane)

    def skip(self, part: int, lane: int) -> int:
        """The first unspent part of the lane from this one on; -1 when there is none."""
        found = self.spent.find(0, part)
        return found if found >= 0 and self.lanes[found] == lane else -1

    def key(self, part: int) -> int:
        """The key of the part's first entry."""
        return int(self.ranks[part]) << _SEQ_BITS | int(self.seqs[part])

    def load(self, part: int) -> list[Entry]:
        """The entries of a part, done or not, in order."""
        return _decode_part(self.raw(part))

    def raw(self, part: int) -> bytes:
        """A part as it is stored."""
        block = int(self.blocks[part])
        if self._block[0] != block:
            self._block = block, self._decompress(block)
        return self._block[1][self.starts[part] : self.stops[part]]

    def forget(self) -> None:
        """Drop the last decompressed block."""
        self._block = (-1, b"")

    def _decompress(self, block: int) -> bytes:
        start, stop = int(self._offsets[block]), int(self._offsets[block + 1])
        try:
            return self._decompressor.decompress(os.pread(self._file, stop - start, start))
        except zstandard.ZstdError as error:
            raise StoreDamaged(f"{self.path} is damaged at byte {start}", REPAIR) from error


class SegmentWriter:
    """Writes a file of parts; lanes in any order, a lane's entries sorted by key."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._compressor = zstandard.ZstdCompressor(level=1, write_checksum=True)
        self._places = array("I")
        self._keys = array("Q")
        self._offsets = array("Q")
        self._block: list[bytes] = []
        self._block_size = 0
        self._entries = 0
        self._synced = 0
        with disk_errors(path):
            self._file = path.open("wb")
            self._file.write(stamp(KIND))

    def put(self, lane: int, entries: Sequence[Entry]) -> None:
        """Store a lane's entries in parts."""
        for start in range(0, len(entries), PART):
            part = entries[start : start + PART]
            self.put_raw(lane, key_of(part[0]) >> _SEQ_BITS, part[0].seq, _encode_part(part))
            self._entries += len(part)

    def put_raw(self, lane: int, rank: int, seq: int, raw: bytes) -> None:
        """Store a part as another file had it."""
        start = self._block_size
        self._places.extend((lane, len(self._offsets), start, start + len(raw)))
        self._keys.extend((rank, seq))
        self._block.append(raw)
        self._block_size += len(raw)
        if self._block_size >= _BLOCK_BYTES:
            self._end_block()

    def finish(self) -> SegmentInfo:
        """Write the index and wait for the disk."""
        self._end_block()
        with disk_errors(self._path):
            index_at = self._file.tell()
            self._offsets.append(index_at)
            padding = -index_at % 8
            index = bytes(padding) + self._index()
            self._file.write(index)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        digest = xxhash.xxh3_64_intdigest(index[padding:])
        return SegmentInfo(
            self._path.name, len(self._keys) // 2, len(self._offsets) - 1, index_at + padding, digest, self._entries
        )

    def abandon(self) -> None:
        """Give up a file that will not be finished."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _end_block(self) -> None:
        if not self._block:
            return
        with disk_errors(self._path):
            at = self._file.tell()
            self._offsets.append(at)
            self._file.write(self._compressor.compress(b"".join(self._block)))
            if at - self._synced > _SYNC_BYTES:
                # A little at a time, or the last sync would have to wait for the whole file.
                self._file.flush()
                os.fdatasync(self._file.fileno())
                self._synced = at
        self._block.clear()
        self._block_size = 0

    def _index(self) -> bytes:
        places = np.frombuffer(self._places, np.uint32).reshape(-1, 4)
        keys = np.frombuffer(self._keys, np.uint64).reshape(-1, 2)
        columns = [*places.T, *keys.T]
        order = np.lexsort((keys[:, 1], keys[:, 0], places[:, 0]))
        return self._offsets.tobytes() + b"".join(column[order].tobytes() for column in reversed(columns))


def merge(segments: Sequence[Segment], path: Path, is_done: Callable[[int], bool]) -> Generator[SegmentInfo | None]:
    """Write the unspent parts of some files as one: None after each part, at last the new file.

    A lane's entries are sorted anew, without those that are done; the parts of a very long lane are copied as they are.
    """
    writer = SegmentWriter(path)
    try:
        for lane, parts in itertools.groupby(_in_lane_order(segments), lambda place: int(place[0].lanes[place[1]])):
            entries: list[Entry] = []
            for number, (segment, part) in enumerate(parts):
                if number < _SORTED_PARTS:
                    entries += [entry for entry in segment.load(part) if not is_done(entry.seq)]
                else:
                    writer.put_raw(lane, int(segment.ranks[part]), int(segment.seqs[part]), segment.raw(part))
                yield None
            writer.put(lane, sorted(entries, key=key_of))
        info = writer.finish()
    except BaseException:
        writer.abandon()
        raise
    yield info


def _in_lane_order(segments: Sequence[Segment]) -> Iterator[tuple[Segment, int]]:
    live = [np.flatnonzero(np.frombuffer(bytes(segment.spent), np.uint8) == 0).astype(np.uint32) for segment in segments]
    lanes = np.concatenate([segment.lanes[parts] for segment, parts in zip(segments, live, strict=True)])
    owners = np.repeat(np.arange(len(segments), dtype=np.uint16), [len(parts) for parts in live])
    parts = np.concatenate(live)
    order = np.argsort(lanes, kind="stable").astype(np.uint32)
    for place in order:
        yield segments[owners[place]], int(parts[place])


def _mapped(file: int, path: Path) -> mmap.mmap:
    check_stamp(os.pread(file, STAMP.size, 0), KIND, path)
    return mmap.mmap(file, 0, access=mmap.ACCESS_READ)


def _index_size(info: SegmentInfo) -> int:
    return 8 * (info.blocks + 1) + info.parts * sum(int(kind[1]) for _, kind in _COLUMNS)


def _check_index(mapped: mmap.mmap, info: SegmentInfo, path: Path) -> None:
    end = info.index_at + _index_size(info)
    if len(mapped) != end:
        raise StoreDamaged(f"{path} ends at byte {len(mapped)} instead of {end}", REPAIR)
    if xxhash.xxh3_64_intdigest(memoryview(mapped)[info.index_at : end]) != info.digest:
        raise StoreDamaged(f"{path} is damaged somewhere after byte {info.index_at}", REPAIR)


def _column(mapped: mmap.mmap, kind: str, count: int, offset: int) -> tuple[npt.NDArray[np.unsignedinteger], int]:
    return np.frombuffer(mapped, kind, count, offset), offset + count * int(kind[1])


def _first_places(lanes: npt.NDArray[np.unsignedinteger]) -> array[int]:
    """Where each lane begins, by its number: 4 bytes a lane, against a search in every file for every host in turn."""
    firsts = np.full(int(lanes[-1]) + 1, _NOWHERE, np.uint32)
    begins = np.flatnonzero(np.diff(lanes, prepend=lanes[-1] + 1))
    firsts[lanes[begins]] = begins
    return array("I", firsts.tobytes())


def _unpack_bits(bits: bytes, count: int) -> bytearray:
    if not bits:
        return bytearray(count)
    return bytearray(np.unpackbits(np.frombuffer(bits, np.uint8), count=count).tobytes())

"""Queued targets that do not fit in memory: immutable files of sorted parts.

A part holds up to 16 entries of one lane (a host's queue) in the order in which they are due. Parts lie in blocks of about
16 kB, each a checksummed zstd frame: the columns by which entries are sorted, then the entries themselves, so that files can be
merged (`merging`) without decoding an entry. After the blocks comes an index of columns, one row a part, sorted by lane and by
the key of the part's first entry; it is mapped into memory, not read: 32 bytes a part, so about two an entry. A file is never
changed: entries that are done are known by their number, files with many of them are merged into new ones.
"""

from __future__ import annotations

import itertools
import mmap
import os
import weakref
from array import array
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash
import zstandard

from trasmallo.crawl.frontier.journal import STAMP, check_stamp, stamp
from trasmallo.values import bounded_zstd
from trasmallo.values.arrays import Array
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import REBUILD, StoreDamaged, disk_errors
from trasmallo.values.model import Reached, Target

KIND = b"backlog"
PART = 16  # entries of a host that are written together; see the arithmetic in `frontier`
# A file that is soon merged is hardly compressed, one that stays for long is: 88 and 70 bytes an entry.
FAST, SMALL = -20, -5
_BLOCK_BYTES = 16 * 1024  # judgement: bytes compressed together
_LARGEST_BLOCK = 64_000_000  # judgement: a thousand times what the longest addresses make of one; more is no block of ours
SEQ_BITS = 40  # of an entry's number: a million million of them
_NOWHERE = 0xFFFFFFFF  # no host has so many parts
_AT_ONCE = msgspec.msgpack.encode(0.0)
_DEPTH_MOST = (1 << 16) - 1  # what 16 bits hold
_PRIORITY_BIAS = 1 << 23  # priorities are kept as 24 bits from here on
_COLUMNS = (("lane", "u4"), ("block", "u4"), ("start", "u4"), ("stop", "u4"), ("rank", "u8"), ("seq", "u8"))

Column = Array


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A queued target. `seq` numbers arrivals; `attempts` counts askings before; `after` is the earliest time, 0 for any.

    `seed` is how many characters of the URL are its seed, where it begins with it: most do, and a number takes less room.
    """

    seq: int
    priority: int
    depth: int
    url: str
    via: str
    attempts: int = 0
    after: float = 0.0
    hops: int = 0
    from_public: bool = False
    seed: str | int = ""
    reached: Reached = Reached.UNKNOWN


def target_of(entry: Entry) -> Target:
    """What an entry asks for."""
    seed = entry.seed if isinstance(entry.seed, str) else entry.url[: entry.seed]
    # By position: every page.
    return Target(entry.url, entry.depth, entry.priority, entry.via, entry.hops, entry.from_public, seed, entry.reached)


def entry_of(seq: int, target: Target) -> Entry:
    """A target as it is queued."""
    url, seed = target.url, target.seed
    short = len(seed) if seed and url.startswith(seed) else seed
    # By position: this is done for every link that is found.
    return Entry(
        seq, target.priority, target.depth, url, target.via, 0, 0.0, target.hops, target.from_public, short, target.reached
    )


def key_of(entry: Entry) -> int:
    """What a queue is sorted by: priority, depth, arrival. What is out of range counts as the end of the range."""
    priority, depth = entry.priority, entry.depth
    if not (-_PRIORITY_BIAS <= priority < _PRIORITY_BIAS and 0 <= depth <= _DEPTH_MOST):
        priority = min(max(priority, -_PRIORITY_BIAS), _PRIORITY_BIAS - 1)
        depth = min(max(depth, 0), _DEPTH_MOST)
    return ((priority + _PRIORITY_BIAS) << 16 | depth) << SEQ_BITS | entry.seq


class SegmentInfo(msgspec.Struct, frozen=True, array_like=True):
    """A file as the checkpoint names it. `spent` has a bit for each part, set when nothing in it is queued any more."""

    name: str
    parts: int
    blocks: int
    index_at: int
    digest: int
    entries: int
    spent: bytes = b""


class Rows(NamedTuple):
    """Encoded entries with what they are sorted by: each lies in `data` from `begins` to `ends`."""

    lanes: Column
    ranks: Column
    seqs: Column
    begins: Column
    ends: Column
    data: bytes

    def pick(self, places: Column) -> Rows:
        """Some of the rows, in this order."""
        lanes, ranks, seqs = self.lanes[places], self.ranks[places], self.seqs[places]
        return Rows(lanes=lanes, ranks=ranks, seqs=seqs, begins=self.begins[places], ends=self.ends[places], data=self.data)

    def in_order(self) -> Rows:
        """The rows as a file has them."""
        return self.pick(np.lexsort((self.seqs, self.ranks, self.lanes)))

    def bodies(self, edges: Column) -> Iterator[bytes]:
        """The encoded entries from each edge to the next, as one; those that lie together are copied together."""
        fresh = np.append(True, self.begins[1:] != self.ends[:-1])
        fresh[edges[:-1]] = True
        firsts = np.flatnonzero(fresh)
        lasts = np.append(firsts[1:], len(self.seqs)) - 1
        data, bounds = self.data, zip(self.begins[firsts].tolist(), self.ends[lasts].tolist(), strict=True)
        pieces = [data[begin:end] for begin, end in bounds]
        for start, stop in itertools.pairwise(np.searchsorted(firsts, edges).tolist()):
            yield b"".join(pieces[start:stop])


class BacklogBlock:
    """A decompressed block: how many entries, their ranks, seqs and ends (counted from the block's start), bodies."""

    __slots__ = ("count", "data", "ends")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.count = int.from_bytes(data[:8], "little")
        self.ends = np.frombuffer(data, np.uint32, self.count, 8 + 16 * self.count)

    @property
    def ranks(self) -> Column:
        """The upper halves of the entries' keys."""
        return np.frombuffer(self.data, np.uint64, self.count, 8)

    @property
    def seqs(self) -> Column:
        """The lower halves."""
        return np.frombuffer(self.data, np.uint64, self.count, 8 + 8 * self.count)

    def items(self, start: int, stop: int) -> list[tuple[int, bytes]]:
        """Some consecutive entries as they are stored, each with its key."""
        ends = self.ends[start:stop].tolist()
        begins = [int(self.ends[start - 1]) if start else 8 + 20 * self.count, *ends]
        keys = zip(self.ranks[start:stop].tolist(), self.seqs[start:stop].tolist(), strict=True)
        bodies = [self.data[begin:end] for begin, end in zip(begins, ends, strict=False)]
        return [(rank << SEQ_BITS | seq, body) for (rank, seq), body in zip(keys, bodies, strict=True)]

    def entries(self, start: int, stop: int) -> list[Entry]:
        """Some consecutive entries."""
        begin = int(self.ends[start - 1]) if start else 8 + 20 * self.count
        return _decode_list(b"\xdc" + (stop - start).to_bytes(2, "big") + self.data[begin : self.ends[stop - 1]])

    @staticmethod
    def pack(rows: Rows, start: int, stop: int, bodies: bytes) -> bytes:
        """The bytes of a block with some of the rows, whose bodies these are."""
        count = stop - start
        sizes = (rows.ends[start:stop] - rows.begins[start:stop]).astype(np.uint32)
        ends = np.cumsum(sizes, dtype=np.uint32) + np.uint32(8 + 20 * count)
        columns = [rows.ranks[start:stop].tobytes(), rows.seqs[start:stop].tobytes(), ends.tobytes()]
        return b"".join([count.to_bytes(8, "little"), *columns, bodies])


_encode_entry = msgspec.msgpack.Encoder().encode
_decode_list = msgspec.msgpack.Decoder(decodable(list[Entry])).decode
decode_entry = msgspec.msgpack.Decoder(decodable(Entry)).decode


def earliest(body: bytes) -> float:
    """When a stored entry may be asked for. Nearly all say 0.0 and end in it and two values of one byte, so few are decoded."""
    return 0.0 if body[-11:-2] == _AT_ONCE else decode_entry(body).after


class Segment:
    """One file of parts, read only. `number` tells files apart; `spent` has a byte for each part, `live` are not."""

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
        self.live = self.spent.count(0)
        self._firsts = _first_places(self.lanes)
        # A single number of an array is had from its buffer in a quarter of the time.
        self._lane, self._rank, self._seq = self.lanes.data, self.ranks.data, self.seqs.data
        self._left: dict[int, int] = {}
        self._decompressor = zstandard.ZstdDecompressor()
        self._block: tuple[int, BacklogBlock | None] = (-1, None)

    def describe(self) -> SegmentInfo:
        """The file with its parts' present state."""
        bits = np.packbits(np.frombuffer(bytes(self.spent), np.uint8)).tobytes()
        return msgspec.structs.replace(self.info, spent=bits if any(bits) else b"")

    def find(self, lane: int) -> int:
        """The first unspent part of a lane; -1 when there is none."""
        first = self._firsts[lane] if lane < len(self._firsts) else _NOWHERE
        return -1 if first == _NOWHERE else self.skip(first, lane)

    def skip(self, part: int, lane: int) -> int:
        """The first unspent part of the lane from this one on; -1 when there is none."""
        found = self.spent.find(0, part)
        return found if found >= 0 and self._lane[found] == lane else -1

    def key(self, part: int) -> int:
        """The key of the part's first entry."""
        return self._rank[part] << SEQ_BITS | self._seq[part]

    def load(self, part: int) -> list[Entry]:
        """The entries of a part, done or not, in order."""
        return self.read(int(self.blocks[part])).entries(int(self.starts[part]), int(self.stops[part]))

    def all(self) -> Iterator[Entry]:
        """The entries of all parts, done or not."""
        return (entry for part in range(len(self.lanes)) for entry in self.load(part))

    def items(self, part: int) -> list[tuple[int, bytes]]:
        """The same with their keys, not decoded."""
        return self.read(int(self.blocks[part])).items(int(self.starts[part]), int(self.stops[part]))

    def begin(self, part: int, entries: int) -> None:
        """So many entries of a part that was loaded are not done yet."""
        self._left[part] = entries + 1
        self.finish(part)

    def finish(self, part: int) -> None:
        """One more entry of a part is done; it is spent when that was the last."""
        left = self._left.get(part, 0) - 1
        if left > 0:
            self._left[part] = left
        elif self._left.pop(part, 0):
            self.live -= not self.spent[part]
            self.spent[part] = 1

    def read(self, number: int) -> BacklogBlock:
        """A block; the last one is remembered."""
        last, block = self._block
        if block is None or last != number:
            block = BacklogBlock(self._decompress(number))
            self._block = number, block
        return block

    def _decompress(self, block: int) -> bytes:
        start, stop = int(self._offsets[block]), int(self._offsets[block + 1])
        try:
            return bounded_zstd.decompress(os.pread(self._file, stop - start, start), _LARGEST_BLOCK, self._decompressor)
        except zstandard.ZstdError as error:
            raise StoreDamaged("{path} is damaged at byte {start}", REBUILD, path=self.path, start=start) from error


class SegmentWriter:
    """Writes a file of parts, `level` being zstd's. It is for the caller to make the finished file durable."""

    def __init__(self, path: Path, level: int = SMALL) -> None:
        self._path = path
        self._compressor = zstandard.ZstdCompressor(level=level, write_checksum=True)
        self._index: list[tuple[Column, ...]] = []
        self._offsets = array("Q")
        self._entries = 0
        with disk_errors(path):
            self._file = path.open("wb")
            self._file.write(stamp(KIND))

    def put(self, lanes: Sequence[int], keys: Sequence[int], entries: Sequence[Entry]) -> None:
        """Store entries, given with their lanes and keys, in any order."""
        count = len(entries)
        ranks = np.fromiter([key >> SEQ_BITS for key in keys], np.uint64, count)
        seqs = np.fromiter([entry.seq for entry in entries], np.uint64, count)
        bodies = [_encode_entry(entry) for entry in entries]
        ends = np.cumsum(np.fromiter(map(len, bodies), np.int64, count))
        begins = np.concatenate([[0], ends[:-1]])
        self.put_rows(
            Rows(lanes=np.array(lanes, np.uint32), ranks=ranks, seqs=seqs, begins=begins, ends=ends, data=b"".join(bodies))
        )

    def put_rows(self, rows: Rows) -> None:
        """Store encoded entries, in any order."""
        if not len(rows.seqs):
            return
        rows = rows.in_order()
        heads, blocks = _cut(rows)
        edges = np.append(heads[np.flatnonzero(np.diff(blocks, prepend=-1))], len(rows.seqs))
        starts = heads - edges[blocks]
        stops = np.append(heads[1:], len(rows.seqs)) - edges[blocks]
        self._index.append((rows.lanes[heads], blocks + len(self._offsets), starts, stops, rows.ranks[heads], rows.seqs[heads]))
        with disk_errors(self._path):
            for (start, stop), bodies in zip(itertools.pairwise(edges.tolist()), rows.bodies(edges), strict=True):
                self._offsets.append(self._file.tell())
                self._file.write(self._compressor.compress(BacklogBlock.pack(rows, start, stop, bodies)))
        self._entries += len(rows.seqs)

    def finish(self) -> SegmentInfo:
        """Write the index."""
        *_, info = self.finishing()
        assert info is not None
        return info

    def finishing(self) -> Generator[SegmentInfo | None]:
        """The same a column at a step: None after each, at last the file."""
        digest = xxhash.xxh3_64()
        with disk_errors(self._path):
            index_at = self._file.tell()
            self._offsets.append(index_at)
            self._file.write(bytes(-index_at % 8))
            for data in self._columns():
                digest.update(data)
                self._file.write(data)
                yield None
            self._file.close()
        start, blocks = index_at + -index_at % 8, len(self._offsets) - 1
        parts = sum(len(rows[0]) for rows in self._index)
        yield SegmentInfo(
            name=self._path.name, parts=parts, blocks=blocks, index_at=start, digest=digest.intdigest(), entries=self._entries
        )

    def abandon(self) -> None:
        """Give up a file, finished or not."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _columns(self) -> Iterator[bytes]:
        """The columns of the index, the widest first."""
        yield self._offsets.tobytes()
        if not self._index:
            return
        pieces = list(zip(*self._index, strict=True))
        lanes, ranks, seqs = (np.concatenate(pieces[column]) for column in (0, 4, 5))
        order = _index_order(lanes, ranks, seqs)
        for (_, kind), column in reversed(list(zip(_COLUMNS, pieces, strict=True))):
            yield np.concatenate(column)[order].astype(kind).tobytes()


def gather(segments: Sequence[Segment], parts: Sequence[Column]) -> Rows:
    """The entries of some parts of each file, as they are stored."""
    chosen = [(number, *pair) for number, pair in enumerate(zip(segments, parts, strict=True)) if len(pair[1])]
    if not chosen:
        nothing = np.empty(0, np.uint64)
        return Rows(lanes=nothing, ranks=nothing, seqs=nothing, begins=nothing, ends=nothing, data=b"")
    starts = np.concatenate([segment.starts[places] for _, segment, places in chosen]).astype(np.int64)
    counts = np.concatenate([segment.stops[places] for _, segment, places in chosen]) - starts
    keys = np.concatenate([segment.blocks[places].astype(np.int64) | number << 32 for number, segment, places in chosen])
    numbers, which = np.unique(keys, return_inverse=True)
    blocks = [segments[number >> 32].read(number & _NOWHERE) for number in numbers.tolist()]
    before = np.cumsum([0, *[block.count for block in blocks[:-1]]])[which] + starts
    places = np.repeat(before - (np.cumsum(counts) - counts), counts) + np.arange(int(counts.sum()))
    lanes = np.repeat(np.concatenate([segment.lanes[places] for _, segment, places in chosen]), counts)
    ranks, seqs, begins, ends, data = _join(blocks)
    return Rows(lanes=lanes, ranks=ranks[places], seqs=seqs[places], begins=begins[places], ends=ends[places], data=data)


def _join(blocks: Sequence[BacklogBlock]) -> tuple[Column, Column, Column, Column, bytes]:
    """The columns of all entries of some blocks, and the bytes in which they begin and end."""
    sizes = [block.count for block in blocks]
    data = b"".join([block.data for block in blocks])
    offsets = np.cumsum([0, *[len(block.data) for block in blocks[:-1]]])
    ends = np.concatenate([block.ends for block in blocks]) + np.repeat(offsets, sizes)
    begins = np.concatenate([[0], ends[:-1]])
    begins[np.cumsum([0, *sizes[:-1]])] = offsets + 8 + 20 * np.array(sizes)
    ranks, seqs = np.concatenate([block.ranks for block in blocks]), np.concatenate([block.seqs for block in blocks])
    return ranks, seqs, begins, ends, data


def _cut(rows: Rows) -> tuple[Column, Column]:
    """The places where parts begin, and the number of each part's block."""
    count = len(rows.seqs)
    begins = np.flatnonzero(np.diff(rows.lanes, prepend=rows.lanes[0] + np.uint32(1)))
    lengths = np.diff(np.append(begins, count))
    heads = np.flatnonzero((np.arange(count) - np.repeat(begins, lengths)) % PART == 0)
    sizes = rows.ends - rows.begins
    blocks = (np.cumsum(sizes) - sizes)[heads] // _BLOCK_BYTES
    return heads, np.cumsum(np.diff(blocks, prepend=blocks[0]) > 0)


def _index_order(lanes: Column, ranks: Column, seqs: Column) -> Column:
    """The order by lane, rank and seq; what is written in order of lanes needs sorting in few of them only."""
    if np.any(lanes[1:] < lanes[:-1]):
        return np.lexsort((seqs, ranks, lanes))
    order = np.arange(len(lanes))
    same = lanes[1:] == lanes[:-1]
    behind = (ranks[1:] < ranks[:-1]) | ((ranks[1:] == ranks[:-1]) & (seqs[1:] < seqs[:-1]))
    for lane in np.unique(lanes[1:][same & behind]):
        start, stop = np.searchsorted(lanes, lane), np.searchsorted(lanes, lane, "right")
        order[start:stop] = start + np.lexsort((seqs[start:stop], ranks[start:stop]))
    return order


def _mapped(file: int, path: Path) -> mmap.mmap:
    check_stamp(os.pread(file, STAMP.size, 0), KIND, path)
    return mmap.mmap(file, 0, access=mmap.ACCESS_READ)


def _index_size(info: SegmentInfo) -> int:
    return 8 * (info.blocks + 1) + info.parts * sum(int(kind[1]) for _, kind in _COLUMNS)


def _check_index(mapped: mmap.mmap, info: SegmentInfo, path: Path) -> None:
    end = info.index_at + _index_size(info)
    if len(mapped) != end:
        raise StoreDamaged("{path} ends at byte {count} instead of {end}", REBUILD, path=path, count=len(mapped), end=end)
    if xxhash.xxh3_64_intdigest(memoryview(mapped)[info.index_at : end]) != info.digest:
        raise StoreDamaged("{path} is damaged somewhere after byte {index_at}", REBUILD, path=path, index_at=info.index_at)


def _column(mapped: mmap.mmap, kind: str, count: int, offset: int) -> tuple[npt.NDArray[np.unsignedinteger], int]:
    return np.frombuffer(mapped, kind, count, offset), offset + count * int(kind[1])


def _first_places(lanes: npt.NDArray[np.unsignedinteger]) -> array[int]:
    """Where each lane begins, by its number: 4 bytes a lane, against a search in every file for every host in turn."""
    if not len(lanes):
        return array("I")
    firsts = np.full(int(lanes[-1]) + 1, _NOWHERE, np.uint32)
    begins = np.flatnonzero(np.diff(lanes, prepend=lanes[-1] + 1))
    firsts[lanes[begins]] = begins
    return array("I", firsts.tobytes())


def _unpack_bits(bits: bytes, count: int) -> bytearray:
    if not bits:
        return bytearray(count)
    return bytearray(np.unpackbits(np.frombuffer(bits, np.uint8), count=count).tobytes())

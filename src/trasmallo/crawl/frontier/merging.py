"""Files of the backlog are merged into larger ones, a slice at a time.

When sixteen files are of about one size they become one, so an entry is written once when it leaves memory, once more as one
of 1.6 million, and again when those are sixteen: twice in all at 10 million entries, three times at 100 million. A file whose
parts are mostly spent is written anew alone. A slice takes the parts of some lanes from all files, sorts their entries by what
the blocks say of them, leaves out those that are done, and never decodes one: some 11,000 entries in 13 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from trasmallo.crawl.frontier.backlog import SMALL, Column, Entry, Segment, SegmentInfo, SegmentWriter, gather, key_of

_TIER = 16  # judgement: files of one size that become one
_TIER_BITS = 4  # files within a factor of 16 count as one size, as many as are merged
_SLICE_PARTS = 1024  # judgement: parts merged before others get a turn


class Merging:
    """The merge that is under way, if any: `sources` become `merged` once that is not None."""

    def __init__(self, is_done: Callable[[Column], Column]) -> None:
        self._is_done = is_done
        self._steps: Generator[SegmentInfo | None] | None = None
        self.sources: list[Segment] = []
        self.merged: SegmentInfo | None = None
        self.unfinished: list[str] = []

    def work(self, segments: Sequence[Segment], path: Callable[[], Path]) -> None:
        """Merge one more slice, or several when there are many files; `path` names a new one."""
        if self.merged is not None or (self._steps is None and not self._begin(segments, path)):
            return
        assert self._steps is not None
        try:
            for _ in range(1 + len(segments) // (3 * _TIER)):
                self.merged = next(self._steps)
                if self.merged is not None:
                    self._steps = None
                    return
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Forget the merge; a file that is not finished is removed."""
        if self._steps is not None:
            self._steps.close()
        self._steps, self.merged, self.sources, self.unfinished = None, None, [], []

    def _begin(self, segments: Sequence[Segment], path: Callable[[], Path]) -> bool:
        self.sources = _to_merge(segments)
        if self.sources:
            target = path()
            self.unfinished = [target.name]
            self._steps = merge(self.sources, target, self._is_done)
        return bool(self.sources)


def _to_merge(segments: Sequence[Segment]) -> list[Segment]:
    """Files of one size that became too many, or one that is mostly spent."""
    tiers: dict[int, list[Segment]] = {}
    for segment in segments:
        if 0 < segment.live < len(segment.lanes) // 2:
            return [segment]
        tiers.setdefault(segment.live.bit_length() // _TIER_BITS, []).append(segment)
    return next((tier[:_TIER] for _, tier in sorted(tiers.items()) if len(tier) >= _TIER), [])


def merge(segments: Sequence[Segment], path: Path, is_done: Callable[[Column], Column]) -> Generator[SegmentInfo | None]:
    """Write the unspent parts of some files as one: None after each slice, at last the new file.

    Entries are sorted within a slice; a lane with so many parts that they fill several is in order only part by part.
    """
    writer = SegmentWriter(path, SMALL)
    try:
        for parts in _slices(segments):
            rows = gather(segments, parts)
            writer.put_rows(rows.pick(np.flatnonzero(~is_done(rows.seqs))))
            yield None
        finishing = writer.finishing()
        while (info := next(finishing)) is None:
            yield None
    except BaseException:
        writer.abandon()
        raise
    yield info


def _slices(segments: Sequence[Segment]) -> Iterator[list[Column]]:
    """The unspent parts of each file, some lanes at a time."""
    at = [0] * len(segments)
    step = max(_SLICE_PARTS // len(segments), 1)
    while any(start < len(segment.lanes) for start, segment in zip(at, segments, strict=True)):
        ahead = [(segment.lanes, start) for segment, start in zip(segments, at, strict=True) if start < len(segment.lanes)]
        last = min(lanes[min(start + step, len(lanes)) - 1] for lanes, start in ahead)
        parts = []
        for number, segment in enumerate(segments):
            stop = min(int(np.searchsorted(segment.lanes, last, "right")), at[number] + 2 * step)
            spent = np.frombuffer(bytes(segment.spent[at[number] : stop]), np.uint8)
            parts.append(np.flatnonzero(spent == 0) + at[number])
            at[number] = max(stop, at[number])
        yield parts


def regroup(entries: Iterable[Entry], lane: Callable[[str], int], path: Callable[[], Path], most: int) -> list[Segment]:
    """Files of at most so many entries in other lanes than they were in: `lane` tells that of a URL, `path` names a file."""
    left = iter(entries)
    regrouped: list[Segment] = []
    while batch := list(islice(left, most)):
        target = path()
        writer = SegmentWriter(target)
        writer.put([lane(entry.url) for entry in batch], [key_of(entry) for entry in batch], batch)
        regrouped.append(Segment(target.parent, writer.finish(), len(regrouped)))
    return regrouped

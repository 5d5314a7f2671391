"""Which URLs are known already: exact up to collisions of their 64-bit digests.

A URL is its xxh3-64 digest. The newest digests are in a set in memory; the others in sorted runs on disk, mapped into memory
and asked in batches (one binary search per run for all URLs of a page). A new run is merged with the runs before it that are
not more than twice as long, so n known URLs lie in at most log2(n / 200,000) + 1 runs: 7 for 10 million, 10 for 100 million.

Costs: 8 bytes of disk a URL (80 MB for 10 million, 800 MB for 100 million), which the operating system maps and may take back;
in memory a quarter byte a URL, and about 85 bytes for each digest newer than the last flush and for each of the at most `warm`
digests found lately.

Two URLs with one digest are taken for one: the second is never fetched. The expected number of such pairs is n² / 2⁶⁵:
0.0000027 for 10 million URLs, 0.00027 for 100 million, 0.027 for a billion.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from trasmallo.crawl.frontier.journal import REPAIR, STAMP, check_stamp, stamp
from trasmallo.errors import StoreDamaged, disk_errors
from trasmallo.model import Target

Keys = npt.NDArray[np.uint64]
KIND = b"seen"
_SLICE_KEYS = 1 << 20
_ROW = 32


class RunInfo(msgspec.Struct, frozen=True, array_like=True):
    """A sorted run as the checkpoint names it."""

    name: str
    count: int
    digest: int


class Run:
    """A sorted file of digests, mapped into memory, with every 32nd digest in memory (a quarter byte a URL).

    So a question costs a search in what fits the processor's cache and one look into the file.
    """

    def __init__(self, folder: Path, info: RunInfo) -> None:
        self.info = info
        self._fences = _check(folder / info.name, info)
        self._rows = _map_rows(folder / info.name, info.count)

    @property
    def keys(self) -> Keys:
        """All digests, in order."""
        return self._rows.reshape(-1)[: self.info.count]

    def contains(self, keys: Keys) -> npt.NDArray[np.intp]:
        """The places of those keys that are here."""
        rows = self._rows.take(self._fences.searchsorted(keys, "right") - 1, axis=0, mode="clip")
        # A file's last row is filled up with its last digest, so that one may be found more than once.
        return np.flatnonzero(rows == keys[:, None]) // _ROW


class Seen:
    """The set of known URLs. `flush` and `commit` are the two halves of a checkpoint: between them nothing is forgotten."""

    def __init__(self, folder: Path, runs: Sequence[RunInfo] = (), *, warm: int = 100_000) -> None:
        self._folder = folder
        self._warm_limit = warm
        self._recent: set[int] = set()
        self._warm: set[int] = set()
        self._runs = [Run(folder, info) for info in runs]

    @property
    def runs(self) -> list[RunInfo]:
        """The files that hold what was flushed."""
        return [run.info for run in self._runs]

    @property
    def newest(self) -> int:
        """How many are only in memory."""
        return len(self._recent)

    def __len__(self) -> int:
        return len(self._recent) + sum(run.info.count for run in self._runs)

    def admit(self, targets: Iterable[Target]) -> list[Target]:
        """The targets never admitted before, each URL once, in their order; from now on they are known."""
        recent, warm, digest = self._recent, self._warm, xxhash.xxh3_64_intdigest
        unknown: dict[int, Target] = {}
        for target in targets:
            key = digest(target.url.encode())
            if key not in recent and key not in warm and key not in unknown:
                unknown[key] = target
        if unknown and self._runs:
            self._drop_flushed(unknown)
        recent.update(unknown)
        return list(unknown.values())

    def restore(self, url: str) -> None:
        """Know a URL that is new for sure, as the journal tells it."""
        self._recent.add(xxhash.xxh3_64_intdigest(url.encode()))

    def flush(self, name: str) -> list[RunInfo]:
        """Write the newest digests, and the runs they are merged with, as a run of this name; the runs to commit."""
        if not self._recent:
            return self.runs
        newest = np.fromiter(self._recent, np.uint64, len(self._recent))
        newest.sort()
        keep, merged, length = list(self._runs), [newest], len(newest)
        while keep and keep[-1].info.count <= 2 * length:
            run = keep.pop()
            merged.append(run.keys)
            length += run.info.count
        return [run.info for run in keep] + [_write_run(self._folder / name, merged)]

    def commit(self, runs: Sequence[RunInfo]) -> None:
        """Use the runs that `flush` returned; the newest digests stay in memory only as long as they are warm."""
        current = {run.info.name: run for run in self._runs}
        self._runs = [current.get(info.name) or Run(self._folder, info) for info in runs]
        self._warm, self._recent = self._recent, set()

    def _drop_flushed(self, unknown: dict[int, Target]) -> None:
        keys = np.fromiter(unknown, np.uint64, len(unknown))
        found = np.concatenate([run.contains(keys) for run in self._runs])
        if not len(found):
            return
        hits = keys[found].tolist()
        for key in hits:
            unknown.pop(key, None)
        if len(self._warm) > self._warm_limit:
            self._warm = set()
        self._warm.update(hits)


def _map_rows(path: Path, count: int) -> Keys:
    rows = -(-count // _ROW)
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), STAMP.size + 8 * rows * _ROW, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, np.uint64, rows * _ROW, STAMP.size).reshape(-1, _ROW)


def _check(path: Path, info: RunInfo) -> Keys:
    """Read a run once and return its fences; past the mapping, so that its pages do not count as the program's memory."""
    hasher, fences = xxhash.xxh3_64(), []
    with path.open("rb") as file:
        check_stamp(file.read(STAMP.size), KIND, path)
        while data := file.read(1 << 20):
            hasher.update(data)
            fences.append(np.frombuffer(data[: len(data) // 8 * 8], np.uint64)[::_ROW].copy())
    size, whole = path.stat().st_size, STAMP.size + 8 * _ROW * -(-info.count // _ROW)
    if size != whole:
        raise StoreDamaged(f"{path} ends at byte {size} instead of {whole}", REPAIR)
    if hasher.intdigest() != info.digest:
        raise StoreDamaged(f"{path} is damaged somewhere after byte {STAMP.size}", REPAIR)
    return np.concatenate(fences)


def _write_run(path: Path, sources: Sequence[Keys]) -> RunInfo:
    hasher = xxhash.xxh3_64()
    with disk_errors(path), path.open("wb") as file:
        file.write(stamp(KIND))
        count = _merge(sources, file, hasher)
        file.flush()
        os.fsync(file.fileno())
    return RunInfo(path.name, count, hasher.intdigest())


def _merge(sources: Sequence[Keys], file: BinaryIO, hasher: xxhash.xxh3_64) -> int:
    """Merge by ranges of digests, which are spread evenly, so that memory holds about a million at a time."""
    length = sum(len(keys) for keys in sources)
    slices = length // _SLICE_KEYS + 1
    inner = np.array([(index << 64) // slices for index in range(1, slices)], np.uint64)
    cuts = [[0, *np.searchsorted(keys, inner).tolist(), len(keys)] for keys in sources]
    for index in range(slices):
        parts = [keys[cut[index] : cut[index + 1]] for keys, cut in zip(sources, cuts, strict=True)]
        merged = np.sort(np.concatenate(parts), kind="stable")
        if index == slices - 1:
            merged = np.pad(merged, (0, -length % _ROW), mode="edge")
        data = merged.tobytes()
        hasher.update(data)
        file.write(data)
    return length

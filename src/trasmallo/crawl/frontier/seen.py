"""Which URLs are known already: exact up to collisions of their 64-bit digests.

A URL is its xxh3-64 digest. The newest digests are in a set in memory; the others in sorted runs on disk, mapped into memory
and asked in batches (one search per run for all URLs of a page). Because every run costs every page some 20 µs, new runs are
merged at once, and with the longest run when they have an eighth of its length: mostly there are two or three. Merging goes a
slice at a step, so that nobody waits for it, and takes 20 ns a digest: 0.3 µs a new URL at 10 million, 1.5 µs at 100 million.

Costs: 8 bytes of disk a URL (80 MB for 10 million, 800 MB for 100 million), which the operating system maps and may take back;
in memory a quarter byte a URL, and about 85 bytes for each digest newer than the last flush and for each of the at most `warm`
digests found lately.

Two URLs with one digest are taken for one: the second is never fetched. The expected number of such pairs is n² / 2⁶⁵:
0.0000027 for 10 million URLs, 0.00027 for 100 million, 0.027 for a billion.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from trasmallo.crawl.frontier.journal import REPAIR, STAMP, check_stamp, stamp
from trasmallo.errors import StoreDamaged, disk_errors
from trasmallo.model import Target

Keys = npt.NDArray[np.uint64]
KIND = b"seen"
_SLICE_KEYS = 1 << 15
_SYNC_SLICES = 32
_LONGEST = 8
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

    def __init__(self, folder: Path, info: RunInfo, fences: Keys | None = None) -> None:
        self.info = info
        self._fences = _check(folder / info.name, info) if fences is None else fences
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
        self._written: list[Run] = []
        self._merging: Generator[Run | None] | None = None
        self._merge_sources: list[Run] = []
        self._merged: Run | None = None
        self.unfinished: list[str] = []

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
        """Write the newest digests as a run of this name; the runs to commit, a merged one instead of its sources."""
        runs = [run for run in self._runs if self._merged is None or run not in self._merge_sources]
        self._written = [] if self._merged is None else [self._merged]
        if self._recent:
            newest = np.fromiter(self._recent, np.uint64, len(self._recent))
            newest.sort()
            *_, run = merge_keys([newest], self._folder / name)
            assert run is not None
            self._written.append(run)
        return [run.info for run in runs + self._written]

    def commit(self, runs: Sequence[RunInfo]) -> None:
        """Use the runs that `flush` returned; the newest digests stay in memory only as long as they are warm."""
        known = {run.info.name: run for run in self._runs + self._written}
        self._runs = [known[info.name] for info in runs]
        self._written = []
        if self._merged is not None:
            self.close()
        self._warm, self._recent = self._recent, set()

    def work(self, path: Callable[[], Path]) -> None:
        """Go on with merging runs, a slice at a call or more when there are many; `path` names a new file."""
        if self._merging is None:
            if self._merged is not None or not (sources := self._to_merge()):
                return
            self._merge_sources = sources
            target = path()
            self.unfinished = [target.name]
            self._merging = merge_keys([run.keys for run in sources], target)
        try:
            for _ in self._runs:
                self._merged = next(self._merging)
                if self._merged is not None:
                    self._merging = None
                    return
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give up a merge that is under way."""
        if self._merging is not None:
            self._merging.close()
        self._merging, self._merged, self._merge_sources, self.unfinished = None, None, [], []

    def _to_merge(self) -> list[Run]:
        """All runs but the longest, and that one too when it is not much longer than they are together."""
        runs = sorted(self._runs, key=lambda run: run.info.count)
        others = runs[:-1]
        if others and runs[-1].info.count <= _LONGEST * sum(run.info.count for run in others):
            return runs
        return others if len(others) > 1 else []

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


def merge_keys(sources: Sequence[Keys], path: Path) -> Generator[Run | None]:
    """Write sorted digests as one run: None after each slice of them, at last the run.

    Slices are ranges of digests, which are spread evenly, so each is about as long.
    """
    length = sum(len(keys) for keys in sources)
    hasher, fences = xxhash.xxh3_64(), []
    try:
        with disk_errors(path), path.open("wb") as file:
            file.write(stamp(KIND))
            for number, piece in enumerate(_slices(sources, length), 1):
                fences.append(piece[::_ROW].copy())
                data = piece.tobytes()
                hasher.update(data)
                file.write(data)
                if number % _SYNC_SLICES == 0:
                    # A little at a time, or the last sync would have to wait for the whole file.
                    file.flush()
                    os.fdatasync(file.fileno())
                yield None
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    yield Run(path.parent, RunInfo(path.name, length, hasher.intdigest()), np.concatenate(fences))


def _slices(sources: Sequence[Keys], length: int) -> Iterator[Keys]:
    """The digests of all sources in order, in pieces of whole rows; the last row is filled up with the last digest."""
    count = length // _SLICE_KEYS + 1
    inner = np.array([(index << 64) // count for index in range(1, count)], np.uint64)
    cuts = [[0, *np.searchsorted(keys, inner).tolist(), len(keys)] for keys in sources]
    rest = np.empty(0, np.uint64)
    for index in range(count):
        parts = [keys[cut[index] : cut[index + 1]] for keys, cut in zip(sources, cuts, strict=True)]
        piece = np.concatenate([rest, np.sort(np.concatenate(parts), kind="stable")])
        whole = len(piece) // _ROW * _ROW
        piece, rest = piece[:whole], piece[whole:]
        if len(piece):
            yield piece
    if len(rest):
        yield np.pad(rest, (0, _ROW - len(rest)), mode="edge")

"""The small file that names all others of a frontier, replaced in one step, how that is done, and the lock of its folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path

import msgspec
import zstandard

from trasmallo.crawl.frontier.backlog import SegmentInfo
from trasmallo.crawl.frontier.journal import frame, read_frames, stamp, sync_file
from trasmallo.crawl.frontier.seen import SeenInfo
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import REBUILD, StoreDamaged, disk_errors
from trasmallo.values.folder_lock import busy, try_lock
from trasmallo.values.model import Outcome
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

KIND = b"state"
_NAME = "state"
_CLOSED = "closed"
_SWEPT = ("journal-", "backlog-", "state.")


class CheckpointState(msgspec.Struct, frozen=True):
    """What a checkpoint keeps besides the files it names.

    `journal` is the first of those to be replayed, others follow by name. `due`, `queued` and `last` are the columns of the
    hosts in `names`; a code in `last` is a place in `last_names`, whose order may change from version to version; `done` has a
    bit for each entry's number.
    """

    journal: str
    serial: int = 0
    in_order: bool = False
    next_seq: int = 0
    known: int = 0
    retries: int = 0
    outcomes: dict[Outcome, int] = {}
    segments: list[SegmentInfo] = []
    seen: SeenInfo = SeenInfo("seen", 0)
    names: list[str] = []
    due: bytes = b""
    queued: bytes = b""
    last: bytes = b""
    last_names: list[Outcome] = []
    done: bytes = b""


def read_state(folder: Path) -> CheckpointState | None:
    """The last checkpoint; None in a new folder."""
    path = folder / _NAME
    if not path.exists():
        if any(folder.glob("journal-*")):
            raise StoreDamaged("{path} is missing", REBUILD, path=path)
        return None
    for _, payload in read_frames(path, KIND):
        return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(payload), type=decodable(CheckpointState))
    raise StoreDamaged("{path} is damaged at byte 16", REBUILD, path=path)


class _Closed(msgspec.Struct, frozen=True):
    """How long the journals were when a frontier was closed; after a kill nobody has told it."""

    sizes: dict[str, int]


def write_closed(folder: Path, journals: Iterable[Path]) -> None:
    """Note that nothing is on its way any more, so that a journal that is shorter later was cut."""
    with disk_errors(folder):
        sizes = {path.name: path.stat().st_size for path in journals if path.exists()}
    write_whole(folder / _CLOSED, encode_sealed(_Closed(sizes)))


def read_closed(folder: Path) -> dict[str, int]:
    """The lengths that journals must have; nothing when the frontier was not closed."""
    path = folder / _CLOSED
    try:
        return decode_sealed(path.read_bytes(), _Closed).sizes
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError as error:
        raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None


def forget_closed(folder: Path) -> None:
    """Something will be on its way from now on."""
    (folder / _CLOSED).unlink(missing_ok=True)


def write_state(folder: Path, state: CheckpointState) -> None:
    """Make a checkpoint count."""
    payload = zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(state))
    write_whole(folder / _NAME, stamp(KIND) + frame(payload), durable=True)


class Saving:
    """A checkpoint on its way: `spilling` writes what is in memory only, then a thread brings all to disk and names it.

    The state is that of the moment at which this began, so the journal that began then goes on from it.
    """

    def __init__(
        self, folder: Path, state: CheckpointState, spilling: Generator[SegmentInfo | None], files: Sequence[Path]
    ) -> None:
        self._folder = folder
        self._spilling = spilling
        self._files = list(files)
        self._thread: threading.Thread | None = None
        self._refusal: BaseException | None = None
        self.state = state

    def step(self) -> bool:
        """Write one more slice; True when the checkpoint counts. What the disk refused is raised."""
        if self._thread is None:
            info = next(self._spilling)
            if info is not None:
                self._seal(info)
            return False
        if self._thread.is_alive():
            return False
        if self._refusal is not None:
            raise self._refusal
        return True

    def wait(self) -> None:
        """Wait for the disk if that is all that is left."""
        if self._thread is not None:
            self._thread.join()

    def abandon(self) -> None:
        """Give it up: the state before this one counts."""
        self.wait()
        self._spilling.close()

    def _seal(self, spilled: SegmentInfo) -> None:
        if spilled.parts:
            self.state = msgspec.structs.replace(self.state, segments=[*self.state.segments, spilled])
            self._files.append(self._folder / spilled.name)
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        try:
            for path in self._files:
                sync_file(path)
            write_state(self._folder, self.state)
        except BaseException as error:
            self._refusal = error


def sweep(folder: Path, kept: Iterable[str]) -> None:
    """Remove files of the frontier that no checkpoint names (any more)."""
    names = {_NAME, *kept}
    for path in folder.iterdir():
        if path.name not in names and path.name.startswith(_SWEPT):
            with disk_errors(path):
                path.unlink(missing_ok=True)


def lock(folder: Path) -> int:
    """Hold the folder for this process; the lock goes with the returned descriptor."""
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if not try_lock(handle):
        os.close(handle)
        raise busy(folder)
    return handle

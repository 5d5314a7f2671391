"""The small file that names all others of a frontier, replaced in one step, and the lock of its folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
import zstandard

from trasmallo.crawl.frontier.backlog import SegmentInfo
from trasmallo.crawl.frontier.journal import REPAIR, frame, read_frames, stamp, write_whole
from trasmallo.crawl.frontier.seen import RunInfo
from trasmallo.errors import ProjectBusy, StoreDamaged, disk_errors
from trasmallo.model import Outcome

KIND = b"state"
_NAME = "state"
_SWEPT = ("journal-", "backlog-", "seen-", "state.")


class State(msgspec.Struct, frozen=True):
    """What a checkpoint keeps besides the files it names.

    `due`, `queued` and `last` are the columns of the hosts in `names`; a code in `last` is a place in `last_names`, whose order
    may change from version to version; `done` has a bit for each entry's number.
    """

    journal: str
    serial: int = 0
    in_order: bool = False
    next_seq: int = 0
    known: int = 0
    retries: int = 0
    outcomes: dict[Outcome, int] = {}
    segments: list[SegmentInfo] = []
    runs: list[RunInfo] = []
    names: list[str] = []
    due: bytes = b""
    queued: bytes = b""
    last: bytes = b""
    last_names: list[Outcome] = []
    done: bytes = b""


def read_state(folder: Path) -> State | None:
    """The last checkpoint; None in a new folder."""
    path = folder / _NAME
    if not path.exists():
        return None
    for _, payload in read_frames(path, KIND):
        return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(payload), type=State)
    raise StoreDamaged(f"{path} is damaged at byte 16", REPAIR)


def write_state(folder: Path, state: State) -> None:
    """Make a checkpoint count."""
    payload = zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(state))
    write_whole(folder / _NAME, stamp(KIND) + frame(payload))


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
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise ProjectBusy(f"another program uses {folder}", "wait until it has ended, or stop it") from None
    return handle

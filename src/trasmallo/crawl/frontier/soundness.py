"""Soundness of a frontier's files, looked at without changing any of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from trasmallo.crawl.frontier.backlog import Segment
from trasmallo.crawl.frontier.checkpoint import read_closed, read_state
from trasmallo.crawl.frontier.journal import STAMP, Journal, read_frames
from trasmallo.crawl.frontier.seen import Seen
from trasmallo.values.errors import REBUILD, StoreDamaged, disk_errors


def frontier_damage(folder: Path) -> Iterator[StoreDamaged]:
    """What is wrong with the frontier in a folder; nothing for one that was killed, whose last write may be torn."""
    try:
        _read_all(folder)
    except FileNotFoundError as error:
        yield StoreDamaged("{path} is missing", REBUILD, path=error.filename)
    except StoreDamaged as damage:
        yield damage


def make_room(folders: Sequence[Path]) -> None:
    """Have the folders of a crawl's frontiers before its processes start: one may be killed before it has begun its own."""
    for folder in folders:
        with disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)


def need_frontiers(folders: Sequence[Path]) -> None:
    """Raise StoreDamaged when a crawl that has begun has lost a frontier: it would ask for everything again.

    Of several some may be empty, whose processes were killed before they began.
    """
    for folder in folders:
        if not any(folder.glob("state")) and not (len(folders) > 1 and _is_unused(folder)):
            raise StoreDamaged("the frontier {folder} is missing", REBUILD, folder=folder)


def _is_unused(folder: Path) -> bool:
    """Whether a folder is there and nobody has begun a frontier in it: a lock at most, or a draft of its first state."""
    return folder.is_dir() and all(path.name == "lock" or path.suffix == ".new" for path in folder.iterdir())


def _read_all(folder: Path) -> None:
    state, closed = read_state(folder), read_closed(folder)
    if state is None and _is_unused(folder):
        return
    if state is None:
        raise StoreDamaged("{path} is missing", REBUILD, path=folder)
    Seen(folder, state.seen)
    for number, info in enumerate(state.segments):
        for _ in Segment(folder, info, number).all():
            pass
    journals = {path.name for path in folder.glob("journal-*")} | closed.keys() | {state.journal}
    for name in sorted(name for name in journals if name >= state.journal):
        _read_journal(folder / name, closed.get(name, -1))


def _read_journal(path: Path, size: int) -> None:
    end = STAMP.size
    for end, _ in read_frames(path, Journal.KIND):  # noqa: B007 - the last one counts
        pass
    if size not in (-1, end):
        raise StoreDamaged("{path} is whole up to byte {end} instead of {size}", REBUILD, path=path, end=end, size=size)

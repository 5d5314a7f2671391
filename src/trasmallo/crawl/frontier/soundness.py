"""Soundness of a frontier's files, looked at without changing any of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trasmallo.crawl.frontier.backlog import Segment
from trasmallo.crawl.frontier.checkpoint import read_closed, read_state
from trasmallo.crawl.frontier.journal import STAMP, Journal, read_frames
from trasmallo.crawl.frontier.seen import Seen
from trasmallo.values.errors import REBUILD, StoreDamaged


def frontier_damage(folder: Path) -> Iterator[StoreDamaged]:
    """What is wrong with the frontier in a folder; nothing for one that was killed, whose last write may be torn."""
    try:
        _read_all(folder)
    except FileNotFoundError as error:
        yield StoreDamaged("{path} is missing", REBUILD, path=error.filename)
    except StoreDamaged as damage:
        yield damage


def need_frontier(folder: Path) -> None:
    """Raise StoreDamaged when a crawl that has begun has lost its frontier: it would ask for everything again."""
    if not any(folder.glob("state")):
        raise StoreDamaged("the frontier {folder} is missing", REBUILD, folder=folder)


def _read_all(folder: Path) -> None:
    state, closed = read_state(folder), read_closed(folder)
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

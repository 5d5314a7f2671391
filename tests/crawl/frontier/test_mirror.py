from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from trasmallo.crawl.frontier import Close, EmbeddedFrontier, FrontierStats, Result, Write
from trasmallo.crawl.frontier.mirror import mirrored
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Outcome, Target


def fill(folder: Path, *, in_order: bool) -> None:
    """Some addresses, enough for files of every kind; whoever filled it was killed while it wrote."""
    asyncio.run(added(folder, in_order=in_order))
    with next(folder.glob("journal-*")).open("ab") as journal:
        journal.write(b"half a frame")
    (folder / "closed").unlink()


async def added(folder: Path, *, in_order: bool) -> None:
    frontier = EmbeddedFrontier(folder, memory_urls=60, in_order=in_order)
    for host in range(20):
        await frontier.add([Target(f"http://h{host}.es/{page}") for page in range(20)])
        (lease,) = (await frontier.lease(1e9)).leases
        await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], (), 1.0)
        await frontier.control(Write(to_disk=True))
    await frontier.control(Close())


async def counted(folder: Path, *, in_order: bool) -> FrontierStats:
    frontier = EmbeddedFrontier(folder, in_order=in_order)
    stats = await frontier.stats()
    await frontier.control(Close())
    return stats


def content(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.mark.parametrize("in_order", [False, True])
def test_who_opens_the_mirror_finds_all_and_changes_nothing(in_order: bool, tmp_path: Path) -> None:
    fill(tmp_path, in_order=in_order)
    assert list(tmp_path.glob("backlog-*")), "there are files that are linked"
    before = content(tmp_path)
    with mirrored(tmp_path) as place:
        assert asyncio.run(counted(place, in_order=in_order)).queued == 380
        assert content(tmp_path) == before
    assert not place.exists()
    assert content(tmp_path) == before


def test_damage_is_told_of_the_frontier(tmp_path: Path) -> None:
    fill(tmp_path, in_order=False)
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(StoreDamaged, match=str(tmp_path / "state")), mirrored(tmp_path) as place:
        asyncio.run(counted(place, in_order=False))

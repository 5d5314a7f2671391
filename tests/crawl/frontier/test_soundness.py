from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from trasmallo.crawl.frontier import Close, EmbeddedFrontier, EntryFilter, Result
from trasmallo.crawl.frontier.soundness import frontier_damage, make_room, need_frontiers
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Outcome, Target


async def fill(folder: Path) -> None:
    """Some addresses, enough for files of every kind."""
    frontier = EmbeddedFrontier(folder, memory_urls=60)
    for host in range(20):
        await frontier.add([Target(f"http://h{host}.es/{page}") for page in range(20)])
        (lease,) = (await frontier.lease(1e9)).leases
        await frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], (), 1.0)
    await frontier.control(Close())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asyncio.run(fill(tmp_path))
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_sound_frontier_is_left_as_it_is(folder: Path) -> None:
    before = content(folder)
    assert not list(frontier_damage(folder))
    assert content(folder) == before


@pytest.mark.parametrize("number", range(40))
def test_no_damage_passes_for_a_kill(folder: Path, number: int) -> None:
    rng = random.Random(number)
    path = rng.choice(sorted(path for path in folder.iterdir() if path.stat().st_size))
    damaged = bytearray(path.read_bytes())
    if number % 2:
        damaged[rng.randrange(len(damaged))] ^= rng.randrange(1, 256)
    else:
        del damaged[rng.randrange(len(damaged)) :]
    path.write_bytes(damaged)
    assert list(frontier_damage(folder)), path.name
    with pytest.raises(StoreDamaged):
        asyncio.run(EmbeddedFrontier(folder, memory_urls=60).entries(EntryFilter()))


@pytest.mark.parametrize("name", ["state", "journal"])
def test_a_lost_file_is_damage(folder: Path, name: str) -> None:
    for path in folder.glob(f"{name}*"):
        path.unlink()
    assert list(frontier_damage(folder))


def test_a_killed_frontier_is_sound(folder: Path) -> None:
    (folder / "closed").unlink()
    newest = max(folder.glob("journal-*"))
    newest.write_bytes(newest.read_bytes()[:-3])
    assert not list(frontier_damage(folder))
    frontier = EmbeddedFrontier(folder, memory_urls=60)
    assert asyncio.run(frontier.stats()).known


def test_of_several_frontiers_some_may_not_have_begun(folder: Path, tmp_path: Path) -> None:
    """A process may be killed before it has begun its own, while another has brought pages."""
    other = tmp_path.with_name(tmp_path.name + "-2-of-2")
    with pytest.raises(StoreDamaged, match="is missing"):
        need_frontiers([folder, other])
    make_room([folder, other])
    need_frontiers([folder, other])
    (other / "lock").touch()
    need_frontiers([folder, other])
    assert list(frontier_damage(other)) == []
    with pytest.raises(StoreDamaged, match="is missing"):
        need_frontiers([other])
    (folder / "state").unlink()
    with pytest.raises(StoreDamaged, match="is missing"):
        need_frontiers([folder, other])

"""The room a project may take."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from trasmallo.config import CrawlConfig
from trasmallo.events import Event, Warned
from trasmallo.pipeline.disk_limits import DiskGuard, DiskLimits, size_of


def test_the_size_is_what_the_disk_says(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(bytes(1_000_000))
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert 1_000_000 <= size_of(tmp_path) < 1_200_000
    assert size_of(tmp_path / "gone") == 0


def test_a_folder_at_its_limit(tmp_path: Path) -> None:
    limits = DiskLimits(tmp_path, CrawlConfig(disk_megabytes=1, free_megabytes=0))
    assert limits.reached() is None
    (tmp_path / "file").write_bytes(bytes(1_000_000))
    assert limits.reached() == (
        f"{tmp_path} has reached its limit of 1 megabytes on disk",
        "raise `disk_megabytes`, and run the same command again",
    )


def test_a_disk_with_little_left(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free // 1_000_000
    assert DiskLimits(tmp_path, CrawlConfig(free_megabytes=free // 2)).reached() is None
    reached = DiskLimits(tmp_path, CrawlConfig(free_megabytes=2 * free + 1)).reached()
    assert reached is not None
    assert reached[0].endswith(f"megabytes are free on the disk of {tmp_path}")
    assert DiskLimits(tmp_path, CrawlConfig(free_megabytes=0)).reached() is None


def test_a_guard_says_once_that_there_is_no_room(tmp_path: Path) -> None:
    told: list[Event] = []
    guard = DiskGuard(DiskLimits(tmp_path, CrawlConfig(free_megabytes=10**12)), told.append)
    asyncio.run(guard.watch())
    assert guard.cause.startswith("fewer than 1,000,000,000,000 megabytes are free")
    (warning,) = told
    assert isinstance(warning, Warned)
    assert warning.message.startswith(guard.cause)


def test_a_guard_is_quiet_where_there_is_room(tmp_path: Path) -> None:
    guard = DiskGuard(DiskLimits(tmp_path, CrawlConfig(free_megabytes=0)), print)
    assert not asyncio.run(guard.look())
    assert guard.cause == ""

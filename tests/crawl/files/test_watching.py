from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.crawl.files.watching import EVENTS, POLLING, changed_paths, file_system_of, is_burst, is_limit, manner_of

_MOUNTS = """\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
40 22 0:50 / /mnt/share rw - nfs4 server:/export rw
41 22 0:51 / /mnt/my\\040disk rw - fuse.sshfs ana@h: rw
42 40 0:52 / /mnt/share/inner rw - tmpfs tmpfs rw
"""


def test_the_file_system_of_a_path() -> None:
    paths = ["/etc", "/mnt/share/x", "/mnt/sharex", "/mnt/my disk/x", "/mnt/share/inner/y"]
    assert [file_system_of(path, _MOUNTS) for path in paths] == ["ext4", "nfs4", "ext4", "fuse.sshfs", "tmpfs"]
    assert file_system_of("/etc", "") == ""


def test_where_others_write_the_system_is_silent() -> None:
    assert manner_of("/mnt/share/x", _MOUNTS).manner == POLLING
    assert "nfs4" in manner_of("/mnt/share/x", _MOUNTS).cause
    assert manner_of("/srv", _MOUNTS).manner == EVENTS


def test_changes_are_told_by_the_system(tmp_path: Path) -> None:
    async def first() -> set[str]:
        stop, seen = asyncio.Event(), set[str]()
        async for paths in changed_paths([str(tmp_path)], stop):
            seen |= paths
            if not seen:  # the first timeout says that it listens
                continue
            stop.set()
        return seen

    async def run() -> set[str]:
        task = asyncio.create_task(first())
        while not task.done():
            await asyncio.to_thread((tmp_path / "a.txt").write_text, "x")
            await asyncio.wait([task], timeout=0.2)
        return task.result()

    assert str(tmp_path / "a.txt") in asyncio.run(run())


def test_a_limit_is_known_by_its_words() -> None:
    assert is_limit(OSError("OS file watch limit reached. about [...]"))
    assert is_limit(OSError(28, "No space left on device"))
    assert not is_limit(OSError(2, "No such file"))


def test_a_burst_is_what_the_queue_of_the_kernel_may_be_too_short_for(tmp_path: Path) -> None:
    (tmp_path / "queue").write_text("64\n")
    assert [is_burst(changed, tmp_path / "queue") for changed in (3, 4)] == [False, True]
    assert [is_burst(changed, tmp_path / "missing") for changed in (1_000, 1_100)] == [False, True]

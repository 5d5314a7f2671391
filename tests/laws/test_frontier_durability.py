"""What is left of a frontier after a kill, a full disk, damage."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.leasing import copy_as_killed, drain, pages
from trasmallo.crawl.frontier import Result, backlog
from trasmallo.crawl.frontier.durable_queue import DurableQueue
from trasmallo.values.errors import ProjectBusy, StoreDamaged, StoreFull, StoreTooNew
from trasmallo.values.model import Outcome


def snapshot(folder: Path) -> tuple[object, ...]:
    frontier = DurableQueue(folder)
    try:
        return frontier.stats(), [list(frontier.pending(state.host)) for state in frontier.stats(99).busiest]
    finally:
        frontier.close()


def test_a_torn_journal_is_the_state_before_a_transaction(tmp_path: Path) -> None:
    clock = iter(range(1000))
    frontier = DurableQueue(tmp_path / "whole", clock=lambda: float(next(clock)))
    journal = next((tmp_path / "whole").glob("journal-*"))
    ends, states = [journal.stat().st_size], []

    def remember() -> None:
        frontier.write(to_disk=True)
        ends.append(journal.stat().st_size)
        copy_as_killed(frontier, tmp_path / "whole", tmp_path / "copy")
        states.append(snapshot(tmp_path / "copy"))
        shutil.rmtree(tmp_path / "copy")

    for step in range(4):
        frontier.add(pages(f"h{step}.example", 3))
        remember()
        (lease,) = frontier.lease(float(step))
        frontier.finish(lease, [Result(lease.targets[0].url, Outcome.FETCHED)], pages("new.example", step), step + 1.0)
        remember()
    frontier.close()
    (tmp_path / "whole" / "closed").unlink()
    for before, after, state in zip(ends[1:], ends[2:], states, strict=False):
        for cut in (before, before + 1, (before + after) // 2, after - 1):
            shutil.copytree(tmp_path / "whole", tmp_path / "cut")
            os.truncate(tmp_path / "cut" / journal.name, cut)
            assert snapshot(tmp_path / "cut") == state
            shutil.rmtree(tmp_path / "cut")


CHILD = """
import sys
from pathlib import Path
from trasmallo.crawl.frontier.durable_queue import DurableQueue
from trasmallo.crawl.frontier import Result
from trasmallo.values.model import Outcome, Target
frontier = DurableQueue(Path(sys.argv[1]), memory_urls=200)
frontier.add([Target(f"http://h{n}.example/0") for n in range(10)])
for step in range(10**9):
    for lease in frontier.lease(float(step), hosts=3):
        url = lease.targets[0].url
        found = [Target(f"{url}{n}") for n in range(3)] if len(url) < 24 else []
        frontier.finish(lease, [Result(url, Outcome.FETCHED)], found, step + 1.0)
        if step % 5 == 0:
            frontier.write(to_disk=True)
            print(frontier.stats().done, frontier.stats().known, flush=True)
"""


def test_a_killed_process_loses_nothing_it_had_synced(tmp_path: Path) -> None:
    folder = tmp_path / "frontier"
    done = known = 0
    for lines in (1, 40, 90):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, env=child_environment())
        assert child.stdout is not None
        with child.stdout:
            for _ in range(lines):
                done, known = map(int, child.stdout.readline().split())
            child.send_signal(signal.SIGKILL)
            child.wait()
        frontier = DurableQueue(folder)
        stats = frontier.stats()
        assert stats.done >= done
        assert stats.known >= known
        assert stats.known == stats.queued + stats.done
        frontier.close()


def child_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_a_checkpoint_on_its_way_loses_nothing_when_the_process_dies(tmp_path: Path) -> None:
    frontier = DurableQueue(tmp_path / "whole", memory_urls=30_000)
    for number in range(10):
        frontier.add(pages(f"h{number}.example", 1100))
        frontier.lease(float(number))
    frontier.write()
    assert len(list((tmp_path / "whole").glob("journal-*"))) == 2, "the checkpoint should be under way"
    copy_as_killed(frontier, tmp_path / "whole", tmp_path / "copy")
    frontier.close()
    for name in ("copy", "whole"):
        again = DurableQueue(tmp_path / name)
        assert again.add(pages("h3.example", 1100)) == 0
        assert sorted(drain(again)) == sorted(target.url for n in range(10) for target in pages(f"h{n}.example", 1100))
        again.close()


def test_a_journal_that_lost_its_end_ends_the_replay(tmp_path: Path) -> None:
    """A power cut may keep the second journal and not the end of the first."""
    frontier = DurableQueue(tmp_path, memory_urls=30_000)
    frontier.add(pages("a.example", 20))
    frontier.write(to_disk=True)
    first = next(tmp_path.glob("journal-*"))
    end = first.stat().st_size
    frontier.add(pages("b.example", 10_100))
    frontier.add(pages("c.example", 10))
    frontier.write()
    second = max(tmp_path.glob("journal-*"))
    assert second != first
    copy_as_killed(frontier, tmp_path, tmp_path.with_name("cut"))
    frontier.close()
    os.truncate(tmp_path.with_name("cut") / first.name, end)
    cut = DurableQueue(tmp_path.with_name("cut"))
    assert sorted(drain(cut)) == sorted(target.url for target in pages("a.example", 20))
    assert [path.name for path in tmp_path.with_name("cut").glob("journal-*")] == [first.name]
    cut.close()


def test_two_programs_cannot_use_one_folder(tmp_path: Path) -> None:
    frontier = DurableQueue(tmp_path)
    with pytest.raises(ProjectBusy):
        DurableQueue(tmp_path)
    frontier.close()
    frontier.close()
    DurableQueue(tmp_path).close()


def test_a_full_disk_at_a_checkpoint_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = DurableQueue(tmp_path)
    frontier.add(pages("a.example", 9))
    frontier.write(to_disk=True)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for broken in ("fsync", "replace"):
        monkeypatch.setattr(*{"fsync": (backlog.os, "fsync"), "replace": (Path, "replace")}[broken], refuse)
        with pytest.raises(StoreFull, match="free some space"):
            frontier.checkpoint()
        monkeypatch.undo()
        assert frontier.stats().queued == 9
    frontier.close()
    again = DurableQueue(tmp_path)
    assert len(drain(again)) == 9
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"journal", "lock", "seen", "state"}
    again.close()


@pytest.mark.parametrize("kind", ["backlog", "state"])
def test_damaged_files_are_named(tmp_path: Path, kind: str) -> None:
    frontier = DurableQueue(tmp_path)
    frontier.add(pages("a.example", 900))
    frontier.checkpoint()
    frontier.close()
    path = next(tmp_path.glob(f"{kind}*"))
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)

    def use() -> None:
        broken = DurableQueue(tmp_path)
        try:
            broken.lease(0.0)
        finally:
            broken.close()

    with pytest.raises(StoreDamaged, match=rf"{kind}.*byte 16\b.*trasmallo repair"):
        use()


def test_a_frontier_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    DurableQueue(tmp_path).close()
    state = tmp_path / "state"
    data = bytearray(state.read_bytes())
    data[8] -= 1
    state.write_bytes(data)
    with pytest.raises(StoreDamaged, match="earlier version.*trasmallo repair"):
        DurableQueue(tmp_path)


def test_a_frontier_of_a_later_version_is_refused(tmp_path: Path) -> None:
    DurableQueue(tmp_path).close()
    state = tmp_path / "state"
    data = bytearray(state.read_bytes())
    data[8] += 1
    state.write_bytes(data)
    with pytest.raises(StoreTooNew, match="install that version"):
        DurableQueue(tmp_path)

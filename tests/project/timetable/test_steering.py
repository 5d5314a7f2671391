"""The scheduler's process is told what to do, whoever started it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trasmallo.project.lock import hold
from trasmallo.project.timetable import Timetable, steering
from trasmallo.values.errors import ProjectBusy, UsageError

WORK = """
import signal, sys
from pathlib import Path
from trasmallo.project.lock import hold
signal.signal(signal.SIGINT, signal.SIG_DFL)
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    signal.pause()
"""


@contextmanager
def at_work(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that works in a folder until a signal ends it."""
    folder.mkdir(parents=True, exist_ok=True)
    line = [sys.executable, "-P", "-c", WORK, str(folder)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.fixture
def table(tmp_path: Path) -> Timetable:
    return Timetable(tmp_path / "data" / "timetable.sqlite")


def test_one_at_a_time_and_none_to_be_stopped(table: Timetable) -> None:
    with pytest.raises(UsageError, match="trasmallo scheduler"):
        steering.stop(table)
    table.path.parent.mkdir()
    with hold(table.path.parent), pytest.raises(ProjectBusy, match="already runs the timetable"):
        steering.start(table)


def test_stopped_politely_the_project_is_left_to_the_scheduler(table: Timetable, tmp_path: Path) -> None:
    table.begin(table.add(tmp_path / "p", "every 1h", 0.0), 4_000.0)
    with at_work(table.path.parent) as scheduler, at_work(tmp_path / "p") as run:
        assert steering.worker(table) == scheduler.pid
        assert steering.stop(table) == scheduler.pid
        assert scheduler.wait(20) == -signal.SIGINT
        assert run.poll() is None


def test_at_once_the_project_is_told_too(table: Timetable, tmp_path: Path) -> None:
    table.begin(table.add(tmp_path / "p", "every 1h", 0.0), 4_000.0)
    with at_work(table.path.parent) as scheduler, at_work(tmp_path / "p") as run:
        steering.stop(table, at_once=True)
        assert scheduler.wait(20) == -signal.SIGINT
        assert run.wait(20) == -signal.SIGTERM


def test_one_that_is_gone_does_not_stop(table: Timetable) -> None:
    table.path.parent.mkdir()
    table.stopping.touch()
    assert not steering.is_stopping(table)
    with hold(table.path.parent):
        assert steering.is_stopping(table)
        table.stopping.unlink()
        assert not steering.is_stopping(table)

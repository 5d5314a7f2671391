"""One program at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trasmallo.project.lock import hold, holder
from trasmallo.values.errors import ProjectBusy

HOLD = """
import pathlib, sys
from trasmallo.project.lock import hold
with hold(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_is_told_who_the_first_is(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        assert holder(tmp_path) == first.pid
        with (
            pytest.raises(
                ProjectBusy,
                match=f"process {first.pid} already works on .*: wait for it, or stop it with: kill -INT {first.pid}$",
            ),
            hold(tmp_path),
        ):
            pass
        first.kill()
        first.wait()
    with hold(tmp_path):
        pass
    assert holder(tmp_path) == 0


SLOW = """
import fcntl, pathlib, sys
file = (pathlib.Path(sys.argv[1]) / ".lock").open("a+")
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("copied", [False, True])
def test_who_held_it_before_is_never_taken_for_the_holder(tmp_path: Path, copied: bool) -> None:
    """Another one has the lock and has not said so yet; who stops the project must not send us a signal."""
    first = tmp_path / "first"
    first.mkdir()
    with hold(first):
        assert holder(first) == os.getpid()
        second = Path(shutil.copytree(first, tmp_path / "second")) if copied else first
        assert holder(second) == (0 if copied else os.getpid())
    command = [sys.executable, "-c", SLOW, str(second)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        assert holder(second) == 0
        with pytest.raises(ProjectBusy, match="process unknown already works"), hold(second):
            pass
        other.communicate("\n")


def test_nobody_holds_a_new_project(tmp_path: Path) -> None:
    assert holder(tmp_path) == 0

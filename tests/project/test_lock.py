"""One program at a time."""

from __future__ import annotations

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


def test_nobody_holds_a_new_project(tmp_path: Path) -> None:
    assert holder(tmp_path) == 0

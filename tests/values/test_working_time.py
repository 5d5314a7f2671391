"""Time that a process has: what passes while it, or a child of its own, waits for a processor is given back."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from support.waiting import until
from trasmallo.values import working_time
from trasmallo.values.working_time import WorkingTime, processor_delays


def test_waiting_for_a_processor_is_counted_from_the_beginning_on() -> None:
    before = processor_delays(os.getpid())[os.getpid()]
    assert 0 <= before <= processor_delays(os.getpid())[os.getpid()]
    assert processor_delays(1 << 30) == {}


def test_children_and_theirs_wait_too() -> None:
    grandchild = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    program = f"import subprocess; subprocess.run({grandchild!r})"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        child.stdout.readline()
        found = processor_delays(os.getpid())
        child.stdin.close()

    assert {os.getpid(), child.pid} < set(found)


def test_what_any_of_them_waited_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    delays = {1: 5.0, 2: 1.0}
    clock = [100.0]
    monkeypatch.setattr(working_time, "processor_delays", lambda _process: dict(delays))
    granted = WorkingTime(1, 4.0, clock=lambda: clock[0])

    clock[0], delays[1], delays[2] = 104.0, 6.0, 1.5
    assert granted.left == 0
    assert not granted.is_over()
    assert granted.left == 1.5

    del delays[2]  # a child that was replaced; the other one has waited since it began
    delays[3] = 0.25
    clock[0] = 105.5
    assert not granted.is_over()
    assert granted.left == 0.25

    clock[0] = 105.75
    assert granted.is_over()


def test_no_more_is_given_back_than_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    delays = {1: 0.0, 2: 0.0}
    clock = [0.0]
    monkeypatch.setattr(working_time, "processor_delays", lambda _process: dict(delays))
    granted = WorkingTime(1, 4.0, clock=lambda: clock[0])

    clock[0], delays[1], delays[2] = 4.0, 4.0, 4.0
    assert not granted.is_over()
    assert granted.left == 4.0


def test_time_is_over_for_one_that_does_not_wait() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        until(lambda: processor_delays(child.pid), "its first moment")
        granted = WorkingTime(child.pid, 0.05)
        until(granted.is_over, "the end of its time")
        assert granted.left == 0
        assert child.stdin is not None
        child.stdin.write(b"\n")


def test_a_process_that_is_gone_waits_no_more() -> None:
    granted = WorkingTime(1 << 30, 0.0)
    assert granted.is_over()
    assert granted.left <= time.monotonic()

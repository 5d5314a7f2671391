"""Ends of processes: in words, together with the one that started them, and for want of memory."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import threading
from pathlib import Path

_PR_SET_PDEATHSIG = 1
"""From Linux's <sys/prctl.h>."""

_MEMORY_KILLS = Path("/proc/vmstat"), "oom_kill "


def ending(code: int | None) -> str:
    """How a process ended, in words."""
    return f"signal {-code}" if code is not None and code < 0 else f"exit {code}"


def end_with_parent() -> None:
    """Have the kernel kill this process when the thread that started it is gone (prctl(2), PR_SET_PDEATHSIG).

    One that waits for its input sees the end of it anyway; one that is at work, or stopped, would go on for long.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def end_with_input(pipe: int) -> None:
    """End this process when nobody holds the other end of a pipe any more: for one that outlives the thread it is from."""
    threading.Thread(target=_await_end, args=(pipe,), daemon=True).start()


def _await_end(pipe: int) -> None:
    watch = select.poll()
    watch.register(pipe, 0)  # no event but the end of it
    watch.poll()
    os.kill(os.getpid(), signal.SIGKILL)


def memory_kills() -> int:
    """How many processes this machine's kernel has killed for want of memory since it started; 0 where it does not tell."""
    path, name = _MEMORY_KILLS
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.removeprefix(name)) for line in lines if line.startswith(name))

"""Processes that a run starts: programs of ours that are asked over standard input and answer over standard output."""

from __future__ import annotations

import asyncio
import ctypes
import os
import select
import signal
import sys
import threading
from pathlib import Path

import msgspec

from trasmallo.values.pipes import HEAD, LONGEST_MESSAGE

_PR_SET_PDEATHSIG = 1
"""From Linux's <sys/prctl.h>."""

_MEMORY_KILLS = Path("/proc/vmstat"), "oom_kill "


async def start_program(module: str, *, heard: bool) -> asyncio.subprocess.Process:
    """Start a module as a process that Ctrl-C does not reach; `heard` keeps its standard error to be read."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the folder we stand in may hold a module of any name
        "-m",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if heard else None,
        start_new_session=True,
    )


def pipe_to(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
    """Where a process is asked."""
    assert process.stdin is not None
    return process.stdin


async def hear(answers: asyncio.StreamReader | None) -> bytes:
    """The next message of a process; raises IncompleteReadError at its end, DecodeError when it cannot be a message."""
    assert answers is not None
    (length,) = HEAD.unpack(await answers.readexactly(HEAD.size))
    if length > LONGEST_MESSAGE:
        raise msgspec.DecodeError(f"a message of {length} bytes")
    return await answers.readexactly(length)


def first_trouble(troubles: BaseExceptionGroup[BaseException]) -> BaseException:
    """One of several processes' troubles: a full disk hits them all."""
    error = troubles.exceptions[0]
    return first_trouble(error) if isinstance(error, BaseExceptionGroup) else error


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

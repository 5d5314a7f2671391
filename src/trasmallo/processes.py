"""Processes that a run starts: programs of ours that are asked over standard input and answer over standard output."""

from __future__ import annotations

import asyncio
import sys

import msgspec

from trasmallo.values.pipes import HEAD, LONGEST_MESSAGE, encode


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


def say(process: asyncio.subprocess.Process, message: msgspec.Struct) -> None:
    """Ask a process; raises BrokenPipeError when it is gone, where the loop's own pipe would raise something else."""
    if pipe_to(process).is_closing():
        raise BrokenPipeError
    pipe_to(process).write(encode(message))


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

"""Processes that the hall starts: programs of ours that are asked over standard input and answer over standard output."""

from __future__ import annotations

import asyncio
import sys
from typing import NoReturn

import msgspec

from trasmallo.pipeline.reading.messages import HEAD, Trouble
from trasmallo.values import errors
from trasmallo.values.errors import ProjectError

_LONGEST_MESSAGE = 1 << 24
"""Bytes; what our programs say is a tenth of it. They have read hostile files and may say anything."""


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
    if length > _LONGEST_MESSAGE:
        raise msgspec.DecodeError(f"a message of {length} bytes")
    return await answers.readexactly(length)


def raise_trouble(trouble: Trouble) -> NoReturn:
    """A process's misfortune is the project's."""
    kind = getattr(errors, trouble.error, ProjectError)
    raise kind(trouble.problem, trouble.repair)


def first_trouble(troubles: BaseExceptionGroup[BaseException]) -> BaseException:
    """One of several processes' troubles: a full disk hits them all."""
    error = troubles.exceptions[0]
    return first_trouble(error) if isinstance(error, BaseExceptionGroup) else error


def ending(code: int | None) -> str:
    """How a process ended, in words."""
    return f"signal {-code}" if code is not None and code < 0 else f"exit {code}"

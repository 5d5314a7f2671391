"""Programs of ours in processes of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import msgspec
import pytest

from support.killing import has_begun, is_alive
from support.waiting import until
from trasmallo.pipeline.reading.messages import Began
from trasmallo.processes import first_trouble, hear, pipe_to, start_program
from trasmallo.values.errors import ProjectError, StoreFull
from trasmallo.values.pipes import HEAD, Trouble, encode


def heard(data: bytes) -> bytes:
    async def listen() -> bytes:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await hear(reader)

    return asyncio.run(listen())


def test_a_message_is_heard_whole_or_not_at_all() -> None:
    message = encode(Began(3))
    assert heard(message + b"more") == message[HEAD.size :]
    for end in (0, 3, len(message) - 1):
        with pytest.raises(asyncio.IncompleteReadError):
            heard(message[:end])
    with pytest.raises(msgspec.DecodeError):
        heard(HEAD.pack(1 << 30))


def test_a_program_ends_when_its_input_does() -> None:
    async def serve() -> tuple[bytes, int]:
        process = await start_program("trasmallo.crawl.workers.worker", heard=True)
        pipe_to(process).close()
        _, errors = await process.communicate()
        return errors, await process.wait()

    assert asyncio.run(serve()) == (b"", 0)


def test_troubles_of_a_process_are_the_projects() -> None:
    with pytest.raises(StoreFull, match="no room: make some"):
        Trouble.of(StoreFull("no room", "make some")).throw()
    with pytest.raises(ProjectError, match="odd: look"):
        msgspec.structs.replace(Trouble.of(StoreFull("odd", "look")), error="Nonsense").throw()


def test_one_of_many_troubles_is_told() -> None:
    first = ProjectError("a", "b")
    group = BaseExceptionGroup("x", [BaseExceptionGroup("y", [first]), ValueError()])
    assert first_trouble(group) is first


def test_a_program_ends_when_who_started_it_is_killed() -> None:
    """Also one that is stopped, and so does not look at its input."""
    program = (
        "import asyncio, os, signal\n"
        "from trasmallo.processes import pipe_to, start_program\n"
        "async def start():\n"
        "    started = [await start_program(name, heard=False) for name in NAMES]\n"
        "    print(*(process.pid for process in started), flush=True)\n"
        "    await started[0].wait()\n"
        "asyncio.run(start())\n"
    )
    names = ["trasmallo.pipeline.reading.worker", "trasmallo.pipeline.crawl_worker"]
    with subprocess.Popen([sys.executable, "-c", f"NAMES = {names}\n" + program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        children = [int(pid) for pid in parent.stdout.readline().split()]
        until(lambda: all(map(has_begun, children)), "programs that have begun")
        for child in children:
            os.kill(child, signal.SIGSTOP)
        parent.kill()
    until(lambda: not any(map(is_alive, children)), "the end of the programs")

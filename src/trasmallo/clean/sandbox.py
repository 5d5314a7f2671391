"""Sandbox for converters: a child process with limits, replaced after what it did not survive. It ends when this one does.

A child that somebody else killed says nothing about its document, which another one converts.
"""

from __future__ import annotations

import atexit
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import IO

import msgspec

from trasmallo.clean.formats.readers import Converted
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import Drop
from trasmallo.values.process_ends import ending, memory_kills
from trasmallo.values.working_time import WorkingTime

HEAD = struct.Struct("<IQ")
"""Lengths of what follows: the request or answer in msgpack, then the bytes of the document."""

OUT_OF_MEMORY = 77
"""Exit code of a child whose document did not fit."""

OUTLIVES_THREAD = "outlives-thread"
"""Argument of a child whose starter is a thread that may end before its process does."""

_KILLED = 3
"""Children that are killed at one document before it is given up. Judgement: more are no accident."""
_STARTING = 60.0
"""Seconds a child may take to start. Judgement: a busy machine may need long."""
_OFTEN_MEMORY = (signal.SIGABRT, signal.SIGTRAP, signal.SIGILL)
"""How libraries in C++ end a process that may have no more."""
_LARGEST_ANSWER = 300_000_000
"""Bytes of an answer. Judgement: markup ends at 20 million characters, of 4 bytes at most; more is damage."""
_DOCUMENTS_A_CHILD = 500
"""Documents after which a child is replaced. Judgement: seldom enough for its start not to be felt."""


class SandboxLimits(msgspec.Struct, frozen=True):
    """What one document may cost: seconds by the clock and of the processor, and megabytes of memory.

    Time in which the child waits for a processor does not count.

    The defaults are judgement: what a person waits for, and what any machine has to spare.
    """

    seconds: float = 30.0
    megabytes: int = 1_000


class Request(msgspec.Struct, frozen=True):
    """A document to convert; its bytes follow."""

    media: str
    http_charset: str
    name: str
    limits: SandboxLimits


class Sandbox:
    """Where documents are converted under limits. A child process is started for the first document, and used again.

    Threads wait for each other; a process that was forked from this one gets a child of its own. A child is replaced after
    `documents` of them, so that what libraries forget to free stays small. `killed` says whether the last document was given
    up because every child that turned to it was killed from outside.
    """

    def __init__(self, limits: SandboxLimits | None = None, documents: int = _DOCUMENTS_A_CHILD) -> None:
        self.limits = limits or SandboxLimits()
        self.killed = False
        self._documents = documents
        self._lock = threading.Lock()
        self._children: dict[int, _Child] = {}
        atexit.register(self.close)

    def render(self, media: str, content: bytes, http_charset: str = "", name: str = "") -> Converted:
        """Convert a document in the child; when the child does not survive it, the answer says how it ended."""
        request = Request(media, http_charset, name, self.limits)
        with self._lock:
            for _ in range(_KILLED):
                answer = self._ask(request, content)
                if not self.killed:
                    break
            return answer

    def _ask(self, request: Request, content: bytes) -> Converted:
        child = self._living()
        answer = child.ask(request, content)
        self.killed = child.killed
        if child.dead or child.documents >= self._documents:
            self._children.pop(os.getpid()).close()
        return answer

    def _living(self) -> _Child:
        child = self._children.get(os.getpid())
        if child is not None and child.dead:
            child.close()
            child = None
        if child is None:
            child = self._children[os.getpid()] = _Child()
        return child

    def close(self) -> None:
        """Let the child go; the next document starts another."""
        child = self._children.pop(os.getpid(), None)
        if child:
            child.close()


@cache
def shared_sandbox() -> Sandbox:
    """The sandbox of a program that brings none of its own, with the usual limits."""
    return Sandbox()


class _Child:
    """The process that converts; `documents` counts what it was asked, `killed` is whether somebody else ended it."""

    def __init__(self) -> None:
        stays = threading.current_thread() is threading.main_thread()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "trasmallo.clean.sandbox_child", *([] if stays else [OUTLIVES_THREAD])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.documents = 0
        self.killed = False
        self._memory_kills = memory_kills()
        self._ready = False
        self._late = False

    @property
    def dead(self) -> bool:
        return self._process.poll() is not None

    def ask(self, request: Request, content: bytes) -> Converted:
        self.documents += 1
        try:
            if not self._ready:
                self._await_ready()
            with self._watched(request.limits.seconds):
                self._say(msgspec.msgpack.encode(request), content)
                return self._hear()
        except UNDECODABLE as nonsense:
            self._process.kill()
            return Converted(drop=Drop.BROKEN, cause=f"the converter talked nonsense ({nonsense})")
        except (OSError, EOFError):
            self._process.kill()
            return self._obituary(self._process.wait(), request.limits)
        except BaseException:
            self._process.kill()
            raise

    @contextmanager
    def _watched(self, seconds: float) -> Iterator[None]:
        """Kill the child when it takes longer."""
        done = threading.Event()
        granted = WorkingTime(self._process.pid, seconds)
        threading.Thread(target=self._watch, args=(granted, done), daemon=True).start()
        try:
            yield
        finally:
            done.set()

    def _watch(self, granted: WorkingTime, done: threading.Event) -> None:
        while not done.wait(granted.left):
            if granted.is_over():
                self._late = True
                self._process.kill()
                return

    def _await_ready(self) -> None:
        """A child says when it has started, which is no document's time."""
        assert self._process.stdout is not None
        with self._watched(_STARTING):
            read_exactly(self._process.stdout, HEAD.size)
        self._ready = True

    def _say(self, request: bytes, content: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        pipe.write(HEAD.pack(len(request), len(content)) + request)
        pipe.write(content)
        pipe.flush()

    def _hear(self) -> Converted:
        pipe = self._process.stdout
        assert pipe is not None
        length, _ = HEAD.unpack(read_exactly(pipe, HEAD.size))
        if length > _LARGEST_ANSWER:
            raise msgspec.DecodeError(f"an answer of {length} bytes")
        return msgspec.msgpack.decode(read_exactly(pipe, length), type=decodable(Converted))

    def _obituary(self, code: int, limits: SandboxLimits) -> Converted:
        if self._late and not self._ready:
            return Converted(drop=Drop.BROKEN, cause=f"the converter does not start within {_STARTING:g} s")
        if self._late or code == -signal.SIGXCPU:
            return Converted(drop=Drop.TOO_SLOW, cause=f"more than {limits.seconds:g} s to convert")
        if code == -signal.SIGKILL:
            self.killed = True
            return self._victim()
        if not self._ready:
            return Converted(drop=Drop.BROKEN, cause=f"the converter does not start ({ending(code)})")
        if code == OUT_OF_MEMORY:
            return Converted(drop=Drop.TOO_BIG, cause=f"more than {limits.megabytes} MB to convert")
        ended = ending(code) + (", mostly for want of memory" if -code in _OFTEN_MEMORY else "")
        return Converted(drop=Drop.BROKEN, cause=f"the converter died of it ({ended})")

    def _victim(self) -> Converted:
        """What is said of a document whose child was killed by somebody else."""
        if memory_kills() > self._memory_kills:
            return Converted(drop=Drop.TOO_BIG, cause="the system killed the converter for want of memory")
        return Converted(drop=Drop.BROKEN, cause="the converter was killed")

    def close(self) -> None:
        """It ends when its input does; one that does not is killed."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def read_exactly(pipe: IO[bytes], length: int) -> bytes:
    """So many bytes of a pipe; raises EOFError when it ends before."""
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content

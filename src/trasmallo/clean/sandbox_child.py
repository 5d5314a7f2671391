"""The child process that converts documents, under caps of memory and time.

Started by `sandbox` as `python -m trasmallo.clean.sandbox_child`; asked over standard input, answers over standard output. It
ends when its input ends, and is killed when who started it is gone.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
import time

import msgspec

from trasmallo.clean.formats.readers import Converted, render
from trasmallo.clean.sandbox import HEAD, OUT_OF_MEMORY, OUTLIVES_THREAD, Request, SandboxLimits, read_exactly
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Drop
from trasmallo.values.process_ends import end_with_input, end_with_parent

# Markup is bounded by its parsers at some hundred levels; readers take a few frames a level.
_FRAMES = 5_000


def main() -> None:
    """Serve one process."""
    if OUTLIVES_THREAD in sys.argv:
        end_with_input(sys.stdin.fileno())
    else:
        end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    sys.setrecursionlimit(_FRAMES)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries print about hostile files
    answers.write(HEAD.pack(0, 0))
    answers.flush()
    while True:
        try:
            lengths = HEAD.unpack(read_exactly(asked, HEAD.size))
            request = msgspec.msgpack.decode(read_exactly(asked, lengths[0]), type=decodable(Request))
            _cap(request.limits)
            body = msgspec.msgpack.encode(_answer(request, read_exactly(asked, lengths[1])))
        except EOFError:
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        answers.write(HEAD.pack(len(body), 0) + body)
        answers.flush()


def _answer(request: Request, content: bytes) -> Converted:
    try:
        return render(request.media, content, request.http_charset, request.name)
    except MemoryError:
        return Converted(drop=Drop.TOO_BIG, cause=f"more than {request.limits.megabytes} MB to convert")


def _cap(limits: SandboxLimits) -> None:
    """Memory that may be asked for at all, and processor time from now on; a crash leaves no file behind."""
    most = limits.megabytes * 1_000_000
    for kind, soft in (
        (resource.RLIMIT_AS, most),
        (resource.RLIMIT_CPU, math.ceil(time.process_time() + limits.seconds) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


if __name__ == "__main__":
    main()

"""A process that makes tables of a finished run, or its search index, one after the other as it is asked.

Started as `python -m trasmallo.pipeline.table_worker`; asked over standard input, answers over standard output. It ends when
its input ends, and is killed when who asks is gone: half of a table is never seen. It has read no page: a process that has may
have been taken over by it, so no reader makes tables.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.events import AnyEvent, Event
from trasmallo.results.table_tasks import TableMaker, TableTask
from trasmallo.store import run_folders
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import TrasmalloError
from trasmallo.values.pipes import Trouble, encode, read_message
from trasmallo.values.process_ends import end_with_parent


class TableSetup(msgspec.Struct, frozen=True, tag=True):
    """Whose tables are made, and how, said once; `scratch` is for this process alone."""

    run: str
    study: StudyConfig
    scratch: str


class Make(msgspec.Struct, frozen=True, tag=True):
    """Make this."""

    task: TableTask


class Made(msgspec.Struct, frozen=True, tag=True):
    """It is made."""

    name: str


class Told(msgspec.Struct, frozen=True, tag=True):
    """What happened meanwhile."""

    event: AnyEvent


TableAsked = TableSetup | Make
TableSaid = Made | Told | Trouble
_asked = msgspec.msgpack.Decoder(decodable(TableAsked))
_said = msgspec.msgpack.Decoder(decodable(TableSaid))


def decode_table_said(body: bytes) -> TableSaid:
    """What a process said."""
    said: TableSaid = _said.decode(body)
    return said


def serve(asked: BinaryIO, say: Callable[[msgspec.Struct], None]) -> None:
    """Make what is asked for until nobody asks; the project's misfortune is told, and ends it."""

    def tell(event: Event) -> None:
        say(Told(event))  # type: ignore[arg-type]

    setup = _next(asked)
    if not isinstance(setup, TableSetup):
        return
    try:
        with TableMaker(run_folders.open_run(Path(setup.run)), setup.study, Path(setup.scratch), tell) as maker:
            while isinstance(message := _next(asked), Make):
                maker.make(message.task)
                say(Made(message.task.name))
    except TrasmalloError as error:
        say(Trouble.of(error))


def _next(asked: BinaryIO) -> TableAsked | None:
    body = read_message(asked)
    return None if body is None else _asked.decode(body)


def main() -> None:
    """Serve one run."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks, and decides what becomes of us
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not speak to who asks

    def say(message: msgspec.Struct) -> None:
        answers.write(encode(message))
        answers.flush()

    serve(sys.stdin.buffer, say)


if __name__ == "__main__":
    main()

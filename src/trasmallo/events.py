"""What happens, as values: rooms receive `emit`, the bus feeds progress bars, the run's `events.jsonl`, live views and logging.

No room prints. An event is one frozen struct; its tag is its name in `events.jsonl`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import disk_errors
from trasmallo.values.run_status import LineStatus, RunCounts


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Something that happened."""


class RunStarted(Event, frozen=True):
    """A run began, or went on after an interruption (`resumed`)."""

    run: str
    resumed: bool


class LineChanged(Event, LineStatus, frozen=True):
    """A line of the crawler changed its state, or more of its download has come."""


class Fetched(Event, frozen=True):
    """A page was obtained and its record is on disk."""

    url: str
    status: int
    size: int
    media: str
    digest: str


class Redirected(Event, frozen=True):
    """An address answered with another one."""

    url: str
    location: str


class Refused(Event, frozen=True):
    """An address was not asked for, or not followed, and why."""

    url: str
    cause: str


class Failed(Event, frozen=True):
    """An address was asked for in vain; `again_at` is when it is tried again, 0 for never."""

    url: str
    outcome: str
    cause: str
    again_at: float = 0.0


class Studied(Event, frozen=True):
    """A document is cleaned, counted and in the results."""

    url: str
    title: str
    words: int


class Dropped(Event, frozen=True):
    """An obtained page gave no document, and why."""

    url: str
    reason: str
    cause: str = ""


class Progress(Event, RunCounts, frozen=True):
    """Where the run stands, told some times a second."""


class Waiting(Event, frozen=True):
    """Nothing moves; `cause` says what everybody waits for, `until` when, 0 when no time can be told."""

    cause: str
    until: float


class ScopeChanged(Event, frozen=True):
    """The crawl keeps to other exclusions and inclusions from now on."""

    exclude: tuple[str, ...]
    include: tuple[str, ...]


class Discarded(Event, frozen=True):
    """Addresses that waited were dropped, because the crawl's border was moved."""

    number: int
    cause: str


class CrawlEnded(Event, frozen=True):
    """The downloads ended; `cause` says which limit was reached or who stopped them, "" when nothing was left."""

    cause: str


class Indexing(Event, frozen=True):
    """Documents are put into the search index again: so many of `total` are; `cause` says why."""

    done: int
    total: int
    cause: str = ""


class Exporting(Event, frozen=True):
    """Rows, documents or answers are written in another format: so many of `total` are."""

    done: int
    total: int


class Warned(Event, frozen=True):
    """Something a person should know, that stops nothing."""

    message: str


class Rendered(Event, frozen=True):
    """A page was run in a browser, and why; `trouble` says why in vain or not to its end, "" when all went well.

    It took so many `seconds`, and `requests` that brought `size` bytes; `refused` are the causes why others were not answered,
    with how often each; `browser` tells which it is, and how far it is kept from the machine.
    """

    url: str
    reason: str
    trouble: str
    seconds: float
    requests: int
    size: int
    refused: tuple[str, ...] = ()
    browser: str = ""


class Announced(Event, frozen=True):
    """What is about to be done, where whoever asked for it may expect something else."""

    message: str


class Pushed(Event, frozen=True):
    """A hub told what is new in a feed: so many entries, of which some were new to the crawl."""

    url: str
    entries: int
    new: int


class RunEnded(Event, frozen=True):
    """A run came to its end: finished, or stopped before it."""

    run: str
    state: str


AnyEvent = (
    RunStarted
    | LineChanged
    | Fetched
    | Redirected
    | Refused
    | Failed
    | Studied
    | Dropped
    | Progress
    | Waiting
    | ScopeChanged
    | Discarded
    | CrawlEnded
    | Indexing
    | Exporting
    | Warned
    | Rendered
    | Announced
    | Pushed
    | RunEnded
)
Emit = Callable[[Event], None]

_TRANSIENT = (LineChanged, Progress, Indexing, Exporting)
_ALARMING = (Failed, Warned)


class Bus:
    """Hands every event to everybody who listens, in the order of listening."""

    def __init__(self) -> None:
        self._listeners: tuple[Emit, ...] = ()
        self._watching: tuple[Emit, ...] = ()

    def listen(self, listener: Emit, *, transient: bool = True) -> Callable[[], None]:
        """Call `listener` with each event from now on, or with all but states that pass; the returned function ends it.

        States of lines change more than once a page, and most who listen want none of them.
        """
        self._listeners = (*self._listeners, listener)
        if transient:
            self._watching = (*self._watching, listener)
        return lambda: self._forget(listener)

    def _forget(self, listener: Emit) -> None:
        self._listeners = _without(self._listeners, listener)
        self._watching = _without(self._watching, listener)

    def emit(self, event: Event) -> None:
        """Hand an event to every listener that wants it."""
        for listener in self._watching if isinstance(event, _TRANSIENT) else self._listeners:
            listener(event)


def _without(listeners: tuple[Emit, ...], listener: Emit) -> tuple[Emit, ...]:
    """All but one of the places where a listener stands, if it does."""
    at = listeners.index(listener) if listener in listeners else len(listeners)
    return listeners[:at] + listeners[at + 1 :]


class EventFile:
    """A listener that appends events to a file, a JSON object a line with the time in `at`; states that pass are left out."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._encoder = msgspec.json.Encoder()
        with disk_errors(path):
            self._file: BinaryIO = path.open("ab", buffering=0)
            self._end_torn_line()

    def __call__(self, event: Event) -> None:
        """Append one event with a single write, so that a crash tears at most the last line."""
        if isinstance(event, _TRANSIENT):
            return
        line = b'{"at":%.3f,' % self._clock() + self._encoder.encode(event)[1:] + b"\n"
        with disk_errors(self._path):
            self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _end_torn_line(self) -> None:
        size = self._path.stat().st_size
        if size:
            with self._path.open("rb") as file:
                file.seek(size - 1)
                torn = file.read(1) != b"\n"
            if torn:
                self._file.write(b"\n")


def read_events(path: Path) -> list[tuple[float, Event]]:
    """The events of a file with their times; lines torn by a crash are passed over."""
    decoder = msgspec.json.Decoder(decodable(AnyEvent))
    clock = msgspec.json.Decoder(decodable(_At))
    events: list[tuple[float, Event]] = []
    for line in path.read_bytes().splitlines():
        try:
            events.append((clock.decode(line).at, decoder.decode(line)))
        except UNDECODABLE:
            continue
    return events


def log_events(logger: logging.Logger) -> Emit:
    """A listener that writes events to a logger: failures and warnings as warnings, the rest as debug lines."""

    def listener(event: Event) -> None:
        level = logging.WARNING if isinstance(event, _ALARMING) else logging.DEBUG
        if logger.isEnabledFor(level):
            logger.log(level, "%s", event)

    return listener


class _At(msgspec.Struct):
    at: float = 0.0

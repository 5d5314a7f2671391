"""Status of a run at one moment, as it writes it down for other processes (`progress.json`): counts, lines, hosts, pages."""

from __future__ import annotations

import msgspec

from trasmallo.values.model import Outcome


class RunCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a run: addresses known, waiting and obtained, documents studied or dropped, bytes received.

    `copies` of the documents are known to be like another; the rest shows when the run ends.
    """

    known: int = 0
    waiting: int = 0
    obtained: int = 0
    failed: int = 0
    studied: int = 0
    dropped: int = 0
    received: int = 0
    copies: int = 0


class LineStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What a line of the crawler is doing.

    `state` is ready, waiting (for a host that is due), downloading, keeping, ended, or what became of the last address:
    finished, redirected, refused, address failed (it is not there), no server, log-in needed or retrieval failed; `cause` says
    why, or where the redirect leads; `since` when. Of a download `received` bytes have come, of `expected` (0: unknown).
    """

    line: int
    state: str = ""
    url: str = ""
    received: int = 0
    expected: int = 0
    cause: str = ""
    since: float = 0.0


class HostStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A host with addresses that wait, and the reason. `until` is when that ends, 0 when no time can be told."""

    host: str
    queued: int
    reason: str
    until: float = 0.0
    leased: bool = False
    last_outcome: Outcome | None = None


class PageInReading(msgspec.Struct, frozen=True):
    """A page under analysis, since when, and how many of its batch come after it."""

    url: str
    since: float
    behind: int


class RunStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Status of a run that was written down at the time `at`, 0 when none was.

    `waiting` says what everybody waits for when nothing moves, "" otherwise. `stopping` when the downloads are ending.
    """

    at: float = 0.0
    counts: RunCounts = RunCounts()
    lines: tuple[LineStatus, ...] = ()
    hosts: tuple[HostStatus, ...] = ()
    waiting: str = ""
    paused: bool = False
    stopping: bool = False
    reading: tuple[PageInReading, ...] = ()

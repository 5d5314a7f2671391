"""Status of a run at one moment, as it writes it down for other processes (`progress.json`): counts, lines, hosts, pages.

The counts are those of all doors: whoever tells how many addresses, pages or documents a run has, takes them from `RunCounts`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from trasmallo.values.model import Drop, Outcome


class RunCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a run; `count_run` makes them, so that their sums are right.

    `outcomes` has how asking for each address last ended, so that they add up to the addresses asked for; `waiting` are queued,
    of which some may have been asked before and are to be tried again; `known` are those asked for and those that wait.
    `obtained` and `failed` are parts of the outcomes, `received` the bytes of all answers that were kept. `studied` are the
    documents of the tables, without copies; `drops` the pages left out by reason, copies among them, `dropped` their sum, and
    `copies` those that are known to be like another document: the rest shows when the run ends. What is obtained and
    neither studied nor dropped has not been read yet. `remade` are pages that were read or studied again so far and are not in
    the tables yet, None when nothing is made again.
    """

    known: int = 0
    waiting: int = 0
    obtained: int = 0
    failed: int = 0
    studied: int = 0
    dropped: int = 0
    received: int = 0
    copies: int = 0
    outcomes: dict[str, int] = {}
    drops: dict[str, int] = {}
    remade: int | None = None

    @property
    def asked(self) -> int:
        """Addresses that were asked for, or refused before."""
        return sum(self.outcomes.values())

    @property
    def refused(self) -> int:
        """Addresses that were refused before they were asked for."""
        return sum(self.outcomes.get(outcome, 0) for outcome in Outcome if outcome.refused)

    @property
    def pages(self) -> int:
        """Pages that have been read: the rows of the table `pages`."""
        return self.studied + self.dropped


def count_run(
    *,
    outcomes: Mapping[Outcome, int],
    known: int,
    waiting: int,
    received: int,
    pages: Mapping[str, int],
    copies: int,
    remade: int | None = None,
) -> RunCounts:
    """The counts of a run. `pages` were read, by why they were left out, "" for texts; `copies` are some of these."""
    drops = {reason: number for reason, number in pages.items() if reason and number}
    drops |= {str(Drop.COPY): copies} if copies else {}
    return RunCounts(
        known=known,
        waiting=waiting,
        obtained=sum(number for outcome, number in outcomes.items() if outcome.obtained),
        failed=sum(number for outcome, number in outcomes.items() if outcome.failed),
        studied=pages.get("", 0) - copies,
        dropped=sum(drops.values()),
        received=received,
        copies=copies,
        outcomes={str(outcome): number for outcome, number in outcomes.items() if number},
        drops=dict(sorted(drops.items())),
        remade=remade,
    )


def addresses_left(told: RunCounts, asked: int) -> tuple[int, int]:
    """Addresses known and waiting when so many were asked for, if nobody has looked at the queue since the counts were told."""
    if not told.outcomes:  # nothing was asked for by then, or an earlier version told less
        return asked + told.waiting, told.waiting
    to_try_again = told.asked + told.waiting - told.known
    known = max(told.known, asked)
    return known, max(0, known - asked + to_try_again)


class CrawlLeft(msgspec.Struct, frozen=True):
    """A crawl that was left before its queue was empty, since later runs came: `run` goes on with it.

    So many addresses are `waiting`; `ended` says why the downloads ended, "" where it was interrupted.
    """

    run: str
    waiting: int
    ended: str = ""


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


class AgentStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What one process of a run is doing, since when.

    `work` is fetching, reading, studying, coordinating (those that crawl), finding copies, merging tokens, making a table,
    indexing, or waiting; `what` is the host, the address or the table; `more` are as many again that it has at hand: other
    downloads, or pages of its batch.
    """

    process: int
    work: str
    what: str = ""
    since: float = 0.0
    more: int = 0


class RunStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Status of a run that was written down at the time `at`, 0 when none was.

    `waiting` says what everybody waits for when nothing moves, "" otherwise. `stopping` when the downloads are ending. `ended`
    when the session wrote it as its last word, so that the counts hold until another one begins.
    """

    at: float = 0.0
    counts: RunCounts = RunCounts()
    lines: tuple[LineStatus, ...] = ()
    hosts: tuple[HostStatus, ...] = ()
    waiting: str = ""
    paused: bool = False
    stopping: bool = False
    reading: tuple[PageInReading, ...] = ()
    agents: tuple[AgentStatus, ...] = ()
    ended: bool = False

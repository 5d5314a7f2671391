"""What a run has brought: its summary and its state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_counts import crawl_left, status_now
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Drop
from trasmallo.values.run_status import AgentStatus, CrawlLeft, HostStatus, LineStatus, PageInReading, RunCounts


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run brought: how its addresses ended, and what the documents hold; `RunCounts` says what is counted how.

    `left_out` are documents in languages that are not wanted, by language; they are among those `dropped`.
    `ended` says why the downloads ended before nothing was left, "" when nothing was; `left` is an older crawl that waits.
    """

    run: str
    state: str
    outcomes: dict[str, int]
    pages: int
    documents: int
    dropped: dict[str, int]
    copies: int
    words: int
    types: int
    languages: dict[str, int]
    left_out: dict[str, int] = {}
    ended: str = ""
    known: int = 0
    waiting: int = 0
    left: CrawlLeft | None = None


class ProjectStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run stands: its state, its counts as it last wrote them down (`at`), lines, queues, and what everybody waits for.

    `left` is an older crawl whose addresses wait. `agents` are its processes and what each is doing. `process` is 0 when nobody
    works on it: then there are none of these, no lines, and no reasons why a host waits.
    """

    run: str
    state: str
    ended: str
    process: int
    outcomes: dict[str, int]
    progress: RunCounts
    at: float
    waiting: str
    paused: bool
    stopping: bool
    reading: tuple[PageInReading, ...]
    lines: tuple[LineStatus, ...]
    hosts: tuple[HostStatus, ...]
    agents: tuple[AgentStatus, ...] = ()
    left: CrawlLeft | None = None


def summarise(run: Run, store: Path, study: StudyConfig | None = None, *, working: bool = False) -> Summary:
    """The figures of a run, also while somebody is `working` on it; `study` says which words count then."""
    counts = status_now(run, store, working=working).counts
    with Tables(run, study) as tables:
        languages = tables.tally("pages", "language", ("drop=",))
        left_out = tables.tally("pages", "language", (f"drop={Drop.LANGUAGE}",)) if Drop.LANGUAGE in counts.drops else {}
        words, types = tables.total("words", "count"), tables.different("words", "word")
    return Summary(
        run=run.name,
        state=run.manifest.state,
        words=words,
        types=types,
        languages=languages,
        left_out=left_out,
        ended=run.manifest.ended,
        left=crawl_left(run),
        **_counted(counts),
    )


def with_counts(summary: Summary, counts: RunCounts) -> Summary:
    """A summary with the counts of a later moment."""
    return msgspec.structs.replace(summary, **_counted(counts))


def _counted(counts: RunCounts) -> dict[str, Any]:
    return {
        "outcomes": counts.outcomes,
        "known": counts.known,
        "waiting": counts.waiting,
        "pages": counts.pages,
        "documents": counts.studied,
        "dropped": counts.drops,
        "copies": counts.copies,
    }


def status(run: Run, store: Path, process: int) -> ProjectStatus:
    """The state of a run, with what it last wrote down; `process` is who works on it now, 0 for nobody."""
    working = bool(process)
    report = status_now(run, store, working=working)
    return ProjectStatus(
        run=run.name,
        state=state_of(run, process),
        ended="" if working else run.manifest.ended,
        process=process,
        outcomes=report.counts.outcomes,
        progress=report.counts,
        at=report.at,
        waiting=report.waiting if working else "",
        paused=working and report.paused,
        stopping=working and report.stopping,
        reading=report.reading if working else (),
        lines=report.lines if working else (),
        hosts=report.hosts if working else tuple(map(at_rest, report.hosts)),
        agents=report.agents if working else (),
        left=crawl_left(run),
    )


def state_of(run: Run, process: int) -> str:
    """The state of a run; one that nobody works on any more was interrupted."""
    return run.manifest.state if process or run.manifest.state != "running" else "interrupted"


def at_rest(host: HostStatus) -> HostStatus:
    """A host whose addresses wait though nobody works: only for the run to go on."""
    return msgspec.structs.replace(host, reason="", until=0.0, leased=False)

"""What a run has brought: its summary and its state."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.results.database.tables import Tables
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.model import Drop
from trasmallo.values.run_status import HostStatus, LineStatus, PageInReading, RunCounts


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run brought: how its addresses ended, and what the documents hold.

    `left_out` are documents in languages that are not wanted, by language; they are among those `dropped`.
    `ended` says why the downloads ended before nothing was left, "" when nothing was.
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


class ProjectStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run stands: its state, its counts as it last wrote them down (`at`), lines, queues, and what everybody waits for.

    `process` is 0 when nobody works on it: then there are no lines, and no reasons why a host waits.
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


def summarise(run: Run, store: Path, study: StudyConfig | None = None) -> Summary:
    """The figures of a run, also while it goes on; `study` says which words count then."""
    outcomes = outcomes_of(run, store)
    with Tables(run, study) as tables:
        drops = tables.tally("pages", "drop")
        languages = tables.tally("pages", "language", ("drop=",))
        left_out = tables.tally("pages", "language", (f"drop={Drop.LANGUAGE}",)) if Drop.LANGUAGE in drops else {}
        copies, words, types = tables.number("copies"), tables.total("words", "count"), tables.different("words", "word")
    pages, documents = sum(drops.values()), drops.pop("", 0)
    return Summary(
        run=run.name,
        state=run.manifest.state,
        outcomes=outcomes,
        pages=pages,
        documents=documents,
        dropped=drops,
        copies=copies,
        words=words,
        types=types,
        languages=languages,
        left_out=left_out,
        ended=run.manifest.ended,
    )


def status(run: Run, store: Path, process: int) -> ProjectStatus:
    """The state of a run, with what it last wrote down; `process` is who works on it now, 0 for nobody."""
    report = run.status()
    working = bool(process)
    return ProjectStatus(
        run=run.name,
        state=state_of(run, process),
        ended="" if working else run.manifest.ended,
        process=process,
        outcomes=outcomes_of(run, store),
        progress=report.counts,
        at=report.at,
        waiting=report.waiting if working else "",
        paused=working and report.paused,
        stopping=working and report.stopping,
        reading=report.reading if working else (),
        lines=report.lines if working else (),
        hosts=report.hosts if working else tuple(map(_at_rest, report.hosts)),
    )


def state_of(run: Run, process: int) -> str:
    """The state of a run; one that nobody works on any more was interrupted."""
    return run.manifest.state if process or run.manifest.state != "running" else "interrupted"


def _at_rest(host: HostStatus) -> HostStatus:
    return msgspec.structs.replace(host, reason="", until=0.0, leased=False)


def outcomes_of(run: Run, store: Path) -> dict[str, int]:
    """How many addresses of a run ended how."""
    if not has_catalog(store):
        return {}
    with Catalog(store / "catalog", read_only=True) as catalog:
        return {outcome.value: count for outcome, count in catalog.outcomes(run.name).items()}


def need_catalog(store: Path) -> None:
    """Raise StoreDamaged when pages are stored and the catalog of them is gone."""
    if not (store / "catalog" / "CURRENT").exists() and any((store / "archive").glob("*.warc.gz")):
        raise StoreDamaged("the catalog {folder} is missing", REBUILD, folder=store / "catalog")


def has_catalog(store: Path) -> bool:
    """Whether there is one to be read; a run that has just begun has made its folder and nothing more."""
    need_catalog(store)
    return (store / "catalog" / "CURRENT").exists()

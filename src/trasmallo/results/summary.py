"""What a run has brought: its summary, its state, its incidents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.config import StudyConfig
from trasmallo.crawl.retries import FAILED
from trasmallo.crawl.scope_log import read_dropped
from trasmallo.crawl.trap_filter import read_report
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Outcome


class Summary(msgspec.Struct, frozen=True):
    """What a run brought: how its addresses ended, and what the documents hold.

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
    ended: str = ""


class Incident(msgspec.Struct, frozen=True):
    """An address that gave no document: `what` happened (an outcome or a reason to drop), and the cause in words."""

    url: str
    what: str
    cause: str
    at: float


def summarise(run: Run, store: Path, study: StudyConfig | None = None) -> Summary:
    """The figures of a run, also while it goes on; `study` says which words count then."""
    outcomes = _outcomes(run, store)
    with Tables(run, study) as tables:
        drops = tables.tally("pages", "drop")
        languages = tables.tally("pages", "language", ("drop=",))
        copies, words, types = tables.number("copies"), tables.total("words", "count"), tables.number("words")
    pages, documents = sum(drops.values()), drops.pop("", 0)
    state, ended = run.manifest.state, run.manifest.ended
    return Summary(run.name, state, outcomes, pages, documents, drops, copies, words, types, languages, ended)


def status(run: Run, store: Path, process: int) -> dict[str, Any]:
    """The state of a run, with what it last wrote down: counts, lines, queues, and what everybody waits for.

    When nobody works on it there are no lines, and no reasons why a host waits.
    """
    written = run.progress
    progress = msgspec.json.decode(written.read_bytes()) if written.exists() else {}
    hosts = progress.get("hosts", [])
    return {
        "run": run.name,
        "state": run.manifest.state if process or run.manifest.state != "running" else "interrupted",
        "ended": "" if process else run.manifest.ended,
        "process": process,
        "outcomes": _outcomes(run, store),
        "progress": progress.get("counts", {}),
        "at": progress.get("at", 0.0),
        "waiting": progress.get("waiting", "") if process else "",
        "paused": bool(process and progress.get("paused")),
        "stopping": bool(process and progress.get("stopping")),
        "reading": progress.get("reading", []) if process else [],
        "lines": progress.get("lines", []) if process else [],
        "hosts": hosts if process else [host | {"reason": "", "until": 0.0, "leased": False} for host in hosts],
    }


def failures(run: Run, store: Path) -> Iterator[Fetch]:
    """Addresses of a run that failed or were refused and can be tried again, in order of arrival."""
    if _has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            yield from catalog.of_run(run.name, *FAILED)


def incidents(run: Run, store: Path) -> Iterator[Incident]:
    """Refused and failed addresses in order of arrival, then traps and what waited in vain, then dropped pages by address."""
    quiet = (Outcome.FETCHED, Outcome.UNCHANGED, Outcome.REDIRECTED)
    if _has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            for fetch in catalog.of_run(run.name, *(outcome for outcome in Outcome if outcome not in quiet)):
                yield Incident(fetch.url, fetch.outcome, fetch.cause, fetch.at)
    reports = (read_report(run.traps_of(share)) for share in range(run.manifest.processes))
    for trap in chain.from_iterable(reports):
        cause = f"{trap.rule}: {trap.count:,} such addresses of {trap.host}"
        yield Incident(trap.example, "trap", cause, run.manifest.began)
    borders = (read_dropped(run.border_of(share)) for share in range(run.manifest.processes))
    for gone in chain.from_iterable(borders):
        cause = f"{gone.cause}: {gone.number:,} such addresses that waited"
        yield Incident(gone.example, Outcome.OUT_OF_SCOPE, cause, gone.at)
    if run.manifest.ended not in ("", "stopped"):
        yield Incident("", "crawl ended", run.manifest.ended, run.manifest.began)
    with Tables(run) as tables:
        for url, drop, cause, at in tables.ask("pages", Question(where=("drop!=",), columns=("url", "drop", "cause", "at"))):
            yield Incident(url, drop, cause, at)


def _outcomes(run: Run, store: Path) -> dict[str, int]:
    if not _has_catalog(store):
        return {}
    with Catalog(store / "catalog", read_only=True) as catalog:
        return {outcome.value: count for outcome, count in catalog.outcomes(run.name).items()}


def _has_catalog(store: Path) -> bool:
    """Whether there is one to be read; a run that has just begun has made its folder and nothing more."""
    return (store / "catalog" / "CURRENT").exists()

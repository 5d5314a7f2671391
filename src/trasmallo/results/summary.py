"""What a run has brought: its summary, its state, its incidents."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from trasmallo.config import Config, StudyConfig
from trasmallo.crawl.retries import FAILED
from trasmallo.crawl.scope_log import read_dropped
from trasmallo.crawl.trap_filter import read_report
from trasmallo.events import Emit
from trasmallo.pipeline.duplicates import find_copies
from trasmallo.project.project import Summary
from trasmallo.results.frequent_words import find_frequent
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.search.indexing import build_index, forget_index
from trasmallo.results.tables import Question, Tables, compile_tables
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import TOKENS
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Outcome


class Incident(msgspec.Struct, frozen=True):
    """An address that gave no document: `what` happened (an outcome or a reason to drop), and the cause in words."""

    url: str
    what: str
    cause: str
    at: float


def complete(run: Run, config: Config, emit: Emit, *, finished: bool) -> None:
    """Find copies and the words that are too frequent; a finished run gets one file of tokens, Parquet tables, and an index."""
    find_copies(run, config.clean.copies)
    if finished:
        compile_corpus(run)
    find_frequent(run, config.study)
    if finished:
        from trasmallo.results.links.ranks import forget_start  # with scipy, which others here do not need

        forget_start(run)
        compile_tables(run, config.study)
        with Tables(run, config.study, frugal=True) as tables:
            build_index(run, tables, emit, "the run is finished")


def remove_parts(run: Run) -> None:
    """What a finished run needs no more."""
    shutil.rmtree(run.parts, ignore_errors=True)
    shutil.rmtree(run.folder / "spill", ignore_errors=True)


def forget_tables(run: Run) -> None:
    """Remove what is made of the parts at the end of a run; a crash may have left half of it."""
    made = [run.folder / name for name in ("copies.jsonl", "frequent.jsonl", TOKENS)]
    for path in [*run.folder.glob("*.parquet"), *made]:
        path.unlink(missing_ok=True)


def forget_results(run: Run) -> None:
    """Remove what cleaning and study made, also a study that was not ended; stored pages stay."""
    forget_tables(run)
    forget_index(run)
    run.manifest.studying = ""
    for folder in (run.parts, run.studying, run.studied):
        shutil.rmtree(folder, ignore_errors=True)
    run.parts.mkdir()


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

"""Thinning out of results: those of old revisits, pushes and passes over files, each of which writes tables, are removed.

What was stored stays: pages, their versions, and what each visit showed. Removed are tables, tokens and index of those that are
neither among the latest nor the last of their month; the results of crawls and imports stay.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from trasmallo.pipeline.completion import forget_tables, remove_parts
from trasmallo.results.links.ranks import forget_ranks
from trasmallo.results.search.indexing import forget_index
from trasmallo.store import run_folders
from trasmallo.store.run_folders import FILES, PUSH, REVISIT, Run

_FREQUENT = (REVISIT, PUSH, FILES)
"""Kinds of runs that a program starts, as often as it is told to."""


def thin_out(folder: Path, kept: int) -> list[str]:
    """Remove such results in the `folder` of runs but for so many of the latest, 0 is all; the names of the runs."""
    found = [run for run in run_folders.find(folder) if run.manifest.kind in _FREQUENT and run.finished]
    thinned = dispensable(found, kept) if kept else []
    for run in found:
        if run in thinned or run.manifest.thinned:  # a kill may have left some files
            _remove_results(run)
    return [run.name for run in thinned]


def dispensable(runs: Sequence[Run], kept: int) -> list[Run]:
    """Of runs, oldest first, those that are neither among the latest nor the last of their month, and have results."""
    monthly = {_month(run): run.name for run in runs}
    return [run for run in runs[:-kept] if run.name not in monthly.values() and not run.manifest.thinned]


def _month(run: Run) -> str:
    return time.strftime("%Y-%m", time.gmtime(run.manifest.began))


def _remove_results(run: Run) -> None:
    """Whoever is killed in between leaves a run that says it has no results."""
    if not run.manifest.thinned:
        run.manifest.thinned, run.manifest.sealed, run.manifest.indexed = True, False, False
        run.manifest.remade += 1
        run.save()
    forget_tables(run)
    forget_index(run)
    forget_ranks(run)
    remove_parts(run)

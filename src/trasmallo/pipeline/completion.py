"""The end of a run: copies, merged tokens, tables and index; and forgetting them when they are to be made again."""

from __future__ import annotations

import shutil
from pathlib import Path

from trasmallo.config import Config
from trasmallo.events import Emit
from trasmallo.pipeline.duplicates import find_copies
from trasmallo.results.by_address import compile_addresses, forget_addresses
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.frequent_words import find_frequent
from trasmallo.results.links.ranks import forget_ranks
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.search.indexing import build_index, forget_index, tell_index_gap
from trasmallo.store import digests
from trasmallo.store.parts import TOKENS
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import remove_at_once


def complete(run: Run, config: Config, emit: Emit, *, finished: bool) -> None:
    """Find copies and the words that are too frequent; a finished run gets one file of tokens, Parquet tables, and an index."""
    find_copies(run, config.clean.copies)
    if finished:
        compile_corpus(run)
    find_frequent(run, config.study)
    if finished:
        # The last bits of the ranks must not depend on who asked before.
        forget_ranks(run)
        compile_tables(run, config.study)
        digests.seal(run.folder, filter(_is_result, run.folder.iterdir()))
        run.manifest.sealed = True
        if config.store.results == "by address":
            compile_addresses(run, config.study)
        run.manifest.indexed = "search" in config.study.analyses
        if run.manifest.indexed:
            with Tables(run, config.study, frugal=True) as tables:
                build_index(run, tables, emit, "the run is finished")
                tell_index_gap(run, tables, emit)
        else:
            forget_index(run)  # it may be of other texts


def remove_parts(run: Run) -> None:
    """What a finished run needs no more."""
    remove_at_once(run.parts)
    shutil.rmtree(run.folder / "spill", ignore_errors=True)


def forget_tables(run: Run) -> None:
    """Remove what is made of the parts at the end of a run; a crash may have left half of it."""
    digests.unseal(run.folder)
    forget_addresses(run)
    for path in filter(_is_result, run.folder.iterdir()):
        path.unlink(missing_ok=True)


def _is_result(path: Path) -> bool:
    """Whether a file in the folder of a run is made when the run ends."""
    return path.suffix == ".parquet" or path.name in ("copies.jsonl", "frequent.jsonl", TOKENS)


def forget_results(run: Run) -> None:
    """Remove what cleaning and study made, also a study that was not ended; stored pages stay."""
    forget_tables(run)
    forget_index(run)
    run.manifest.studying = ""
    run.manifest.remade += 1
    run.save()
    for folder in (run.parts, run.studying, run.studied):
        shutil.rmtree(folder, ignore_errors=True)
    run.parts.mkdir()

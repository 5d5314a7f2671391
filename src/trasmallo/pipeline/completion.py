"""The end of a run: copies, merged tokens, tables and index; and forgetting them when they are to be made again."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from trasmallo.config import Config
from trasmallo.events import Emit
from trasmallo.pipeline.executors.interface import Executor, FindCopies, MergeTokens
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.table_pool import TablePool
from trasmallo.results.by_address import compile_addresses, forget_addresses
from trasmallo.results.database.deferred import STUDIED
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.frequent_words import find_frequent
from trasmallo.results.layers.compilation import can_be_layered, compile_layers
from trasmallo.results.links.ranks import forget_ranks
from trasmallo.results.search.indexing import build_index, forget_index, forget_index_parts, tell_index_gap
from trasmallo.store import digests
from trasmallo.store.carried import COPIES, ENTRIES, GONE
from trasmallo.store.parts import TOKENS
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import remove_at_once
from trasmallo.values.run_status import AgentStatus

_WORTH_SEVERAL = 5_000_000
"""Bytes of tokens from which on several processes make the tables: 500,000 words take one 3 CPU s, starting two takes 1.3."""

_MOST_INDEX_PARTS = 64  # judgement: each looks at all links and fields; tantivy searches some dozens of segments as fast as one


def complete(
    run: Run,
    config: Config,
    emit: Emit,
    *,
    finished: bool,
    copies_known: bool = False,
    executor: Executor | None = None,
    worth_several: int = _WORTH_SEVERAL,
) -> None:
    """Find copies and the words that are too frequent; a finished run gets one file of tokens, Parquet tables, and an index.

    Copies need not be found where they are `copies_known`. The `executor` says where it is done: in this process unless told
    otherwise; several of its processes make tables where there are so many bytes of tokens that it is `worth_several`.
    """
    shown, executor = CompletionStatus(run), executor or ProcessExecutor(1)
    run.save()  # others open it

    if not copies_known:
        shown.turn_to("finding copies")
        executor.run(FindCopies(str(run.folder), config.clean.copies))
    if finished:
        shown.turn_to("merging tokens")
        executor.run(MergeTokens(str(run.folder)))
    find_frequent(run, config.study)
    shown.turn_to("coordinating")
    if not finished:
        return
    # The last bits of the ranks must not depend on who asked before.
    forget_ranks(run)
    run.manifest.indexed = "search" in config.study.analyses
    if not run.manifest.indexed:
        forget_index(run)  # it may be of other texts
    layered = can_be_layered(run, config.study)
    if not layered and _is_for_several(run, executor, worth_several):
        forget_index_parts(run)
        makers, parts = executor.size(), min(executor.size(), _MOST_INDEX_PARTS) if executor.shared else 1
        TablePool(run, config.study, makers, emit, shown.show, executor.start_maker, index_parts=parts).make()
    else:
        _make_alone(run, config, emit, shown, layered=layered)
    shown.turn_to("coordinating")
    digests.seal(run.folder, filter(_is_result, run.folder.iterdir()))
    run.manifest.sealed = True
    if config.store.results == "by address":
        compile_addresses(run, config.study)


def _is_for_several(run: Run, executor: Executor, worth_several: int) -> bool:
    """Whether other processes make the tables: all of it is for a cluster, if there is one."""
    return executor.shared or (executor.size() > 1 and (run.folder / TOKENS).stat().st_size >= worth_several)


def _make_alone(run: Run, config: Config, emit: Emit, shown: CompletionStatus, *, layered: bool) -> None:
    """Make all tables and the index in this process, where it can be of those before."""
    make = compile_layers if layered else compile_tables
    make(run, config.study, tell=lambda table: shown.turn_to("making a table", table))
    if run.manifest.indexed:
        shown.turn_to("indexing")
        with Tables(run, config.study, frugal=True) as tables:
            build_index(run, tables, emit, "the run is finished")
            tell_index_gap(run, tables, emit)


class CompletionStatus:
    """What the processes are doing that end a run, written down for who looks; its counts stay as they were."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._own = AgentStatus(process=os.getpid(), work="coordinating", since=time.time())

    def turn_to(self, work: str, what: str = "") -> None:
        """Say that the process we are in does something else now."""
        self._own = AgentStatus(process=os.getpid(), work=work, what=what, since=time.time())
        self.show(())

    def show(self, others: Sequence[AgentStatus]) -> None:
        """Write down what this process and the others are doing."""
        status = msgspec.structs.replace(self._run.status(), at=time.time(), reading=(), lines=(), agents=(self._own, *others))
        self._run.write_status(status)


def remove_parts(run: Run) -> None:
    """What a finished run needs no more."""
    remove_at_once(run.parts)
    remove_at_once(run.carried)
    shutil.rmtree(run.folder / "spill", ignore_errors=True)


def forget_tables(run: Run) -> None:
    """Remove what is made of the parts at the end of a run; a crash may have left half of it."""
    digests.unseal(run.folder)
    forget_addresses(run)
    for path in filter(_is_result, run.folder.iterdir()):
        path.unlink(missing_ok=True)


def _is_result(path: Path) -> bool:
    """Whether a file in the folder of a run is made when the run ends."""
    return path.suffix == ".parquet" or path.name in (COPIES, ENTRIES, GONE, STUDIED, "frequent.jsonl", TOKENS)


def forget_results(run: Run) -> None:
    """Remove what cleaning and study made, also a study that was not ended; stored pages stay."""
    run.manifest.studying, run.manifest.unread = "", True
    run.give_up_results()
    forget_tables(run)
    forget_index(run)
    for folder in (run.parts, run.carried, run.studying, run.studied):
        remove_at_once(folder)
    run.parts.mkdir()

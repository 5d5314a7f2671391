"""Steps of a whole run, done where an executor says."""

from __future__ import annotations

from pathlib import Path

from trasmallo.pipeline.duplicates import find_copies
from trasmallo.pipeline.executors.interface import CorpusStep, FindCopies
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.store.run_folders import open_run


def do_step(step: CorpusStep) -> None:
    """Do a step; the file that it makes is renamed into place at its end, so it can be done again at any time."""
    run = open_run(Path(step.run))
    if isinstance(step, FindCopies):
        find_copies(run, step.least)
    else:
        compile_corpus(run)

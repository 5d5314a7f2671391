"""The tokens of a run as a corpus: from its parts while it grows, from one file once it is finished. Copies are left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trasmallo.store.carried import COPIES, GONE, carried_tokens, named_documents
from trasmallo.store.digests import verify
from trasmallo.store.parts import TOKENS, finished_parts, token_files
from trasmallo.store.result_soundness import edition_of
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Corpus, merge, open_merged
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.scratch import new_scratch

_TRIES = 5  # judgement: parts are merged every few seconds and read in one


def compile_corpus(run: Run) -> None:
    """Make the one file of a run that has ended; the same documents give the same bytes."""
    outdated = carried_tokens(run)
    files = [*outdated, *token_files(finished_parts(run.parts))]
    merge(files, run.folder / TOKENS, left_out(run), outdated=outdated, positions=True)


def open_corpus(run: Run, scratch: Path | None = None) -> Corpus:
    """The tokens of a run, also while it goes on; what is merged for it alone lies in `scratch`."""
    compiled, scratch = run.folder / TOKENS, scratch or new_scratch()
    for _ in range(_TRIES):
        # The run may end just now, or be studied again: then files go, and parts that are left are not all of them.
        with suppress(FileNotFoundError), disk_errors(scratch):
            before = edition_of(run)
            verify(compiled)
            corpus = Corpus.open(compiled) if compiled.exists() else _open_parts(run, scratch)
            if edition_of(run) == before:
                return corpus
    raise StoreError("the parts of {name} change faster than they are read", "ask again in a moment", name=run.name)


def _open_parts(run: Run, scratch: Path) -> Corpus:
    """The tokens of a run that goes on; raises FileNotFoundError where a part was merged into another meanwhile."""
    listed, outdated = finished_parts(run.shown_parts), carried_tokens(run)
    corpus = open_merged([*outdated, *token_files(listed)], scratch, left_out(run), outdated)
    for path in (*listed, *outdated):
        path.stat()
    return corpus


def known_copies(run: Run) -> Iterator[str]:
    """Ids of the documents that are copies of another, as far as is known."""
    yield from named_documents(run.folder / COPIES)


def left_out(run: Run) -> set[str]:
    """Ids of the documents that have no tokens: copies, and pages that are gone."""
    return {*known_copies(run), *named_documents(run.folder / GONE)}

"""The tokens of a run as a corpus: from its parts while it grows, from one file once it is finished. Copies are left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trasmallo.store.carried import COPIES, GONE, carried_tokens, named_documents
from trasmallo.store.digests import verify
from trasmallo.store.parts import TOKENS, finished_parts, token_files
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Corpus, merge, open_merged
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.scratch import new_scratch

_TRIES = 5  # judgement: parts are merged every few seconds and read in one


def compile_corpus(run: Run) -> None:
    """Make the one file of a run that has ended; the same documents give the same bytes."""
    outdated = carried_tokens(run)
    files = [*outdated, *token_files(finished_parts(run.parts))]
    merge(files, run.folder / TOKENS, _left_out(run), outdated=outdated, positions=True)


def open_corpus(run: Run, scratch: Path | None = None) -> Corpus:
    """The tokens of a run, also while it goes on; what is merged for it alone lies in `scratch`."""
    compiled, scratch = run.folder / TOKENS, scratch or new_scratch()
    for _ in range(_TRIES):
        verify(compiled)
        if compiled.exists():
            return Corpus.open(compiled)
        # The run may end just now, or be studied again: then its parts go, and those that are left are not all of them.
        with suppress(FileNotFoundError), disk_errors(scratch):
            listed, outdated = finished_parts(run.parts), carried_tokens(run)
            files = [*outdated, *token_files(listed)]
            corpus = open_merged(files, scratch, _left_out(run), outdated)
            if all(path.exists() for path in (*listed, *outdated)):
                return corpus
    raise StoreError("the parts of {name} change faster than they are read", "ask again in a moment", name=run.name)


def known_copies(run: Run) -> Iterator[str]:
    """Ids of the documents that are copies of another, as far as is known."""
    yield from named_documents(run.folder / COPIES)


def _left_out(run: Run) -> set[str]:
    """Ids of the documents that have no tokens: copies, and pages that are gone."""
    return {*known_copies(run), *named_documents(run.folder / GONE)}

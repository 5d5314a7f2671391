"""Tables that were made of the tokens or links of a run because somebody asked: where they are, as long as they are wanted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from trasmallo.config import StudyConfig
from trasmallo.results.builders.files import columns_file
from trasmallo.results.registry import FromTokens, Table
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.run_folders import Run
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.errors import disk_errors

if TYPE_CHECKING:
    from trasmallo.results.builders.counts import TokenSource


class BuiltTables:
    """Tables made of the tokens, each in a temporary folder of its own, which goes when this is closed."""

    def __init__(self, run: Run, study: StudyConfig, scratch: Path) -> None:
        """The folders are made in `scratch`; `study` may be another before a table is built."""
        self._run = run
        self._scratch = scratch
        self.study = study
        self._folders: dict[str, tempfile.TemporaryDirectory[str]] = {}
        self._tokens: TokenSource | None = None

    def close(self) -> None:
        """Remove the folders."""
        for folder in self._folders.values():
            folder.cleanup()

    def folder(self, name: str) -> Path | None:
        """Where a table is, None when it was not made."""
        return Path(self._folders[name].name) if name in self._folders else None

    def file(self, name: str) -> Path | None:
        """The Parquet file of a table that was made as columns in its usual order; None for others."""
        folder = self.folder(name)
        return columns_file(name, folder) if folder and columns_file(name, folder).exists() else None

    def build(self, table: Table) -> None:
        """Make a table of the tokens as they are now, unless it is there."""
        if table.name in self._folders:
            return
        from trasmallo.results.builders.writing import write_built

        assert isinstance(table.made, FromTokens)
        source = self._tokens or self._open_tokens()
        with disk_errors(self._scratch):
            self._scratch.mkdir(exist_ok=True)
            folder = tempfile.TemporaryDirectory(dir=self._scratch)
            try:
                write_built(table, resolve_name(table.made.build)(source), source, Path(folder.name))
            except BaseException:
                folder.cleanup()
                raise
        self._folders[table.name] = folder

    @contextmanager
    def sharing_tokens(self) -> Iterator[None]:
        """Let all tables that are made meanwhile be made of the tokens as they are now, read once."""
        self._tokens = self._open_tokens()
        try:
            yield
        finally:
            self._tokens = None

    def _open_tokens(self) -> TokenSource:
        from trasmallo.results.builders.counts import TokenSource

        study = resolve_lists(self.study, self._run.project)
        return TokenSource(open_corpus(self._run, self._scratch), study, self._scratch, home=self._run.language)

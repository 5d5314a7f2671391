"""What differs between a run and the one whose results it carries, for the tables that change with it.

In SQL there are, beside the tables themselves: `base_NAME`, a table as the run before had it; `outdated_documents`, those that
were read again, are new, or are gone; `removed_documents` and `added_documents`, whose tokens were counted and are no more, or
are counted now (a document that changed is both; so are copies that became originals, or the other way round).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

from trasmallo.config import StudyConfig
from trasmallo.results import registry
from trasmallo.results.builders.counts import BuiltColumns, TokenSource
from trasmallo.results.builders.writing import write_columns
from trasmallo.results.database.tables import Tables
from trasmallo.results.links.addresses import leads_elsewhere
from trasmallo.results.registry import FromTokens, Table
from trasmallo.results.run_corpus import left_out, open_corpus
from trasmallo.results.sql import from_parquet
from trasmallo.store.carried import outdated_documents
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import TOKENS, finished_parts, token_files
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Corpus, merge
from trasmallo.study.word_lists import resolve_lists


class TableChange(NamedTuple):
    """How a table changes, as SQL: keys whose rows count no more, and all rows of these keys and of new ones as they are."""

    superseded: str
    rows: str


_LINKED = (
    "SELECT document, url, host FROM {base}pages WHERE drop = ''",
    "SELECT document, url, copy_of FROM {base}copies",
    "SELECT * FROM {base}links SEMI JOIN outdated_documents USING (document)",
)
_DIFFER = "SELECT 1 FROM (({now} EXCEPT ALL {before}) UNION ALL ({before} EXCEPT ALL {now})) LIMIT 1"

UNCHANGED = TableChange("", "")
"""The table is as it was."""


class Changes:
    """What changed in a run. `tables` are its own, as they are made; small files are written to their scratch."""

    def __init__(self, run: Run, study: StudyConfig, tables: Tables) -> None:
        self.tables = tables
        self.study = resolve_lists(study, run.project)
        self.run = run
        self._scratch = tables.scratch
        self._scratch.mkdir(parents=True, exist_ok=True)
        self._built: dict[tuple[str, str], str] = {}
        for table in registry.all_tables().values():
            tables.define(f"base_{table.name}", tables.carried_rows(table))
        for name, source in (("removed", self.removed), ("added", self.added)):
            corpus = source.corpus
            self.keep(f"{name}_documents", "SELECT CAST(unnest(?) AS VARCHAR) AS document", [_ids(corpus)])

    @cached_property
    def same_links(self) -> bool:
        """Whether links, the documents they can lead to and where addresses redirect to are those of the run before."""
        if any(map(self._differ, _LINKED)):
            return False
        folder = self.run.project / "store" / "catalog"
        if not folder.exists():
            return True
        with Catalog(folder, read_only=True) as catalog:
            return not leads_elsewhere(self.run, catalog)

    def _differ(self, sql: str) -> bool:
        now, before = (sql.format(base=base) for base in ("", "base_"))
        return bool(self.tables.select(_DIFFER.format(now=now, before=before)))

    def keep(self, name: str, sql: str, values: list[object] | None = None) -> None:
        """Have the rows of some SQL under a name."""
        self.tables.select(f"CREATE OR REPLACE TABLE {name} AS {sql}", values or [])

    @cached_property
    def removed(self) -> TokenSource:
        """The tokens that were counted in the run before, and are no more."""
        path = self.run.carried / TOKENS
        gone = {*outdated_documents(self.run), *left_out(self.run)}
        return self._source("removed", [path], set(_ids(Corpus.open(path))) - gone)

    @cached_property
    def added(self) -> TokenSource:
        """The tokens that were not counted in the run before, or otherwise, and are now."""
        return self._source("added", token_files(finished_parts(self.run.shown_parts)), left_out(self.run))

    @cached_property
    def now(self) -> TokenSource:
        """All tokens as they are now."""
        return TokenSource(open_corpus(self.run, self._scratch), self.study, self._scratch, home=self.run.language)

    def built(self, table: str, which: str) -> str:
        """Rows of a table of the tokens, made of those that were `removed` or `added` alone, as SQL."""
        if (table, which) not in self._built:
            made = registry.all_tables()[table].made
            assert isinstance(made, FromTokens), "of the tokens"
            build: Callable[[TokenSource], BuiltColumns] = resolve_name(made.build)
            path = self._scratch / f"{table}.{which}.parquet"
            write_columns(build(self.added if which == "added" else self.removed), path)
            self._built[table, which] = from_parquet(path)
        return self._built[table, which]

    def own_rows(self, table: Table) -> str:
        """The rows that the run itself brought to a table of the parts, as SQL."""
        return self.tables.own_rows(table)

    def _source(self, name: str, files: list[Path], without: Collection[str]) -> TokenSource:
        target = self._scratch / f"{name}.columns"
        merge(files, target, without)
        return TokenSource(Corpus.open(target), self.study, self._scratch, home=self.run.language)


def _ids(corpus: Corpus) -> list[str]:
    return [corpus.documents.id(place) for place in range(len(corpus.documents))]

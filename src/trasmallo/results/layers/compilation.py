"""Tables of a run that adds to another, made of that one's where few documents changed: layers (`store.layers`).

What follows from the whole corpus and is not told by keys that changed is made whole, as at the end of a first run. Where more
documents changed than `MOST_CHANGED` since the tables were last written whole, all of them are, so that questions need not look
at many rows that count no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from pkgutil import resolve_name

from trasmallo.config import StudyConfig
from trasmallo.results import registry
from trasmallo.results.database.deferred import write_studied
from trasmallo.results.database.tables import Tables, compile_tables, plan_tables
from trasmallo.results.layers.changes import UNCHANGED, Changes, TableChange
from trasmallo.results.registry import Table
from trasmallo.results.sql import from_parquet, quoted
from trasmallo.store.layers import find_table, layer_files, link, link_table
from trasmallo.store.run_folders import Run
from trasmallo.study.word_lists import frequent
from trasmallo.values.atomic_files import drafted

MOST_CHANGED = 0.1
"""Share of the documents that may have changed since tables were written whole. Judgement: ten revisits that find 1 % changed;
a question about a table of documents then reads a tenth more."""

Tell = Callable[[str], None]


def can_be_layered(run: Run, study: StudyConfig, most: float = MOST_CHANGED) -> bool:
    """Whether few documents differ from the run before, whose tables are carried; `most` is the share that may.

    Where the most frequent words are left out, all tables may change with one document.
    """
    before = find_table(run.carried, "pages")
    if before is None or frequent(study):
        return False
    with Tables(run, study, frugal=True) as tables:
        known = f" UNION {_documents(before.superseded)}" if before.superseded else ""
        sql = f"SELECT count(*) FROM (SELECT document FROM outdated_documents{known})"  # noqa: S608 - all of it is ours
        ((changed,),) = tables.select(sql)
        ((everything,),) = tables.select(f"SELECT count(*) FROM ({from_parquet(before.base)})")  # noqa: S608 - as above
    return bool(changed <= most * everything)


def _documents(path: Path) -> str:
    return f"SELECT document FROM ({from_parquet(path)})"  # noqa: S608 - all of it is ours


def compile_layers(run: Run, study: StudyConfig, tell: Tell = lambda _table: None) -> None:
    """Make the tables of a finished run that `can_be_layered`; `tell` is called with each before it is made."""
    wanted = [name for names in plan_tables(study) for name in names]
    with Tables(run, study, frugal=True) as tables:
        made = _make_layers(run, study, tables, list(_layered(run, wanted)), tell)
    deferred = [name for name in wanted if registry.all_tables()[name].deferred]
    compile_tables(run, study, there=[*made, *deferred], tell=tell)
    write_studied(run, study)


def _layered(run: Run, wanted: Iterable[str]) -> Iterator[Table]:
    """The tables that can have layers, each after those that it is made of."""
    waiting = [table for name in wanted if (table := registry.all_tables()[name]).layered and find_table(run.carried, name)]
    names = {table.name for table in waiting}
    while waiting:
        table = next(table for table in waiting if table.layered and not names & set(table.layered.after))
        waiting.remove(table)
        names.remove(table.name)
        yield table


def _make_layers(run: Run, study: StudyConfig, tables: Tables, wanted: list[Table], tell: Tell) -> list[str]:
    changes, made = Changes(run, study, tables), []
    for table in wanted:
        tell(table.name)
        assert table.layered
        change: TableChange | None = resolve_name(table.layered.change)(changes, table)
        if change is not None:
            made.append(table.name)
            if change == UNCHANGED:
                link_table(run.carried, run.folder, table.name)
                tables.read_compiled(table.name)
            else:
                _write(run, tables, table, change)
    return made


def _write(run: Run, tables: Tables, table: Table, change: TableChange) -> None:
    """Write the layers of a table: what was superseded or its own before is taken over."""
    assert table.layered
    before, files = find_table(run.carried, table.name), layer_files(run.folder, table.name)
    assert before is not None and files.superseded is not None and files.own is not None
    keys = ", ".join(map(quoted, table.layered.keys))
    tables.select(f"CREATE OR REPLACE TABLE changed_keys AS SELECT DISTINCT {keys} FROM ({change.superseded})")  # noqa: S608
    link(before.base, files.base)
    superseded, rows = f"SELECT {keys} FROM changed_keys", change.rows  # noqa: S608 - all of it is ours
    if before.superseded and before.own:
        superseded += f" UNION SELECT {keys} FROM ({from_parquet(before.superseded)})"  # noqa: S608 - as above
        kept = f"SELECT * FROM ({from_parquet(before.own)}) ANTI JOIN changed_keys USING ({keys})"  # noqa: S608 - as above
        rows = f"({kept}) UNION ALL BY NAME ({rows})"
    # In order, so that the same changes give the same files.
    for sql, order, path in ((superseded, "ALL", files.superseded), (rows, table.order, files.own)):
        with drafted(path) as draft:
            tables.copy(f"SELECT * FROM ({sql}) ORDER BY {order}", draft)  # noqa: S608 - all of it is ours
    tables.read_compiled(table.name)

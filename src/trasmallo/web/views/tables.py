"""Result tables: any of them, filtered, sorted and paged on the server; each number leads to what it counts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from trasmallo.project.project import Project
from trasmallo.project.table import Cell
from trasmallo.results import registry
from trasmallo.results.by_address import addresses_of
from trasmallo.results.cells import Row
from trasmallo.results.database.deferred import is_unmade
from trasmallo.results.database.planner import Question
from trasmallo.results.registry import groups
from trasmallo.store import run_folders
from trasmallo.web import cell_links
from trasmallo.web.files import KINDS, FileKind, origin_of, rows_as_file
from trasmallo.web.long_questions import LongQuestion
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer

pages = Pages()

ROWS = 100
"""Rows of a page; the others are fetched when they are scrolled to. Judgement: some screens."""

_CELL = 2_000
"""Characters of the longest cell that is shown; an export has all of them. Judgement: half a screen."""

Conditions = Annotated[tuple[str, ...], Meta(max_length=20)]
Offset = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Compare = Literal["~", "=", "!=", ">", ">=", "<", "<="]


class TableQuestion(msgspec.Struct, frozen=True):
    """A table of a project: `where` are conditions ("count>=5"), `sort` a column, "-column" downwards.

    `by`, `compare` and `value` are one more condition in three fields, as forms send it. `columns` are those that are wanted.
    """

    project: str
    table: str
    where: Conditions = ()
    sort: str = ""
    offset: Offset = 0
    columns: Annotated[tuple[str, ...], Meta(max_length=60)] = ()
    run: str = ""
    by: str = ""
    compare: Compare = "~"
    value: str = ""

    @property
    def conditions(self) -> tuple[str, ...]:
        """All of them."""
        more = f"{self.by}{self.compare}{self.value}"
        return self.where + ((more,) if self.by and more not in self.where else ())


class ExportQuestion(TableQuestion, frozen=True):
    """The same rows as a file, all of them."""

    kind: Literal["csv", "tsv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False

    @property
    def file(self) -> FileKind:
        """What file is wanted."""
        return FileKind(self.kind, self.raw, self.bom)


class TableAnswer(PageAnswer, frozen=True, kw_only=True):
    """Rows of a table. `number` is how many there are in all, `next` where the following ones begin, 0 when there are none.

    `long` is the question for a table that is made when it is first asked for, while nobody has made it.
    `addresses` are the start addresses with results of their own, and the names of these as runs.
    """

    project: str
    table: str
    tables: dict[str, tuple[str, ...]]
    columns: tuple[str, ...]
    known: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    number: int
    offset: int
    next: int
    addresses: dict[str, str]
    where: tuple[str, ...] = ()
    sort: str = ""
    run: str = ""
    long: LongQuestion | None = None

    def behind(self, row: tuple[Cell, ...]) -> list[str]:
        """The address behind each value of a row, "" where there is none."""
        return self._places(row, cell_links.address)

    @property
    def said(self) -> Mapping[str, str]:
        """The columns whose texts are the program's own, and the families of words that they belong to."""
        return registry.all_tables()[self.table].said

    def over_time(self, row: tuple[Cell, ...]) -> list[str]:
        """The address of the trend of each value of a row, "" where it has none."""
        return self._places(row, cell_links.trend)

    def _places(self, row: tuple[Cell, ...], place_of: Callable[[str, str, Row], str]) -> list[str]:
        named = dict(zip(self.columns, row, strict=True))
        found = (place_of(self.table, column, named) for column in self.columns)
        return [within(self.project, place, self.run) if place else "" for place in found]


def within(project: str, place: str, run: str = "") -> str:
    """The whole address of a place in a project, in the same run when one is named; of one outside itself."""
    if place.startswith("https://"):
        return place
    address, sign, part = place.partition("#")
    joint = "&" if "?" in address else "?"
    chosen = f"{joint}run={quote(run, safe='')}" if run else ""
    return f"/p/{quote(project, safe='')}/{address}{chosen}{sign}{part}"


@pages.get("/p/{project}/tables/{table}", "table.html")
def show_table(visit: Visit, question: TableQuestion) -> TableAnswer:
    """The rows of a result table, a hundred at a time."""
    project = visit.project(question.project)
    where = question.conditions
    long = _unmade(visit, project, question)
    if long and (long.state is None or long.state.state != "finished"):
        return _being_made(project, question, long)
    with visit.pool.tables(project, question.run) as tables:
        asked = Question(where, question.sort, ROWS, question.offset, question.columns)
        answer = tables.ask(question.table, asked)
        rows = [tuple(map(_cut, row)) for row in answer]
        number = tables.number(question.table, where)
        known = tables.columns_of(question.table)
    end = question.offset + len(rows)
    return TableAnswer(
        project=question.project,
        table=question.table,
        tables=groups(),
        columns=answer.columns,
        known=known,
        rows=rows,
        number=number,
        offset=question.offset,
        next=end if rows and end < number else 0,
        where=where,
        sort=question.sort,
        run=question.run,
        addresses=addresses_of(run_folders.named(project.runs, question.run.partition("/")[0])),
        command=command_of(project, question),
        python=python_of(project, question),
    )


def _being_made(project: Project, question: TableQuestion, long: LongQuestion) -> TableAnswer:
    """What is shown of a table before it is made."""
    return TableAnswer(
        project=question.project,
        table=question.table,
        tables=groups(),
        columns=(),
        known=(),
        rows=[],
        number=0,
        offset=0,
        next=0,
        addresses={},
        run=question.run,
        long=long,
        command=command_of(project, question),
        python=python_of(project, question),
    )


def _unmade(visit: Visit, project: Project, question: TableQuestion) -> LongQuestion | None:
    """A table that takes long to be made and is not there yet, as a question; None for one that is."""
    table = registry.all_tables().get(question.table)
    if table is None:
        return None
    long = visit.long(project, "table", {"name": question.table}, question.run)
    return long if long and is_unmade(project.run_named(question.run), table) else None


@pages.get("/p/{project}/tables/{table}/export")
def export_table(visit: Visit, question: ExportQuestion) -> Download:
    """What is seen of a table as a file, without a limit, streamed."""
    project = visit.project(question.project)
    name = f"{question.project}-{question.table}.{question.kind}"
    lines = _lines(project, question)
    first = next(lines)  # what is wrong with the question is told before the file begins
    return Download(name, KINDS[question.kind], _joined(first, lines))


def command_of(project: Project, question: TableQuestion, file: FileKind | None = None) -> str:
    """The command line that prints the same rows, all of them where it is for a file."""
    words = ["trasmallo", "list", str(project.folder), question.table]
    for condition in question.conditions:
        words += ["--where", condition]
    words += ["--sort", question.sort] if question.sort else []
    words += ["--columns", ",".join(question.columns)] if question.columns else []
    words += file.options if file else ()
    return shlex.join([*words, "--limit", "0" if file else str(ROWS)])


def python_of(project: Project, question: TableQuestion) -> str:
    """The Python that gives the same rows."""
    options = {"where": list(question.conditions), "sort": question.sort, "limit": ROWS, "offset": question.offset}
    options["columns"] = list(question.columns)
    listed = "".join(f", {name}={value!r}" for name, value in options.items() if value)
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).table({question.table!r}{listed})\n"


def _cut(value: Cell) -> Cell:
    return value[:_CELL] + "…" if isinstance(value, str) and len(value) > _CELL else value


def _lines(project: Project, question: ExportQuestion) -> Iterator[bytes]:
    """The file in pieces; the tables are its own, since it may take long to send."""
    with project.tables(question.run) as tables:
        answer = tables.ask(question.table, Question(question.conditions, question.sort, columns=question.columns))
        yield from rows_as_file(
            question.file,
            answer.columns,
            answer,
            origin_of(project, command_of(project, question, question.file), question.run),
        )


def _joined(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest

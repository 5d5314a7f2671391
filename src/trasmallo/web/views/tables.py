"""Result tables: any of them, filtered, sorted and paged on the server. The example of how a page is made."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from trasmallo.project.project import Project
from trasmallo.project.results.tables import SHOWN, Question
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.showing import Answer

pages = Pages()

ROWS = 100
"""Rows of a page; the next ones are fetched when the last is seen."""

_CELL = 2_000
"""Characters of the longest cell that is shown; an export has all of them."""

Conditions = Annotated[tuple[str, ...], Meta(max_length=20)]
Offset = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class TableQuestion(msgspec.Struct, frozen=True):
    """A table of a project: `where` are conditions ("count>=5"), `sort` a column, "-column" downwards."""

    project: str
    table: str
    where: Conditions = ()
    sort: str = ""
    offset: Offset = 0
    run: str = ""


class ExportQuestion(TableQuestion, frozen=True):
    """The same rows as a file, all of them."""

    kind: Literal["csv", "tsv", "jsonl"] = "csv"


class TableAnswer(Answer, frozen=True, kw_only=True):
    """Rows of a table. `number` is how many there are in all, `next` where the following ones begin, 0 when there are none."""

    table: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    number: int
    next: int
    where: tuple[str, ...] = ()
    sort: str = ""
    run: str = ""


@pages.get("/p/{project}/tables/{table}", "table.html")
def show_table(visit: Visit, question: TableQuestion) -> TableAnswer:
    """The rows of a result table, a hundred at a time."""
    project = visit.project(question.project)
    with visit.tables(project, question.run) as tables:
        asked = Question(question.where, question.sort, ROWS, question.offset)
        answer = tables.ask(question.table, asked)
        rows = [tuple(map(_cut, row)) for row in answer]
        number = tables.number(question.table, question.where)
    end = question.offset + len(rows)
    return TableAnswer(
        table=question.table,
        tables=tuple(SHOWN),
        columns=answer.columns,
        rows=rows,
        number=number,
        next=end if end < number else 0,
        where=question.where,
        sort=question.sort,
        run=question.run,
        command=command_of(project, question),
        python=python_of(project, question),
    )


@pages.get("/p/{project}/tables/{table}/export")
def export_table(visit: Visit, question: ExportQuestion) -> Download:
    """What is seen of a table as a file, without a limit, streamed."""
    project = visit.project(question.project)
    name = f"{question.project}-{question.table}.{question.kind}"
    media = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson"}[question.kind]
    lines = _lines(visit, project, question)
    first = next(lines)  # what is wrong with the question is told before the file begins
    return Download(name, media, _joined(first, lines))


def command_of(project: Project, question: TableQuestion, kind: str = "") -> str:
    """The command line that prints the same rows."""
    words = ["trasmallo", "list", str(project.folder), question.table]
    for condition in question.where:
        words += ["--where", condition]
    words += ["--sort", question.sort] if question.sort else []
    words += ["--format", kind] if kind else []
    return shlex.join([*words, "--limit", "0" if kind else str(ROWS)])


def python_of(project: Project, question: TableQuestion) -> str:
    """The Python that gives the same rows."""
    options = {"where": list(question.where), "sort": question.sort, "limit": ROWS, "offset": question.offset}
    listed = "".join(f", {name}={value!r}" for name, value in options.items() if value)
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).table({question.table!r}{listed})\n"


def _cut(value: Any) -> Any:
    return value[:_CELL] + "…" if isinstance(value, str) and len(value) > _CELL else value


def _lines(visit: Visit, project: Project, question: ExportQuestion) -> Iterator[bytes]:
    """The file in pieces; its first comment says where it comes from, except in JSON lines, which have none."""
    with visit.tables(project, question.run) as tables:
        answer = tables.ask(question.table, Question(question.where, question.sort))
        if question.kind == "jsonl":
            yield b""
            encoder = msgspec.json.Encoder()
            yield from _batched(encoder.encode(dict(zip(answer.columns, row, strict=True))) + b"\n" for row in answer)
            return
        yield f"# {command_of(project, question, question.kind)}\n".encode()
        yield from _batched(separated(answer.columns, answer, tabs=question.kind == "tsv"))


def separated(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, tabs: bool) -> Iterator[bytes]:
    """Comma- or tab-separated values with a header, a line at a time."""
    text = io.StringIO()
    writer = csv.writer(text, dialect="excel-tab" if tabs else "excel", lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row)
        yield text.getvalue().encode("utf-8", "replace")
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _batched(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of at least 64 kB."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= 65_536:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _joined(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest

"""The concordance: a word, a phrase or a corpus query in its surroundings, and what the hits have in common.

Everything that was chosen is in the address; the chain of steps above the lines shows it, and each step can be taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Meta

from trasmallo.project.table import Cell
from trasmallo.results.concordance.concordance import ConcordancePage, Options
from trasmallo.results.concordance.counts import MEASURES, Collocate, CollocateWindow, Part, Value
from trasmallo.results.concordance.lines import LINE_COLUMNS, Hit, line_row
from trasmallo.store.line_groups import group_names
from trasmallo.study.query.query_errors import QueryError
from trasmallo.values.errors import NotFound, TrasmalloError, UsageError
from trasmallo.web import cell_links
from trasmallo.web.breadcrumb import HitSelection, Step, command_of, python_of, steps_of
from trasmallo.web.files import KINDS, FileKind, origin_of, rows_as_file
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.tables import within

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.concordance.concordance import Concordance
    from trasmallo.results.examples import Examples

pages = Pages()

LINES = 50
"""Lines of a page. Judgement: a screen or two."""

ROWS = 200
"""Rows of a table of hits that are shown; an export has all of them. Judgement: more is not read."""

_BEFORE = 20
"""Queries of the history that the field offers. Judgement: a list that can be looked over."""

POINTS = tuple(
    f"{attribute}/{place}" for place in ("-3", "-2", "-1", "hit", "1", "2", "3") for attribute in ("word", "lemma", "pos")
)
"""Tokens in and around a hit that are offered to sort and to count by."""


class ConcordanceQuestion(HitSelection, frozen=True, kw_only=True):
    """What is asked of the tokens of a run, see `Chosen`; `tags` shows the lemma and category of every word."""

    offset: Annotated[int, Meta(ge=0, le=5_000_000)] = 0
    tags: bool = False


class ConcordanceExport(HitSelection, frozen=True, kw_only=True):
    """The same lines or rows as a file, all of them."""

    kind: Literal["csv", "tsv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False

    @property
    def file(self) -> FileKind:
        """What file is wanted."""
        return FileKind(self.kind, self.raw, self.bom)


class ConcordanceRow(msgspec.Struct, frozen=True):
    """A row of a table of hits: its cells, and the address of the hits that it counts."""

    cells: tuple[Cell, ...]
    address: str = ""


class ConcordanceAnswer(PageAnswer, frozen=True, kw_only=True):
    """Lines (`found`), or with another `view` the rows of a table of the hits.

    `at` and `length` are the place of a mistake in the query, which `problem` and `repair` tell. `steps` is the chain of what
    was chosen. So many function words are `hidden`, which are collocates too. `examples` are queries to begin with, where none
    was asked. `groups` are the line groups of the project, `before` queries that were asked last.
    """

    project: str
    view: str
    query: str
    found: ConcordancePage | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[ConcordanceRow, ...] = ()
    number: int = 0
    steps: tuple[Step, ...] = ()
    problem: str = ""
    repair: str = ""
    at: int = -1
    length: int = 0
    offset: int = 0
    next: int = 0
    run: str = ""
    hidden: int = 0
    sample: int = 0
    examples: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    def place(self, hit: Hit) -> str:
        """Where a hit is shown in its document."""
        return within(self.project, cell_links.document(hit.document, hit.start, hit.end), self.run)

    def group_pages(self, hit: Hit) -> dict[str, str]:
        """The line groups of a hit, and where they are shown."""
        return {name: within(self.project, f"groups/{quote(name, safe='')}") for name in hit.groups}

    @property
    def number_of_lines(self) -> int:
        """Lines in all: of a sample no more than were drawn."""
        total = self.found.total if self.found else 0
        return min(total, self.sample) if self.sample else total

    @property
    def marked(self) -> tuple[str, str, str]:
        """The query in three pieces, the mistake in the middle."""
        end = self.at + max(self.length, 1)
        return self.query[: self.at], self.query[self.at : end] or "␣", self.query[end:]

    @property
    def per_million(self) -> float:
        """Hits in a million tokens."""
        return self.found.total / self.found.tokens * 1e6 if self.found and self.found.tokens else 0.0


@pages.get("/p/{project}/concordance", "concordance.html")
def show_concordance(visit: Visit, question: ConcordanceQuestion) -> ConcordanceAnswer:
    """The hits of a query with their surroundings, or a table of them."""
    project = visit.project(question.project)
    base = within(question.project, "concordance")
    answer = ConcordanceAnswer(
        project=question.project,
        view=question.view,
        query=question.query,
        offset=question.offset,
        sample=question.sample,
        run=question.run,
        steps=steps_of(question, base) if question.query.strip() else (),
        groups=tuple(group_names(project.home)),
        before=_asked_before(project),
    )
    with visit.pool.concordance(project, question.run) as concordance:
        if not question.query.strip():
            return msgspec.structs.replace(answer, examples=_examples(visit.pool.examples(project)))
        try:
            answer = _answered(concordance, question, answer)
        except QueryError as error:
            place = {"at": error.at, "length": error.length} if error.at or error.length else {}
            return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair, **place)
        except (UsageError, NotFound) as error:
            return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    if question.offset == 0 and not visit.read_only:
        with suppress(TrasmalloError):  # who may not write there asks all the same
            project.remember_query(question.query, options_of(question, 0), answer.found.total if answer.found else None)
    command = command_of(project, question, LINES if question.view == "lines" else ROWS, question.offset)
    return msgspec.structs.replace(answer, command=command, python=python_of(project, question))


def _asked_before(project: Project) -> tuple[str, ...]:
    """Queries that were asked last, each once."""
    with suppress(TrasmalloError):
        return tuple(dict.fromkeys(one.query for one in project.query_history()))[:_BEFORE]
    return ()


def _examples(found: Examples) -> tuple[str, ...]:
    """Queries of each kind, made of words of the project."""
    made = [found.words[0], f"{found.words[0][:-1]}*"] if found.words else []
    made += [found.phrase] if found.phrase else []
    made += [f'[lemma="{found.verb}"]', f'[lemma="{found.verb}"] []{{0,3}} [pos="NOUN"] within s'] if found.verb else []
    return tuple(made)


@pages.get("/p/{project}/concordance/export")
def export_concordance(visit: Visit, question: ConcordanceExport) -> Download:
    """The lines or rows that are seen, as a file without a limit, streamed."""
    project = visit.project(question.project)

    def pieces() -> Iterator[bytes]:
        with project.concordance(question.run) as concordance:
            columns, rows = _exported(concordance, question)
            yield from rows_as_file(
                question.file, columns, rows, origin_of(project, command_of(project, question, 0), question.run)
            )

    file = pieces()
    first = next(file)  # what is wrong with the query is told before the file begins
    return Download(f"{question.project}-{question.view}.{question.kind}", KINDS[question.kind], _joined(first, file))


def _joined(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _exported(concordance: Concordance, question: HitSelection) -> tuple[tuple[str, ...], Iterator[tuple[Cell, ...]]]:
    concordance.read(question.query)
    if question.view == "lines":
        hits = concordance.lines(question.query, options_of(question, 0))
        return LINE_COLUMNS, map(line_row, hits)
    table = _table(concordance, question, "")
    return table.columns, (row.cells for row in table.rows)


def _answered(concordance: Concordance, question: ConcordanceQuestion, answer: ConcordanceAnswer) -> ConcordanceAnswer:
    if question.view == "lines":
        found = concordance.find(question.query, options_of(question, LINES, question.offset))
        answer = msgspec.structs.replace(answer, found=found)
        end = question.offset + len(found.hits)
        return msgspec.structs.replace(answer, next=end if found.hits and end < answer.number_of_lines else 0)
    table = _table(concordance, question, within(question.project, "concordance"), ROWS)
    return msgspec.structs.replace(
        answer, columns=table.columns, rows=tuple(table.rows), number=table.number, hidden=table.hidden
    )


def options_of(question: HitSelection, limit: int, offset: int = 0) -> Options:
    """The choice of hits as the project takes it."""
    return Options(
        where=question.where,
        keep=question.keep,
        sample=question.sample,
        seed=question.seed,
        limit=limit,
        offset=offset,
        context=question.context,
        sort=",".join(filter(None, question.sort)),
        reverse=question.reverse,
        since=question.since,
        until=question.until,
        per_document=question.per_document,
        in_group=question.in_group,
        not_in=question.not_in,
    )


class _Table(NamedTuple):
    """A table of hits: its columns, its first rows, how many it has, and how many were hidden."""

    columns: tuple[str, ...]
    rows: list[ConcordanceRow]
    number: int
    hidden: int = 0


def _table(concordance: Concordance, question: HitSelection, base: str, most: int | None = None) -> _Table:
    """A table of hits, at most so many rows of it; what a row counts is found under its address."""
    options = options_of(question, 0)
    query = str(concordance.read(question.query))
    if question.view == "breakdown":
        points = ",".join(filter(None, question.points)) or "word/hit"
        counted = concordance.breakdown(question.query, points, options)
        rows = [_value_row(value, counted.points, query, question, base) for value in counted.rows[:most]]
        return _Table((*counted.points, "count", "share"), rows, len(counted.rows))
    if question.view == "collocates":
        window = CollocateWindow(question.left, question.right, question.least, question.measure)
        near = concordance.collocates(question.query, question.attribute, window, options)
        told = near if question.function_words else concordance.content_words(near, question.attribute)
        rows = [_collocate_row(one, query, question, base) for one in told[:most]]
        return _Table(("value", "count", "total", *MEASURES), rows, len(told), len(near) - len(told))
    parts = concordance.distribution(question.query, question.by, options)
    parts = sorted(parts, key=lambda part: -part.count) if question.by in ("document", "site", "language") else parts
    columns = (question.by, "count", "documents", "tokens", "per_million")
    return _Table(columns, [_part_row(one, question, base) for one in parts[:most]], len(parts))


def _value_row(value: Value, points: tuple[str, ...], query: str, question: HitSelection, base: str) -> ConcordanceRow:
    cells: tuple[Cell, ...] = (*value.values, value.count, value.share)
    place = points[0].partition("/")[2] if len(points) == 1 else ""
    if place not in ("1", "-1") or not value.values[0] or not _can_grow(query):
        return ConcordanceRow(cells)
    token = _token(points[0].partition("/")[0], value.values[0])
    return ConcordanceRow(cells, _address(base, question, query=f"({query}) {token}" if place == "1" else f"{token} ({query})"))


def _collocate_row(near: Collocate, query: str, question: HitSelection, base: str) -> ConcordanceRow:
    cells = msgspec.structs.astuple(near)
    if not _can_grow(query):
        return ConcordanceRow(cells)
    token, sides = _token(question.attribute, near.value), []
    if question.right:
        sides.append(f"({query}) []{{0,{question.right - 1}}} {token}")
    if question.left:
        sides.append(f"{token} []{{0,{question.left - 1}}} ({query})")
    return ConcordanceRow(cells, _address(base, question, query=f"({' | '.join(sides)}) within s") if sides else "")


def _part_row(part: Part, question: HitSelection, base: str) -> ConcordanceRow:
    cells = msgspec.structs.astuple(part)
    if not part.count or not part.part:
        return ConcordanceRow(cells)
    if question.by == "week":
        last = (date.fromisoformat(part.part) + timedelta(days=6)).isoformat()
        return ConcordanceRow(cells, _address(base, question, where=(*question.where, f"date>={part.part}", f"date<={last}")))
    name = {"document": "url", "site": "host", "language": "language"}.get(question.by, "date")
    return ConcordanceRow(cells, _address(base, question, where=(*question.where, f"{name}={part.part}")))


def _can_grow(query: str) -> bool:
    """Whether a query can be put into another one: restrictions and agreements stand at its end."""
    return not any(sign in query for sign in (" within ", " containing ", " & 1.", "<"))


def _token(attribute: str, value: str) -> str:
    from trasmallo.study.query.syntax import quoted

    return f"[{attribute}=={quoted(value, literal=True)}]"


def _address(base: str, question: HitSelection, **changes: object) -> str:
    values = {"query": question.query, "where": question.where, "run": question.run} | changes
    values |= {"since": question.since, "until": question.until}
    pairs = [
        (name, each) for name, value in values.items() for each in (value if isinstance(value, tuple) else (value,)) if each
    ]
    return f"{base}?{urlencode(pairs)}" if base else ""

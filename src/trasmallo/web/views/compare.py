"""Two corpora side by side: runs or scopes of one project or of two, or a run beside a language in general."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from trasmallo.project.jobs import JobOptions
from trasmallo.project.project import Project
from trasmallo.project.scoped_names import scoped_name, split_name
from trasmallo.results.comparison import Comparison
from trasmallo.results.keyness import By, is_general
from trasmallo.store import run_folders
from trasmallo.study.general_frequencies import counted_languages, is_counted
from trasmallo.study.measures.keyness import Key, Measure
from trasmallo.study.query.syntax import quoted
from trasmallo.values.errors import TrasmalloError, UsageError
from trasmallo.web import cell_links
from trasmallo.web.files import KINDS, FileKind, origin_of, rows_as_file
from trasmallo.web.long_questions import LongQuestion
from trasmallo.web.long_questions import answer as answer_of
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer

pages = Pages()

COLUMNS: dict[str, Measure] = {
    "log_ratio": "log_ratio",
    "interval": "least_ratio",
    "difference": "difference",
    "log_likelihood": "log_likelihood",
}
"""Columns that the words can be sorted by, with the measure that does it."""

_MOST = 10_000
"""Words of each kind that are told at most. Judgement: more are not looked through."""


class CompareQuestion(msgspec.Struct, frozen=True):
    """A run of a project, and what it is compared with.

    That is another run, of this project unless `other` names one or a language in general (general:es), about the documents of
    `other_scope`: "*" is all of them. Words of `least` occurrences are compared, sorted by a measure.
    """

    project: str
    run: str = ""
    other: Annotated[str, Meta(max_length=300)] = ""
    other_run: str = ""
    other_scope: Annotated[str, Meta(max_length=2_000)] = ""
    by: By = "word"
    measure: Measure = "log_likelihood"
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 3
    number: Annotated[int, Meta(ge=1, le=_MOST)] = 50


class CompareExport(CompareQuestion, frozen=True):
    """The same words as a file: those of one `side`."""

    side: Literal["more", "less", "new", "vanished"] = "more"
    kind: Literal["csv", "tsv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False


class CompareAnswer(PageAnswer, frozen=True, kw_only=True):
    """What differs; None without two things to compare, and where `problem` and `repair` tell why they cannot be.

    `choices` are projects with their runs, latest first, `general` the languages in general. `long` is the question where it is
    asked as a job that has no answer yet.
    """

    project: str
    by: By
    found: Comparison | None = None
    choices: dict[str, tuple[str, ...]]
    general: tuple[str, ...] = ()
    run: str = ""
    other: str = ""
    other_run: str = ""
    problem: str = ""
    repair: str = ""
    long: LongQuestion | None = None

    @property
    def sorted_by(self) -> dict[str, str]:
        """The measures that words can be sorted by, by the columns that show them."""
        return dict(COLUMNS)

    def hits(self, word: str, *, there: bool = False) -> str:
        """Where the occurrences of a word are shown: here, or in what is compared with; "" where that has no lines."""
        signs = {"word": "word", "lemma": "lemma", "category": "pos"}
        token = f"[{signs[self.by]}=={quoted(word, literal=True)}{'%c' if self.by == 'word' else ''}]"
        place = cell_links.concordance(token)
        if not there:
            return f"/p/{quote(self.project, safe='')}/{place}&run={quote(self.run, safe='')}"
        if is_general(self.other) or self.found is None:
            return ""
        name = scoped_name(self.other, self.found.other_scope)
        return f"/p/{quote(name, safe='')}/{place}&run={quote(self.other_run, safe='')}"


@pages.get("/p/{project}/compare", "compare.html")
def compare_corpora(visit: Visit, question: CompareQuestion) -> CompareAnswer:
    """What a run uses more and less than another one or than a language in general, what is new, and what has vanished."""
    project = visit.project(question.project)
    answer, asked = _chosen(visit, project, question)
    if not answer.run or not (answer.other_run or is_general(answer.other)):
        return answer
    long = visit.long(project, "compare", asked, answer.run)
    try:
        found = answer_of(project, long, Comparison) if long else project.compare(**asked)  # type: ignore[arg-type]
    except UsageError as error:
        return msgspec.structs.replace(answer, problem=error.said.problem, repair=error.said.repair)
    return msgspec.structs.replace(
        answer,
        found=found,
        long=None if found else long,
        command=_command(project, asked),
        python=_python(project, asked),
    )


@pages.get("/p/{project}/compare/export")
def export_comparison(visit: Visit, question: CompareExport) -> Download:
    """The words of one side of a comparison, as a file."""
    project = visit.project(question.project)
    answer, asked = _chosen(visit, project, question)
    if not answer.run or not (answer.other_run or is_general(answer.other)):
        raise UsageError("there is nothing to compare with", "choose another run, other documents or general:es")
    long = visit.long(project, "compare", asked, answer.run)
    kept = answer_of(project, long, Comparison) if long else None
    found = kept or project.compare(**asked)  # type: ignore[arg-type]
    rows = getattr(found, question.side)
    columns = Key.__struct_fields__ if question.side in ("more", "less") else ("word", "count")
    file = FileKind(question.kind, question.raw, question.bom)
    origin = origin_of(project, _command(project, asked), answer.run)
    pieces = rows_as_file(file, columns, map(msgspec.structs.astuple, rows), origin)
    return Download(f"{split_name(question.project)[0]}-{question.side}.{question.kind}", KINDS[question.kind], pieces)


def _chosen(visit: Visit, project: Project, question: CompareQuestion) -> tuple[CompareAnswer, JobOptions]:
    """What is compared, as far as it was chosen and else as is usual, and how it is asked for."""
    name = split_name(question.project)[0]
    own, general = _runs_of(project), tuple(f"general:{code}" for code in counted_languages())
    choices = dict(_choices(visit)) | {name: own}
    language = project.config.language
    alone = len(own) < 2 and not question.other_scope and is_counted(language)
    other = question.other or (f"general:{language}" if alone and question.by == "word" else name)
    run = question.run or next(iter(own), "")
    elsewhere = other == name and bool(question.other_scope)
    other_run = question.other_run or (run if elsewhere else _usual(choices.get(other, ()), run if other == name else ""))
    other_run = "" if is_general(other) else other_run
    answer = CompareAnswer(
        project=question.project, by=question.by, choices=choices, general=general, run=run, other=other, other_run=other_run
    )
    folder = other if is_general(other) or other == name else str(visit.project(other).folder)
    asked: JobOptions = {"other": "" if folder == name else folder, "run": run, "other_run": other_run}
    asked |= {"other_scope": "" if is_general(other) else question.other_scope.strip(), "by": question.by}
    return answer, asked | {"measure": question.measure, "least": question.least, "number": question.number}


def _choices(visit: Visit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The projects with their runs; one that cannot be read is no choice."""
    for name in visit.workspace.names():
        with suppress(TrasmalloError):
            yield name, _runs_of(visit.project(name))


def _runs_of(project: Project) -> tuple[str, ...]:
    return tuple(run.name for run in reversed(run_folders.with_results(project.runs)))


def _usual(known: tuple[str, ...], but: str) -> str:
    """Of runs with the latest first the one before that which is looked at, else the latest other one; "" without one."""
    before = known[known.index(but) + 1 :] if but in known else known
    return next((name for name in (*before, *known) if name != but), "")


_OPTIONS = {"run": "--run", "other": "--with", "other_run": "--with-run", "other_scope": "--with-scope", "by": "--by"}
_SHORT = {"log_likelihood": "ll", "log_ratio": "ratio", "least_ratio": "least-ratio", "difference": "diff"}


def _command(project: Project, asked: JobOptions) -> str:
    words = ["trasmallo", "compare", str(project.folder)]
    for name, option in _OPTIONS.items():
        words += [option, str(asked[name])] if asked[name] else []
    return shlex.join(
        [*words, "--measure", _SHORT[str(asked["measure"])], "--least", str(asked["least"]), "--limit", str(asked["number"])]
    )


def _python(project: Project, asked: JobOptions) -> str:
    listed = ", ".join(f"{name}={value!r}" for name, value in asked.items() if value != "")
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).compare({listed})\n"

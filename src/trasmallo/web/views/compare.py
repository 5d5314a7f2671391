"""Two runs side by side, of one project or of two."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo.project.jobs import JobOptions
from trasmallo.project.project import Project
from trasmallo.results.comparison import Comparison
from trasmallo.results.keyness import By
from trasmallo.store import run_folders
from trasmallo.values.errors import TrasmalloError
from trasmallo.web.long_questions import LongQuestion
from trasmallo.web.long_questions import answer as answer_of
from trasmallo.web.pages import Pages, Visit
from trasmallo.web.rendering import PageAnswer

pages = Pages()


class CompareQuestion(msgspec.Struct, frozen=True):
    """A run of a project, and the one it is compared with: of this project unless `other` names another one."""

    project: str
    run: str = ""
    other: str = ""
    other_run: str = ""
    by: By = "word"
    number: Annotated[int, Meta(ge=1, le=1_000)] = 50


class CompareAnswer(PageAnswer, frozen=True, kw_only=True):
    """What differs; None without two runs to choose from. `choices` are projects with their runs, latest first.

    `long` is the question where it is asked as a job that has no answer yet.
    """

    found: Comparison | None = None
    choices: dict[str, tuple[str, ...]]
    run: str = ""
    other: str = ""
    other_run: str = ""
    long: LongQuestion | None = None


@pages.get("/p/{project}/compare", "compare.html")
def compare_runs(visit: Visit, question: CompareQuestion) -> CompareAnswer:
    """What a run uses more and less than another one, what is new, and what has vanished."""
    project = visit.project(question.project)
    own = _runs_of(project)
    choices = dict(_choices(visit)) | {question.project: own}
    other = question.other or question.project
    run = question.run or next(iter(own), "")
    other_run = question.other_run or _usual(choices.get(other, ()), run if other == question.project else "")
    answer = CompareAnswer(choices=choices, run=run, other=other, other_run=other_run)
    if not run or not other_run:
        return answer
    second = visit.project(other)
    asked: JobOptions = {"run": run, "other_run": other_run, "by": question.by, "number": question.number}
    whole: JobOptions = {"other": str(second.folder), **asked}
    long = visit.long(project, "compare", whole, run)
    found = answer_of(project, long, Comparison) if long else _compared(project, second, question, run, other_run)
    return msgspec.structs.replace(
        answer,
        found=found,
        long=None if found else long,
        command=_command(project, second, asked),
        python=_python(project, second, asked),
    )


def _compared(project: Project, second: Project, question: CompareQuestion, run: str, other_run: str) -> Comparison:
    return project.compare(second.folder, run=run, other_run=other_run, by=question.by, number=question.number)


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


def _command(project: Project, second: Project, asked: dict[str, str | int]) -> str:
    words = ["trasmallo", "compare", str(project.folder), "--run", str(asked["run"])]
    words += ["--with", str(second.folder)] if second.folder != project.folder else []
    return shlex.join(
        [*words, "--with-run", str(asked["other_run"]), "--by", str(asked["by"]), "--limit", str(asked["number"])]
    )


def _python(project: Project, second: Project, asked: dict[str, str | int]) -> str:
    listed = "".join(f", {name}={value!r}" for name, value in asked.items())
    return f"import trasmallo\n\ntrasmallo.Project.open({str(project.folder)!r}).compare({str(second.folder)!r}{listed})\n"

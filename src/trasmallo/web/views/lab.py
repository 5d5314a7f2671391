"""The lab: experiments of DAWeb on the user's own project, as jobs with their progress, curve, table and file."""

from __future__ import annotations

import re
import shlex
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.project import lab
from trasmallo.project.capacity import SIZES, CapacityFigures, CapacitySum, read_figures, set_figures
from trasmallo.project.lab_jobs import Experiment, LabState, LabWish, lab_state, start_lab, stop_lab
from trasmallo.project.page_figures import SAMPLE
from trasmallo.project.project import Project
from trasmallo.study.recognition_speed import SpeedPoint
from trasmallo.values.drawing import Drawing
from trasmallo.values.errors import UsageError
from trasmallo.web.files import KINDS, FileKind, rows_as_file
from trasmallo.web.pages import ActionResult, Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import address_of
from trasmallo.web.views.studies import translated

pages = Pages()

EXPERIMENTS: tuple[Experiment, ...] = ("lines", "cache", "capacity")
_MOST_LINES = 2_000  # judgement: as many as the command takes
_MOST_RUNS = 20  # judgement: runs of one experiment; each crawls all of the project
_MOST_PAGES = 10**15  # judgement: as many as the command takes

_ROWS: dict[Experiment, type[msgspec.Struct]] = {"lines": lab.LinesMeasured, "cache": SpeedPoint, "capacity": CapacitySum}

Line = Annotated[str, Meta(max_length=200)]


class LabQuestion(msgspec.Struct, frozen=True):
    """The lab of a project."""

    project: str


class ExperimentCard(msgspec.Struct, frozen=True, kw_only=True):
    """An experiment: where it stands, and how it is done without a browser."""

    name: Experiment
    state: LabState
    command: str
    python: str


class LabAnswer(PageAnswer, frozen=True, kw_only=True):
    """The experiments of a project; `running` when one of them goes on."""

    experiments: tuple[ExperimentCard, ...]
    running: bool


class StartForm(msgspec.Struct, frozen=True):
    """An experiment to be started: numbers of lines with blanks between them and pages of a run, or words.

    Of capacity: numbers of pages, figures (NAME=VALUE) with blanks between them, and how many pages are timed.
    """

    project: str
    name: Experiment
    numbers: Line = ""
    pages: Annotated[int, Meta(ge=0)] = 0
    words: Annotated[int, Meta(ge=1)] = lab.WORDS
    sizes: Line = ""
    sample: Annotated[int, Meta(ge=0)] = SAMPLE
    figures: Annotated[str, Meta(max_length=1_000)] = ""


class StopForm(msgspec.Struct, frozen=True):
    """An experiment to be stopped."""

    project: str
    name: Experiment


class ResultQuestion(msgspec.Struct, frozen=True):
    """What an experiment measured, as a picture or a file."""

    project: str
    name: Experiment
    kind: Literal["svg", "csv", "tsv", "jsonl"] = "csv"
    raw: bool = False
    bom: bool = False


@pages.get("/p/{project}/lab", "lab.html")
def show_lab(visit: Visit, question: LabQuestion) -> LabAnswer:
    """The experiments, and what they measured so far."""
    project = visit.project(question.project)
    cards = tuple(_card(project, name) for name in EXPERIMENTS)
    return LabAnswer(
        experiments=cards,
        running=any(card.state.running for card in cards),
        command=cards[0].command,
        python=cards[0].python,
    )


@pages.post("/p/{project}/lab/start")
def start_experiment(visit: Visit, question: StartForm) -> ActionResult:
    """Start an experiment in a process of its own."""
    figures = tuple(question.figures.split())
    set_figures(CapacityFigures(), read_figures(figures))
    wish = LabWish(
        numbers=_numbers(question.numbers) or lab.LINES,
        pages=question.pages,
        words=question.words,
        sizes=_numbers(question.sizes, _MOST_PAGES) or SIZES,
        sample=question.sample,
        figures=figures,
    )
    start_lab(visit.project(question.project).folder, question.name, wish)
    return ActionResult(goto=address_of(question.project) + "/lab", said="lab.started")


@pages.post("/p/{project}/lab/stop")
def stop_experiment(visit: Visit, question: StopForm) -> ActionResult:
    """Have an experiment end; what it measured stays."""
    stop_lab(visit.project(question.project).folder, question.name)
    return ActionResult(goto=address_of(question.project) + "/lab", said="lab.stopped")


@pages.get("/p/{project}/lab/result")
def take_result(visit: Visit, question: ResultQuestion) -> Download:
    """What an experiment measured: its curve as SVG, or its rows."""
    project = visit.project(question.project)
    state, title = lab_state(project.home, question.name), f"{question.project}-{question.name}"
    if question.kind == "svg" and question.name == "capacity":
        raise UsageError("capacity has no picture", "take its table")
    if question.kind == "svg":
        picture = translated(_drawn(project, question.name, state), visit.words)
        return Download(f"{title}.svg", "image/svg+xml", iter([picture.svg().encode()]), inline=True)
    columns = _ROWS[question.name].__struct_fields__
    rows = (tuple(getattr(row, column) for column in columns) for row in state.rows)
    kind = FileKind(question.kind, question.raw, question.bom)
    file = rows_as_file(kind, columns, rows, _twins(project, question.name, state)[0])
    return Download(f"{title}.{question.kind}", KINDS[question.kind], file)


def _drawn(project: Project, name: Experiment, state: LabState) -> Drawing:
    if name == "lines":
        return lab.draw_lines(state.lines, project.config.name)
    return lab.draw_cache(state.points, project.config.name)


def _card(project: Project, name: Experiment) -> ExperimentCard:
    state = lab_state(project.home, name)
    command, python = _twins(project, name, state)
    return ExperimentCard(name=name, state=state, command=command, python=python)


def _twins(project: Project, name: Experiment, state: LabState) -> tuple[str, str]:
    """The same on the command line and in Python."""
    wish, folder = state.job.wish if state.job else LabWish(), str(project.folder)
    words = ["trasmallo", "lab", name, folder, *wish.words_of(name)]
    opened = f"trasmallo.Project.open({folder!r})"
    return shlex.join(words), f"import trasmallo\n{_python(name, wish, opened)}"


def _python(name: Experiment, wish: LabWish, opened: str) -> str:
    if name == "capacity":
        given = dict(figure.split("=", 1) for figure in wish.figures)
        return (
            "from trasmallo.project import capacity, page_figures\n\n"
            f"figures = page_figures.measure_pages({opened}, sample={wish.sample})\n"
            f"capacity.sum_up(capacity.set_figures(figures, {given!r}), {wish.sizes!r})\n"
        )
    chosen = f"{wish.numbers!r}, pages={wish.pages}" if name == "lines" else f"words={wish.words}"
    return f"from trasmallo.project import lab\n\nlist(lab.measure_{name}({opened}, {chosen}))\n"


def _numbers(text: str, most: int = _MOST_LINES) -> tuple[int, ...]:
    """Numbers of lines or of pages as they were typed."""
    typed = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
    good = all(part.isascii() and part.isdigit() and 1 <= int(part) <= most for part in typed)
    if not good or len(typed) > _MOST_RUNS:
        raise UsageError(
            "the numbers are not understood",
            "write up to {runs} numbers from 1 to {most:,} with blanks between them",
            runs=_MOST_RUNS,
            most=most,
        )
    return tuple(map(int, typed))

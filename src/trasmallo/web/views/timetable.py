"""The timetable: projects with an hour or a period, what runs and what waits, what was missed, and the scheduler's switch.

It is the user's own (`timetable.default_path`), so that a scheduler of the command line and this page speak of the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from trasmallo.crawl.revisit.budget import parse_budget
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.project.timetable import PastRun, Timetable, TimetableEntry, steering
from trasmallo.project.timetable.times import WEEKDAYS, parse, zone_of
from trasmallo.project.timetable.timetable import Missed, Work
from trasmallo.values.errors import NotFound, TrasmalloError, UsageError
from trasmallo.web.pages import ActionResult, Again, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.timetable_entries import IMPORT, EntryCard, card_of, names_of
from trasmallo.web.views.projects import Line

pages = Pages()

HERE = "/timetable"
_MOST_REMEMBERED = 100
"""Past runs that the page shows. Judgement: some screens."""

Unit = Literal["m", "h", "d", "w"]
Wait = Literal["scheduler", "running", "busy", "nothing"]
_UNITS: dict[Unit, int] = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60}
Short = Annotated[str, Meta(max_length=100)]


class TimetableQuestion(msgspec.Struct, frozen=True):
    """What of the timetable: the entry to `edit` (a folder), or the project to add; the history of a folder, so many runs.

    `detail` is the folder that was just removed.
    """

    edit: Line = ""
    project: Line = ""
    past: Line = ""
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 25
    detail: Line = ""


class EntryForm(msgspec.Struct, frozen=True, kw_only=True):
    """A time for a project of the list, or another one for the entry of a `folder`.

    `kind` says which fields count: `time` and `days`, `time` and `date`, or `number` and `unit`. `when`, if given, says all of
    it as the command line does, such as "mon,thu 04:30" or "every 6h". `zone` is "" for that of the machine. `budget` counts
    for a revisit: how many visits, "" for the usual number.
    """

    project: Line = ""
    folder: Line = ""
    kind: Literal["days", "once", "every"] = "days"
    time: Short = "03:00"
    days: Annotated[tuple[Short, ...], Meta(max_length=7)] = ()
    date: Short = ""
    number: Annotated[int, Meta(ge=1, le=99_999)] = 1
    unit: Unit = "d"
    when: Short = ""
    zone: Short = ""
    missed: Missed = "catch-up"
    work: Work = "run"
    budget: Short = ""


class FolderForm(msgspec.Struct, frozen=True):
    """An entry, by its folder."""

    folder: Line


class ChangeForm(msgspec.Struct, frozen=True):
    """Switch an entry on or off, or choose what becomes of runs that it misses."""

    folder: Line
    on: bool | None = None
    missed: Missed | None = None


class SchedulerForm(msgspec.Struct, frozen=True):
    """What the scheduler is to do: start, stop when what was downloaded is analysed, or finish now."""

    wish: Literal["start", "stop", "finish"]


class WaitingProject(msgspec.Struct, frozen=True):
    """A project whose time has come: it waits for the `scheduler` (was missed), the `running` one, or who is `busy` on it."""

    folder: str
    project: str
    due: float
    missed: Missed
    waits_for: Wait
    process: int = 0


class PastCard(msgspec.Struct, frozen=True):
    """A run of the history; one without an end whose process is gone is told as interrupted."""

    folder: str
    project: str
    due: float
    began: float
    ended: float | None
    state: str
    cause: str
    run: str


class TimetableAnswer(PageAnswer, frozen=True, kw_only=True):
    """The timetable now. `scheduler` is the process that runs it, 0 when there is none; `line` waits, first come first.

    `stopping` says that the scheduler was told to end and waits for the running project.
    `typed` is the form, `free` the projects without an entry, `removed` a folder whose removal can be undone.
    """

    scheduler: int
    running: PastCard | None
    line: tuple[WaitingProject, ...]
    entries: tuple[EntryCard, ...]
    history: tuple[PastCard, ...]
    more: bool
    past: str
    typed: EntryForm
    free: tuple[str, ...]
    stopping: bool = False
    removed: str = ""
    field: str = ""
    problem: str = ""
    repair: str = ""


@pages.get(HERE, "timetable.html")
def show_timetable(visit: Visit, question: TimetableQuestion) -> TimetableAnswer:
    """What is due when, what runs, what waits or was missed, and the history."""
    table = Timetable()
    typed = _typed(table, question)
    return _answer(visit, table, question, typed)


@pages.post(HERE)
def save_entry(visit: Visit, question: EntryForm) -> ActionResult:
    """Put a project on the timetable, or give its entry another time."""
    table, field = Timetable(), "project"
    try:
        folder = _folder_of(visit, table, question)
        Project.open(folder)
        field = "zone"
        zone_of(question.zone.strip())
        field = "budget"
        _budget(question)
        field = question.kind
        _save(table, folder, question)
    except TrasmalloError as error:
        asked = TimetableQuestion(edit=question.folder)
        answer = _answer(visit, table, asked, question)
        answer = msgspec.structs.replace(answer, field=field, problem=error.said.problem, repair=error.said.repair)
        raise Again("timetable.html", answer, error) from None
    return ActionResult(goto=HERE, said="timetable.saved")


@pages.post(HERE + "/change")
def change_entry(visit: Visit, question: ChangeForm) -> ActionResult:  # noqa: ARG001 - every action has a visit
    """Switch an entry on or off, or choose whether runs that it misses are caught up or skipped."""
    table = Timetable()
    entry = table.change(_entry(table, question.folder).folder, time.time(), on=question.on, missed=question.missed)
    if question.on is None:
        return ActionResult(goto=HERE, said=f"timetable.{entry.missed}")
    return ActionResult(goto=HERE, said="timetable.on" if entry.on else "timetable.off")


@pages.post(HERE + "/skip")
def skip_run(visit: Visit, question: FolderForm) -> ActionResult:  # noqa: ARG001 - every action has a visit
    """Pass over a run that is due and has not begun; the next one stays."""
    table = Timetable()
    table.skip(_entry(table, question.folder).folder, time.time())
    return ActionResult(goto=HERE, said="timetable.skipped")


@pages.post(HERE + "/remove")
def remove_entry(visit: Visit, question: FolderForm) -> ActionResult:
    """Take a project off the timetable; it can be put back."""
    table = Timetable()
    entry = table.remove(_entry(table, question.folder).folder)
    removed: dict[str, TimetableEntry] = visit.state.unscheduled
    removed.pop(entry.folder, None)
    removed[entry.folder] = entry
    for folder in list(removed)[:-_MOST_REMEMBERED]:
        removed.pop(folder, None)
    return ActionResult(goto=HERE, said="timetable.removed", detail=entry.folder)


@pages.post(HERE + "/undo")
def undo_removal(visit: Visit, question: FolderForm) -> ActionResult:
    """Put back what was taken off the timetable, as it was."""
    entry = visit.state.unscheduled.get(question.folder)
    if entry is None:
        raise NotFound("nothing was removed that could be put back", "add the project again")
    Timetable().put_back(entry)
    visit.state.unscheduled.pop(question.folder, None)
    return ActionResult(goto=HERE, said="timetable.undone")


@pages.post(HERE + "/scheduler")
def steer_scheduler(visit: Visit, question: SchedulerForm) -> ActionResult:  # noqa: ARG001 - every action has a visit
    """Start the scheduler as a process that outlives the app, or have it end."""
    table = Timetable()
    if question.wish == "start":
        steering.start(table)
    else:
        steering.stop(table, at_once=question.wish == "finish")
    return ActionResult(goto=HERE, said=f"scheduler.{question.wish}")


def _answer(visit: Visit, table: Timetable, question: TimetableQuestion, typed: EntryForm) -> TimetableAnswer:
    now, names, entries = time.time(), names_of(visit), table.entries()
    scheduler = steering.worker(table)
    unended = [_past(run, names) for run in table.unended()]
    running = next((run for run in unended if run.state == "running"), None)
    history = table.history(limit=question.limit + 1, folder=_known(table, names, question.past))
    taken = {entry.folder for entry in entries}
    return TimetableAnswer(
        scheduler=scheduler,
        stopping=steering.is_stopping(table),
        running=running,
        line=tuple(_line(table.due(now), names, scheduler, running)),
        entries=tuple(card_of(entry, names) for entry in entries),
        history=tuple(_past(run, names) for run in history[: question.limit]),
        more=len(history) > question.limit,
        past=question.past,
        typed=typed,
        free=tuple(name for folder, name in names.items() if folder not in taken),
        removed=question.detail if question.detail in visit.state.unscheduled else "",
        command="trasmallo schedule --list",
        python=f"{IMPORT}\n\nTimetable().entries()\n",
    )


def _known(table: Timetable, names: dict[str, str], folder: str) -> str:
    """A folder that may be asked for; raises NotFound, since an address may hold anything."""
    if folder and folder not in names and folder not in {run.folder for run in table.history(limit=0)}:
        raise NotFound("no project in {folder!r} was run by the timetable", "see {here}", folder=folder[:200], here=HERE)
    return folder


def _entry(table: Timetable, folder: str) -> TimetableEntry:
    found = [entry for entry in table.entries() if entry.folder == folder]
    if not found:
        raise NotFound("{folder!r} is not on the timetable", "see {here}", folder=folder[:200], here=HERE)
    return found[0]


def _folder_of(visit: Visit, table: Timetable, form: EntryForm) -> str:
    if form.folder:
        return _entry(table, form.folder).folder
    if not form.project:
        raise UsageError("no project was chosen", "choose one of the list")
    return str(visit.workspace.folder(form.project))


def _save(table: Timetable, folder: str, form: EntryForm) -> None:
    """Write what differs: a period that stays goes on counting from where it was set, what is switched off stays so."""
    when, zone, now, budget = str(parse(_when(form))), form.zone.strip(), time.time(), _budget(form)
    before = next((entry for entry in table.entries() if entry.folder == folder), None)
    if before and (before.when, before.zone, before.work, before.budget) == (when, zone, form.work, budget):
        table.change(folder, now, missed=form.missed)
        return
    table.add(folder, when, now, zone=zone, missed=form.missed, work=form.work, budget=budget)
    if before and not before.on:
        table.change(folder, now, on=False)


def _budget(form: EntryForm) -> str:
    """The visits of a revisit as they were typed; raises UsageError. A run has none, whatever stands in its field."""
    typed = form.budget.strip() if form.work == "revisit" else ""
    if typed:
        parse_budget(typed)
    return typed


def _when(form: EntryForm) -> str:
    """What was chosen, as the command line writes it."""
    if form.when.strip():
        return form.when
    if form.kind == "every":
        return f"every {form.number}{form.unit}"
    if form.kind == "once":
        return f"{form.date} {form.time}"
    if not form.days:
        raise UsageError("no day was chosen", "choose at least one day of the week")
    return f"{','.join(form.days)} {form.time}"


def _typed(table: Timetable, question: TimetableQuestion) -> EntryForm:
    """The form for an entry as it is, or for a new one."""
    if not question.edit:
        return EntryForm(project=question.project, days=WEEKDAYS)
    entry = _entry(table, question.edit)
    rule = parse(entry.when)
    shared = EntryForm(
        folder=entry.folder, zone=entry.zone, missed=entry.missed, days=WEEKDAYS, work=entry.work, budget=entry.budget
    )
    if rule.every:
        unit = next(unit for unit, seconds in _UNITS.items() if rule.every % seconds == 0)
        return msgspec.structs.replace(shared, kind="every", number=rule.every // _UNITS[unit], unit=unit)
    clock = f"{rule.minute // 60:02}:{rule.minute % 60:02}"
    if rule.date:
        return msgspec.structs.replace(shared, kind="once", date=rule.date, time=clock)
    return msgspec.structs.replace(shared, days=tuple(WEEKDAYS[day] for day in rule.days), time=clock)


def _past(run: PastRun, names: dict[str, str]) -> PastCard:
    lost = run.ended is None and not holder(Path(run.folder))
    state = "interrupted" if lost else run.state
    return PastCard(
        folder=run.folder,
        project=names.get(run.folder, ""),
        due=run.due,
        began=run.began,
        ended=run.ended,
        state=state,
        cause=run.cause,
        run=run.run,
    )


def _line(
    due: list[TimetableEntry], names: dict[str, str], scheduler: int, running: PastCard | None
) -> Iterator[WaitingProject]:
    """Those whose time has come, with what they wait for."""
    for entry in due:
        process = holder(Path(entry.folder))
        waits: Wait = "busy" if process else "running" if running else "nothing"
        if not scheduler:
            waits, process = "scheduler", 0
        yield WaitingProject(
            folder=entry.folder,
            project=names.get(entry.folder, ""),
            due=entry.due or 0.0,
            missed=entry.missed,
            waits_for=waits,
            process=process,
        )

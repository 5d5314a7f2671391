"""Commands of the timetable: put projects on it, and run it."""

from __future__ import annotations

import signal
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import click

from trasmallo.cli.output import print_json, print_json_lines, print_table, with_either, with_rows

if TYPE_CHECKING:
    from trasmallo.project.timetable import Notice, PastRun, Timetable, TimetableEntry


class _ScheduleOptions(TypedDict):
    at: str | None
    every: str | None
    zone: str
    missed: Literal["catch-up", "skip"] | None
    on: bool | None
    revisit: bool
    budget: str
    remove: bool
    listing: bool
    history: bool
    file: str | None


_file_option = click.option(
    "--timetable", "file", type=click.Path(dir_okay=False), metavar="FILE", help="Another timetable than the user's own."
)


@click.command("schedule", epilog="Example: trasmallo schedule mycorpus --at 'mon,thu 04:30'")
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(file_okay=False))
@click.option("--at", metavar="TIME", help="'03:00' (daily), 'mon,thu 04:30', 'mon-fri 22:15', or once '2026-12-24 18:00'.")
@click.option("--every", metavar="PERIOD", help="30m, 6h, 1d12h, 2w: counted from now.")
@click.option(
    "--zone", default="", metavar="NAME", help="Time zone of --at, such as Europe/Madrid; this machine's if not given."
)
@click.option(
    "--missed", type=click.Choice(["catch-up", "skip"]), help="What becomes of a run missed while no scheduler was there."
)
@click.option("--revisit", is_flag=True, help="Visit pages of the collection again, instead of a new run.")
@click.option("--budget", default="", metavar="N|N/day", help="Visits of --revisit.  [default: 1/30 of the pages a day]")
@click.option("--on/--off", "on", default=None, help="Switch it off, and on again.")
@click.option("--remove", is_flag=True, help="Take it off the timetable; its history stays.")
@click.option("--list", "listing", is_flag=True, help="Show the timetable.")
@click.option("--history", is_flag=True, help="Show the latest runs, of DIR or of all.")
@_file_option
@with_either("--list or --history")
def schedule_command(folder: str | None, as_json: bool, quiet: bool, **given: Unpack[_ScheduleOptions]) -> None:
    """Put a project on the timetable, which `trasmallo scheduler` runs: one project at a time, each as a new run or a revisit.

    A project whose hour comes while another runs is next. What daylight saving skips is run as much later, what it repeats is
    run once.
    """
    from trasmallo.project.timetable import Timetable

    table = Timetable(Path(given["file"]) if given["file"] else None)
    if given["history"]:
        _print_history(table.history(folder=folder or ""), as_json=as_json)
    elif given["listing"] or not folder:
        _print_entries(table.entries(), as_json=as_json)
    else:
        _change(table, folder, given, as_json=as_json, quiet=quiet)


@click.command("scheduler", epilog="Example: trasmallo scheduler --once")
@click.option("--once", is_flag=True, help="Run what is due now, then end.")
@_file_option
@with_rows
def scheduler_command(once: bool, file: str | None, as_json: bool, quiet: bool) -> None:
    """Run the timetable, one project at a time, until stopped.

    Ctrl-C once: the running project stops downloads and analyses what is there; twice: it finishes now. It goes on when the
    scheduler is started again.
    """
    from trasmallo.project.timetable import ChildRunner, RealClock, Scheduler, Timetable

    def tell(notice: Notice) -> None:
        if as_json:
            print_json_lines([notice])
        elif not quiet:
            click.echo(_line(notice))

    scheduler = Scheduler(Timetable(Path(file) if file else None), ChildRunner(), RealClock(), tell)
    before = {number: signal.signal(number, lambda *_: scheduler.stop()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        scheduler.run(once=once)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _change(table: Timetable, folder: str, given: _ScheduleOptions, *, as_json: bool, quiet: bool) -> None:
    """What was typed about one project."""
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    if given["at"] and given["every"]:
        raise UsageError("--at and --every exclude each other", "give one of them")
    when = given["at"] or (f"every {given['every']}" if given["every"] else "")
    if given["remove"]:
        table.remove(folder)
        if as_json:
            print_json({"folder": folder, "removed": True})
        elif not quiet:
            click.echo(f"{folder} is off the timetable.")
        return
    if when:
        Project.open(folder)
        entry = _put(table, folder, when, given)
    elif given["revisit"] or given["budget"]:
        raise UsageError("a revisit needs a time", "give --at or --every too")
    elif given["on"] is not None or given["missed"]:
        entry = table.change(folder, time.time(), on=given["on"], missed=given["missed"])
    else:
        entry = table.find(folder)
    if as_json:
        print_json(entry)
    elif not quiet:
        click.echo(f"{folder}: {_work(entry)}{entry.when}, {_next_time(entry)}.")


def _put(table: Timetable, folder: str, when: str, given: _ScheduleOptions) -> TimetableEntry:
    return table.add(
        folder,
        when,
        time.time(),
        zone=given["zone"],
        missed=given["missed"] or "catch-up",
        work="revisit" if given["revisit"] else "run",
        budget=given["budget"],
    )


def _work(entry: TimetableEntry) -> str:
    """What is done, where it is no run."""
    budget = f" of {entry.budget} visits" if entry.budget.isdigit() else f" of {entry.budget}" if entry.budget else ""
    return f"revisit{budget}, " if entry.work == "revisit" else ""


def _print_entries(entries: list[TimetableEntry], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(entries)
        return
    rows = (
        (entry.folder, entry.when, entry.zone, f"{entry.work} {entry.budget}".rstrip(), entry.missed, _next_time(entry))
        for entry in entries
    )
    print_table(("project", "when", "zone", "what", "missed runs", "next"), rows)


def _print_history(found: list[PastRun], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(found)
        return
    rows = ((past.folder, _clock(past.began), _clock(past.ended), past.state, past.cause, past.run) for past in found)
    print_table(("project", "began", "ended", "state", "why", "run"), rows)


def _next_time(entry: TimetableEntry) -> str:
    return "off" if not entry.on else f"next {_clock(entry.due, entry.zone)}" if entry.due is not None else "never again"


def _clock(at: float | None, zone: str = "") -> str:
    from trasmallo.project.timetable.times import zone_of

    return "" if at is None else datetime.fromtimestamp(at, zone_of(zone)).strftime("%Y-%m-%d %H:%M")


def _line(notice: Notice) -> str:
    more = ", ".join(part for part in (notice.state, notice.cause) if part)
    return f"{_clock(notice.at)} {notice.folder} {notice.what}" + (f": {more}" if more else "")

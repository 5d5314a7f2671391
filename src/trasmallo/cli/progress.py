"""Progress bars of a run, fed by its events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from trasmallo import events
from trasmallo.cli.output import printable
from trasmallo.events import Bus, Event

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID


@contextmanager
def bars(bus: Bus, *, quiet: bool) -> Iterator[None]:
    """Show a bar for pages and one for documents while the block lasts; on standard error, so that output stays clean."""
    console = None if quiet else _terminal()
    if console is None:
        with warnings(bus, quiet=quiet):
            yield
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=console, transient=False) as display:
        end = bus.listen(_Bars(display))
        try:
            yield
        finally:
            end()


def _terminal() -> Console | None:
    """Standard error, None when it is no terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    return console if console.is_terminal else None


@contextmanager
def warnings(bus: Bus, *, quiet: bool = True) -> Iterator[None]:
    """Say on standard error what a person should know, a line each; unless `quiet` also what is about to be done."""
    told = (events.Warned,) if quiet else (events.Warned, events.Announced)

    def say(event: Event) -> None:
        if isinstance(event, told):
            click.echo(f"trasmallo: {event.message}", err=True)

    end = bus.listen(say, transient=False)
    try:
        yield
    finally:
        end()


@contextmanager
def export_bar(bus: Bus, *, quiet: bool) -> Iterator[None]:
    """Show how far an export is while the block lasts, on standard error; warnings in any case."""
    console = None if quiet else _terminal()
    with warnings(bus):
        if console is None:
            yield
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as display:
            task = display.add_task("writing", total=None)

            def show(event: Event) -> None:
                if isinstance(event, events.Exporting):
                    display.update(task, completed=event.done, total=event.total)

            end = bus.listen(show)
            try:
                yield
            finally:
                end()


class _Bars:
    """Turns events into the state of the bars."""

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._pages = display.add_task("pages", total=None, note="")
        self._documents = display.add_task("documents", total=None, note="")

    def __call__(self, event: Event) -> None:
        if isinstance(event, events.Progress):
            self._show(event)
        elif isinstance(event, events.LineChanged) and event.url:
            self._display.update(self._pages, note=_line_note(event))
        elif isinstance(event, events.Studied):
            self._display.update(self._documents, note=printable(event.title[:60]))
        elif isinstance(event, events.Indexing):
            self._display.update(self._documents, completed=event.done, total=event.total, note=event.cause)
        elif isinstance(event, events.Waiting):
            self._display.update(self._pages, note=event.cause)
        elif isinstance(event, events.Warned | events.Announced):
            self._display.console.print(f"trasmallo: {event.message}", markup=False, highlight=False)

    def _show(self, progress: events.Progress) -> None:
        done = progress.known - progress.waiting
        self._display.update(self._pages, completed=done, total=progress.known or None)
        read = progress.pages if progress.remade is None else progress.remade
        self._display.update(self._documents, completed=read, total=progress.obtained or None)


def _line_note(line: events.LineChanged) -> str:
    """What became of the address that a line was last at, or how much of it has come."""
    address = printable(line.url[-60:])
    if line.state != "downloading":
        return f"{address} {line.state}"
    return address + (f" {100 * line.received // line.expected} %" if line.expected else "")


def prepare_language(language: str, *, quiet: bool) -> None:
    """Make the words of a language ready, with a bar on standard error when its lexicon must be compiled first."""
    from trasmallo.study.morphology import prepare

    console = None if quiet else _terminal()
    if console is None:
        prepare(language)
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as display:
        tasks: list[TaskID] = []

        def report(done: int, total: int) -> None:
            if not tasks:
                tasks.append(display.add_task(f"compiling the lexicon of {language}, once", total=total))
            display.update(tasks[0], completed=done)

        prepare(language, report)

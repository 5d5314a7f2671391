"""The command that watches the folders and mailboxes of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, print_json_lines, with_rows

if TYPE_CHECKING:
    from trasmallo.project.file_watch import WatchEvent


@click.command("watch", epilog="Example: trasmallo watch notes")
@folder_argument
@click.option("--for", "duration", default="", metavar="DURATION", help="End after so long: 30m, 12h, 7d.")
@click.option("--poll", is_flag=True, help="Look from time to time instead of waiting for the system's notifications.")
@click.option("--no-runs", is_flag=True, help="Only make changes searchable; `run` takes them in later.")
@with_rows
def watch_command(folder: str, duration: str, poll: bool, no_runs: bool, as_json: bool, quiet: bool) -> None:
    """Watch the folders and mailboxes that a project starts from: what is saved is found by `find` within two seconds.

    When it is calm a run takes in what changed. With --json an object a line tells what happens. Ctrl-C ends it.
    """
    from trasmallo.project.project import Project

    def tell(event: WatchEvent) -> None:
        if as_json:
            print_json_lines([event])
        elif not quiet:
            click.echo(_shown(event))

    Project.open(folder).watch(tell, duration=duration, poll=poll, takes_in=not no_runs)


def _shown(event: WatchEvent) -> str:
    if event.what == "taken":
        return f"{event.documents:,} document{'s' * (event.documents != 1)} changed, and can be searched"
    if event.what == "run":
        return "a run takes in what changed"
    if event.what == "missing":
        return f"{event.path} is not there; it is looked for from time to time"
    return f"watching {event.path} by {event.manner}" + (f" ({event.cause})" if event.cause else "")

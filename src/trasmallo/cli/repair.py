"""Commands that look whether the files of a project are sound, and make again what is not."""

from __future__ import annotations

import click
import msgspec

from trasmallo.cli.output import folder_argument, print_json_lines, print_table, with_rows
from trasmallo.cli.projects import with_accept_loss


@click.command("check", epilog="Example: trasmallo check mycorpus --json")
@folder_argument
@with_rows
def check_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Read every file of the project and tell what is not as it was written; nothing is changed.

    Exit code 1 when something is wrong. --json: JSON lines.
    """
    from trasmallo.project.project import Project

    findings = list(Project.open(folder).check())
    if as_json:
        print_json_lines(findings)
    elif findings:
        print_table(("what", "run", "problem", "repair"), (msgspec.structs.astuple(finding) for finding in findings))
    elif not quiet:
        click.echo("Everything is as it was written.")
    if findings:
        raise SystemExit(1)


@click.command("repair", epilog="Example: trasmallo repair mycorpus")
@folder_argument
@with_accept_loss
@with_rows
def repair_command(folder: str, accept_loss: bool, as_json: bool, quiet: bool) -> None:
    """Make again what is damaged or lost and follows from the project file and the archive: catalog, frontier, tables, index.

    Nothing is asked of the web. --json: JSON lines.
    """
    from trasmallo.cli.progress import bars
    from trasmallo.project.project import Project

    project = Project.open(folder)
    with bars(project.bus, quiet=quiet or as_json):
        steps = project.repair(accept_loss=accept_loss)
    if as_json:
        print_json_lines(steps)
    elif steps:
        print_table(("what", "run", "made again"), (msgspec.structs.astuple(step) for step in steps))
    elif not quiet:
        click.echo("Everything is as it was written: nothing was changed.")

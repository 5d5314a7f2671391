"""The command that lists line groups, shows one, renames and removes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json_lines,
    print_separated,
    print_table,
    printable,
    with_cells,
    with_rows,
    with_time,
)
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.concordance.marked_lines import FoundLine


@click.command("groups", epilog="Example: trasmallo groups mycorpus irony --format csv > irony.csv")
@folder_argument
@click.argument("name", default="", metavar="[GROUP]")
@click.option("--rename", default="", metavar="NAME", help="Give the group another name.")
@click.option("--remove", is_flag=True, help="Forget the group; its documents stay.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_cells
@with_rows
def groups_command(folder: str, name: str, rename: str, remove: bool, kind: str, as_json: bool, quiet: bool) -> None:
    """List the line groups of a project, or the lines of one; `kwic --into` and `--out-of` fill them.

    A line is known by its document, its place and the letters around it. When its page has changed it is `moved`, if it stands
    there still, or `lost`; lost lines stay in the group.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    if (rename or remove) and not name:
        raise UsageError(
            "no group is named", "write its name behind the folder: trasmallo groups {folder} GROUP", folder=folder
        )
    if rename:
        project.rename_group(name, rename)
    elif remove:
        number = project.remove_group(name)
        if not quiet:
            click.echo(f"{printable(name)!r} with {number_of(number, 'line')} removed", err=True)
    elif name:
        _print_lines(project.line_group(name), "jsonl" if as_json else kind)
    else:
        _print_groups(project, "jsonl" if as_json else kind, quiet=quiet)


def _print_groups(project: Project, kind: str, *, quiet: bool) -> None:
    found = project.line_groups()
    if kind == "jsonl":
        print_json_lines(found)
    elif found or kind != "table":
        columns = ("name", "lines", "documents", "moved", "lost", "last")
        rows = [msgspec.structs.astuple(one) for one in found]
        print_table(columns, rows) if kind == "table" else print_separated(columns, rows, tabs=kind == "tsv")
    elif not quiet:
        click.echo("there is no line group yet: make one with `trasmallo kwic DIR QUERY --into GROUP`")


def _print_lines(found: list[FoundLine], kind: str) -> None:
    from trasmallo.results.concordance.marked_lines import COLUMNS

    rows = [one.row for one in found]
    if kind == "jsonl":
        print_json_lines(dict(zip(COLUMNS, row, strict=True)) for row in rows)
    elif kind == "table":
        print_table(("left", "hit", "right", "document", "state"), [(*row[5:8], row[1] or row[0], row[8]) for row in rows])
    else:
        print_separated(COLUMNS, rows, tabs=kind == "tsv")

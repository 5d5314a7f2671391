"""The command that freezes results of a collection under a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    print_json,
    print_json_lines,
    print_separated,
    print_table,
    with_cells,
    with_either,
    with_time,
)
from trasmallo.results.dates import local

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.snapshots import Snapshot

_URL_COLUMNS = ("url", "at", "digest", "document")


@click.command("snapshot", epilog="Example: trasmallo snapshot mycorpus thesis --note 'Chapter 3'")
@folder_argument
@click.argument("name", required=False, default="", metavar="[NAME]")
@click.option("--note", default="", metavar="TEXT", help="What it is for.")
@click.option("--cite", is_flag=True, help="Print the line by which it is cited.")
@click.option("--urls", is_flag=True, help="Print its addresses with dates and digests, all of them, as CSV.")
@click.option("--remove", is_flag=True, help="Let it go; what is stored stays.")
@with_time
@with_cells
@with_either("--urls, or without NAME")
def snapshot_command(
    folder: str, name: str, note: str, cite: bool, urls: bool, remove: bool, as_json: bool, quiet: bool
) -> None:
    """Freeze the results of the collection under NAME; without one list what was frozen.

    A snapshot is asked by its name (--as-of NAME, --run NAME), and neither thinned out nor made again.
    """
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    now = Project.open(folder)
    project = as_typed(now)
    if not name and (note or cite or urls or remove or project is not now):
        raise UsageError("a snapshot has a name", "give one behind the folder; without it all are listed")
    if not name:
        _print_all(project.snapshots(), as_json=as_json)
    elif urls:
        _print_urls(project, name, as_json=as_json)
    elif remove:
        _remove(project, name, as_json=as_json, quiet=quiet)
    else:
        found = project.find_snapshot(name) if cite else project.snapshot(name, note=note)
        _print_one(project, found, as_json=as_json)


def _remove(project: Project, name: str, *, as_json: bool, quiet: bool) -> None:
    found = project.remove_snapshot(name)
    if as_json and found is not None:
        _print_one(project, found, as_json=True)
    elif as_json:
        print_json({"name": name})
    elif not quiet:
        click.echo(f"The snapshot {name} is gone; what is stored stays.")


def _print_all(found: Sequence[Snapshot], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(found)
        return
    rows = [(each.name, local(each.began), each.pages, each.documents, each.words, each.note, each.run) for each in found]
    print_table(("name", "collection of", "pages", "documents", "words", "note", "run"), rows)


def _print_urls(project: Project, name: str, *, as_json: bool) -> None:
    from trasmallo.results.dates import with_dates

    frozen = project.find_snapshot(name).name
    with project.tables(frozen) as tables:
        rows = tables.stream('SELECT url, "at", digest, document FROM pages ORDER BY url')
        dated = with_dates(_URL_COLUMNS, rows)
        if as_json:
            print_json_lines(dict(zip(_URL_COLUMNS, row, strict=True)) for row in dated)
        else:
            print_separated(_URL_COLUMNS, dated)


def _print_one(project: Project, found: Snapshot, *, as_json: bool) -> None:
    citation = found.citation(project.config.name)
    if as_json:
        print_json({**{name: getattr(found, name) for name in found.__struct_fields__}, "citation": citation})
    else:
        click.echo(citation)

"""The command that lists saved queries, asks one again, removes them, and tells the history."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    print_json_lines,
    print_table,
    with_either,
    with_scope,
    with_time,
)
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.store.kept_queries import KeptQuery


@click.command("queries", epilog="Example: trasmallo queries mycorpus doing --limit 50")
@folder_argument
@click.argument("name", default="", metavar="[NAME]")
@click.option("--history", is_flag=True, help="What the app and this command line asked, the latest first.")
@click.option("--matching", default="", metavar="TEXT", help="Only queries with TEXT in them or in their names.")
@click.option("--forget-history", is_flag=True, help="Forget what was asked; saved queries stay.")
@click.option("--remove", is_flag=True, help="Forget the saved query of this name.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=0), metavar="N", help="At most N lines of NAME."
)
@with_time
@with_scope
@with_either("no NAME")
def queries_command(
    folder: str,
    name: str,
    history: bool,
    matching: str,
    forget_history: bool,
    remove: bool,
    limit: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """List the corpus queries that were saved with `kwic --save`, or ask the one of a NAME again.

    It is asked in the scope that it was saved with unless --scope names another one.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    if remove and not name:
        raise UsageError(
            "no query is named", "write its name behind the folder: trasmallo queries {folder} NAME", folder=folder
        )
    if forget_history:
        _say(f"queries forgotten: {project.forget_history():,}", quiet=quiet)
    elif remove:
        _say(f"{project.remove_query(name).name!r} removed", quiet=quiet)
    elif name:
        from trasmallo.cli.kwic import print_page

        print_page(project.ask_saved(name, limit=limit), as_json=as_json, quiet=quiet)
    else:
        kept = project.query_history() if history else project.saved_queries()
        chosen = [one for one in kept if matching.casefold() in f"{one.name}\n{one.query}".casefold()]
        _list(chosen, as_json=as_json, quiet=quiet)


def _list(kept: Sequence[KeptQuery], *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json_lines(_row(one) for one in kept)
    elif kept:
        rows = [(one.name, one.query, _options(one), one.scope, one.hits, one.when[:10]) for one in kept]
        print_table(("name", "query", "options", "scope", "hits", "when"), rows)
    elif not quiet:
        click.echo("there is no query: save one with `trasmallo kwic DIR QUERY --save NAME`")


def _row(kept: KeptQuery) -> dict[str, object]:
    """A query with all that is known of it; of an empty choice the braces, too."""
    return {name: getattr(kept, name) for name in msgspec.structs.asdict(kept)}


def _options(kept: KeptQuery) -> str:
    """The choice of hits as it is typed behind `kwic`."""
    return shlex.join(kept.flags)


def _say(text: str, *, quiet: bool) -> None:
    if not quiet:
        click.echo(text, err=True)

"""The command that shows the sites of a collection, takes some out of it and puts them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, print_json_lines, print_table, with_either
from trasmallo.results.dates import local

if TYPE_CHECKING:
    from trasmallo.results.site_counts import SiteCount


@click.command("sites", epilog="Example: trasmallo sites mycorpus --take-out spam.example.org")
@folder_argument
@click.option("--take-out", multiple=True, metavar="HOST", help="Leave this site out of tables, search and counts; repeatable.")
@click.option("--put-back", multiple=True, metavar="HOST", help="Undo it, with all pages that are stored; repeatable.")
@with_either("neither --take-out nor --put-back")
def sites_command(folder: str, take_out: tuple[str, ...], put_back: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """List the sites of the collection, or take some out, as a run of its own. What is stored of them stays.

    A site that is taken out is not asked for by later runs. Earlier runs and snapshots answer as before.
    """
    from trasmallo.cli.projects import watched
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    project = Project.open(folder)
    if take_out and put_back:
        raise UsageError("--take-out and --put-back exclude each other", "give one of them")
    if take_out:
        watched(project, lambda: project.take_out(*take_out), as_json=as_json, quiet=quiet)
    elif put_back:
        watched(project, lambda: project.put_back(*put_back), as_json=as_json, quiet=quiet)
    else:
        _print(project.sites(), as_json=as_json)


def _print(found: Sequence[SiteCount], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(found)
        return
    rows = [(each.host, each.pages, each.documents, each.words, local(each.taken_out)) for each in found]
    print_table(("site", "pages", "documents", "words", "taken out"), rows)

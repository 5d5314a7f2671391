"""The command that puts two runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import as_typed, folder_argument, print_json, print_table, with_output, with_scope

if TYPE_CHECKING:
    from trasmallo.results.keyness import By


@click.command("compare", epilog="Example: trasmallo compare mycorpus --run mycorpus-20260101-030000 --limit 20")
@folder_argument
@click.option("--run", default="", metavar="RUN", help="The run to look at; the latest unless named.")
@click.option("--with", "other", default="", metavar="DIR", help="Another project; this one unless named.")
@click.option("--with-run", "other_run", default="", metavar="RUN", help="The run to compare with; else the one before.")
@click.option("--by", type=click.Choice(["word", "lemma", "category"]), default="word", show_default=True)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), metavar="N", help="At most N of each kind.")
@with_scope
@with_output
def compare_command(folder: str, run: str, other: str, other_run: str, by: By, limit: int, as_json: bool, quiet: bool) -> None:
    """Put two runs side by side: what each uses more, what is new, and what has vanished.

    The latest run is compared with the one before it, or with the latest of another project.
    """
    from trasmallo.project.project import Project

    found = as_typed(Project.open(folder)).compare(other, run=run, other_run=other_run, by=by, number=limit)
    if as_json:
        print_json(found)
        return
    if not quiet:
        click.echo(f"{found.run} compared with {found.other_run}")
    columns = ("word", "count", "other", "log-likelihood", "log ratio")
    for title, keys in (("More frequent", found.more), ("Less frequent", found.less)):
        rows = [
            (key.word, key.count, int(key.reference), round(key.log_likelihood, 1), round(key.log_ratio, 2)) for key in keys
        ]
        print_table(columns, rows, title="" if quiet else title)
    for title, words in (("New", found.new), ("Vanished", found.vanished)):
        print_table(("word", "count"), [(one.word, one.count) for one in words], title="" if quiet else title)

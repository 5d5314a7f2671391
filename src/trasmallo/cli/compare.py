"""The command that puts two runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.keyness import MEASURES, TABLE_COLUMNS, table_row
from trasmallo.cli.output import as_typed, folder_argument, print_json, print_table, with_output, with_scope

if TYPE_CHECKING:
    from trasmallo.results.comparison import Comparison
    from trasmallo.results.keyness import By


@click.command("compare", epilog="Example: trasmallo compare mycorpus --run mycorpus-20260101-030000 --limit 20")
@folder_argument
@click.option("--run", default="", metavar="RUN", help="The run to look at; the latest unless named.")
@click.option("--with", "other", default="", metavar="DIR", help="Another project, general:es, or a file of counts.")
@click.option("--with-run", "other_run", default="", metavar="RUN", help="The run to compare with; else the one before.")
@click.option("--with-scope", "other_scope", default="", metavar="SCOPE", help="The other documents, as --scope; * is all.")
@click.option("--by", type=click.Choice(["word", "lemma", "category"]), default="word", show_default=True)
@click.option(
    "--measure",
    type=click.Choice([*MEASURES]),
    default="ll",
    show_default=True,
    help="Sort by log-likelihood, log ratio, its least value (95 % confidence), or difference in percent.",
)
@click.option("--least", default=3, show_default=True, type=click.IntRange(min=1), metavar="N", help="Fewest occurrences.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), metavar="N", help="At most N of each kind.")
@with_scope
@with_output
def compare_command(
    folder: str,
    run: str,
    other: str,
    other_run: str,
    other_scope: str,
    by: By,
    measure: str,
    least: int,
    limit: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Put two runs or scopes side by side: what each uses more, what is new, and what has vanished.

    The latest run is compared with the one before it, with the latest of another project, with other documents of the same
    run (--with-scope), or with a language in general.
    """
    from trasmallo.project.project import Project

    found = as_typed(Project.open(folder)).compare(
        other,
        run=run,
        other_run=other_run,
        other_scope=other_scope,
        by=by,
        measure=MEASURES[measure],
        least=least,
        number=limit,
    )
    if as_json:
        print_json(found)
        return
    if not quiet:
        sides = [f"{run}, {scope}" if scope else run for run, scope in _sides(found)]
        click.echo(f"{sides[0]} compared with {sides[1]}")
    for title, keys in (("More frequent", found.more), ("Less frequent", found.less)):
        print_table(TABLE_COLUMNS, map(table_row, keys), title="" if quiet else title)
    for title, words in (("New", found.new), ("Vanished", found.vanished)):
        print_table(("word", "count"), [(one.word, one.count) for one in words], title="" if quiet else title)


def _sides(found: Comparison) -> tuple[tuple[str, str], tuple[str, str]]:
    return (found.run, found.scope), (found.other_run, found.other_scope)

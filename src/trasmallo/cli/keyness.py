"""The command that shows what is typical of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    print_json_lines,
    print_separated,
    print_table,
    with_cells,
    with_rows,
    with_scope,
    with_time,
)

if TYPE_CHECKING:
    from trasmallo.results.keyness import By
    from trasmallo.study.measures.keyness import Measure

_MEASURES: dict[str, Measure] = {"ll": "log_likelihood", "ratio": "log_ratio", "diff": "difference"}


@click.command("keyness", epilog="Example: trasmallo keyness mycorpus --against othercorpus --measure ratio --limit 50")
@folder_argument
@click.option(
    "--against",
    required=True,
    metavar="REF",
    help="What to compare with: a project, a file with a word, a tab and a count a line, or wordfreq:CODE.",
)
@click.option(
    "--by",
    type=click.Choice(["word", "lemma", "category"]),
    default="word",
    show_default=True,
    help="What to compare; a file of counts then has lemmas or categories.",
)
@click.option(
    "--measure",
    type=click.Choice([*_MEASURES]),
    default="ll",
    show_default=True,
    help="Sort by log-likelihood, log ratio, or difference in percent.",
)
@click.option("--least", default=3, show_default=True, type=click.IntRange(min=1), metavar="N", help="Fewest occurrences.")
@click.option("--p", default=0.0001, show_default=True, type=click.FloatRange(0, 1), help="Highest probability of chance.")
@click.option("--bayes", default=2.0, show_default=True, type=float, help="Lowest Bayes factor (BIC): 2 is positive evidence.")
@click.option("--negative", is_flag=True, help="Words that are too rare instead of too frequent.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=1), metavar="N", help="At most N words.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_rows
def keyness_command(
    folder: str,
    against: str,
    by: By,
    measure: str,
    least: int,
    p: float,
    bayes: float,
    negative: bool,
    limit: int,
    kind: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Words, lemmas or categories of the latest run that are more frequent than in a reference.

    Told by the significance and by the size of the difference.
    """
    from trasmallo.project.project import Project
    from trasmallo.study.measures.keyness import Key, KeynessLimits

    limits = KeynessLimits(least_count=least, p=p, bayes=bayes, negative=negative)
    found = as_typed(Project.open(folder)).keywords(against, by=by, measure=_MEASURES[measure], limits=limits, number=limit)
    columns = Key.__struct_fields__
    rows = [tuple(getattr(row, name) for name in columns) for row in found]
    if as_json:
        print_json_lines(found)
    elif kind == "table":
        shown = [(*row[:-1], f"{row[-1]:.2g}") for row in rows]
        print_table(columns, shown, title="" if quiet else f"Against {against}")
    else:
        print_separated(columns, rows, tabs=kind == "tsv")

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
    from trasmallo.study.measures.keyness import Key, Measure

MEASURES: dict[str, Measure] = {
    "ll": "log_likelihood",
    "ratio": "log_ratio",
    "least-ratio": "least_ratio",
    "diff": "difference",
}
"""What is typed for the measures that words are sorted by."""


@click.command("keyness", epilog="Example: trasmallo keyness mycorpus --against othercorpus --measure ratio --limit 50")
@folder_argument
@click.option(
    "--against",
    required=True,
    metavar="REF",
    help="A project, a file with a word, a tab and a count a line, general:es, general:en or wordfreq:CODE.",
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
    type=click.Choice([*MEASURES]),
    default="ll",
    show_default=True,
    help="Sort by log-likelihood, log ratio, its least value (95 % confidence), or difference in percent.",
)
@click.option("--least", default=3, show_default=True, type=click.IntRange(min=1), metavar="N", help="Fewest occurrences.")
@click.option(
    "--p", default=0.0001, show_default=True, type=click.FloatRange(0, 1), help="Highest adjusted probability of chance."
)
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
    from trasmallo.study.measures.keyness import Key as Columns
    from trasmallo.study.measures.keyness import KeynessLimits

    limits = KeynessLimits(least_count=least, p=p, bayes=bayes, negative=negative)
    found = as_typed(Project.open(folder)).keywords(against, by=by, measure=MEASURES[measure], limits=limits, number=limit)
    columns = Columns.__struct_fields__
    rows = [tuple(getattr(row, name) for name in columns) for row in found]
    if as_json:
        print_json_lines(found)
    elif kind == "table":
        print_table(TABLE_COLUMNS, map(table_row, found), title="" if quiet else f"Against {against}")
    else:
        print_separated(columns, rows, tabs=kind == "tsv")


TABLE_COLUMNS = ("word", "count", "per M", "there", "log2", "95 %", "G2")
"""What a table for people tells of a word; files and JSON have all of it."""


def table_row(key: Key) -> tuple[object, ...]:
    """A word as a table for people has it."""
    rates = round(key.per_million, 1), round(key.reference_per_million, 1)
    between = f"{key.ratio_low:.2f} to {key.ratio_high:.2f}"
    return key.word, key.count, *rates, round(key.log_ratio, 2), between, round(key.log_likelihood, 1)

"""The command that shows a word over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json,
    print_separated,
    print_table,
    printable,
    with_cells,
    with_output,
    with_scope,
    with_time,
)

if TYPE_CHECKING:
    from trasmallo.study.trends import Period, Trend

_COLUMNS = ("period", "count", "documents", "sites", "tokens", "per_million", "low", "high")


@click.command("trend", epilog="Example: trasmallo trend mycorpus siestabús --by week --plot siestabús.svg")
@folder_argument
@click.argument("word")
@click.option("--lemma", is_flag=True, help="WORD is a lemma: count all its forms.")
@click.option("--by", type=click.Choice(["month", "week"]), default="month", show_default=True, help="The periods.")
@click.option("--language", default="", metavar="CODE", help="Only in this language; that of most occurrences if not given.")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Also draw it, as .svg or .png.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_output
def trend_command(
    folder: str, word: str, lemma: bool, by: Period, language: str, plot: str | None, kind: str, as_json: bool, quiet: bool
) -> None:
    """Show how often a word of the latest run occurs in each month or week, and whether it rises or falls.

    Frequencies are per million words of its language in the period (tokens), with 95 % intervals (low, high). A document is
    dated by itself, else by its first visit; copies are left out.
    """
    from trasmallo.pipeline.documents import save_picture
    from trasmallo.project.project import Project
    from trasmallo.study.trend_picture import draw

    trend = as_typed(Project.open(folder)).trend(word, unit="lemma" if lemma else "word", by=by, language=language)
    if plot:
        save_picture(draw(trend), plot)
        if not quiet and not as_json:
            click.echo(f"drawn in {plot}", err=True)
    rows = [tuple(getattr(period, name) for name in _COLUMNS) for period in trend.periods]
    if as_json:
        print_json(trend)
    elif kind == "table":
        print_table(_COLUMNS, rows, title="" if quiet else _seen(trend), caption="" if quiet else _told(trend))
    else:
        print_separated(_COLUMNS, rows, tabs=kind == "tsv")


def _seen(trend: Trend) -> str:
    """How often the word was seen, where and when."""
    where = f"in {number_of(trend.documents, 'document')} of {number_of(trend.sites, 'site')}"
    when = f"first {trend.first_seen}, last {trend.last_seen}"
    return f"{printable(trend.name)} ({trend.language}): {number_of(trend.count, 'occurrence')} {where}, {when}"


def _told(trend: Trend) -> str:
    """Whether it rises, and by whom its documents are dated."""
    dated = f"{trend.by_document:,} documents dated by themselves, {trend.by_visit:,} by their first visit"
    dated += f", {trend.undated:,} without a date"
    if trend.p is None or trend.slope is None:
        return f"too few sites and periods to tell a trend; {dated}"
    return f"slope {trend.slope:+,.3g} per million and {trend.by}, z {trend.z:+.2f}, p {trend.p:.2g}; {dated}"

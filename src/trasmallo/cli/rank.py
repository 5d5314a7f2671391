"""The command that ranks documents by their links."""

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
    from trasmallo.results.links.question import RankedDocuments

_WITH_HITS = ("authority", "hub", "inlinks", "url", "title")
_WITHOUT = ("pagerank", "inlinks", "url", "title")


@click.command("rank", epilog="Example: trasmallo rank mycorpus --hits --topic 'redes de pesca' --limit 10")
@folder_argument
@click.option("--hits", is_flag=True, help="By authority and hub (HITS) instead of PageRank.")
@click.option("--topic", default="", metavar="TEXT", help="Around documents with these words, or with TEXT in their address.")
@click.option(
    "--surprise",
    default=0.15,
    show_default=True,
    type=click.FloatRange(0, 1, max_open=True),
    help="Probability of the surprise button, which leads to any page.",
)
@click.option("--foreign", is_flag=True, help="Only links from one site to another.")
@click.option("--without", multiple=True, type=click.Choice(["menu"]), help="Set aside links in this place too.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100_000), metavar="N", help="The N best.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_rows
def rank_command(
    folder: str,
    hits: bool,
    topic: str,
    surprise: float,
    foreign: bool,
    without: tuple[str, ...],
    limit: int,
    kind: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Documents of the latest run that rank first by their links: PageRank, or authorities and hubs.

    Links that ask not to be followed, and those of comments and trackbacks, count for nothing.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    ranked = project.rank(hits=hits, topic=topic, surprise=surprise, foreign=foreign, without=without, limit=limit)
    columns = _WITH_HITS if hits else _WITHOUT
    rows = [tuple(getattr(page, name) for name in columns) for page in ranked.pages]
    if as_json:
        print_json_lines(ranked.pages)
    elif kind == "table":
        shown = [tuple(f"{value:.6f}" if isinstance(value, float) else value for value in row) for row in rows]
        print_table(columns, shown, caption="" if quiet else _caption(ranked))
    else:
        print_separated(columns, rows, tabs=kind == "tsv")


def _caption(ranked: RankedDocuments) -> str:
    about = f", {ranked.topic:,} of them about the topic" if ranked.topic else ""
    return f"{ranked.documents:,} documents{about}, {ranked.links:,} links"

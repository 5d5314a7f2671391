"""Commands that show and export results."""

from __future__ import annotations

import click

from trasmallo.cli.output import folder_argument, print_json, print_json_lines, print_separated, print_table, with_output


@click.command("list", epilog="Example: trasmallo list mycorpus words --where 'count>=5' --sort -documents --limit 50")
@folder_argument
@click.argument("table", metavar="TABLE")
@click.option("--where", multiple=True, metavar="CONDITION", help="column=value, !=, >, <, >=, <=, or column~part.")
@click.option("--sort", default="", metavar="COLUMN", help="Sort by COLUMN; -COLUMN sorts downwards.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 is all."
)
@click.option("--columns", default="", metavar="A,B", help="Only these columns.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv", "jsonl"]), default="table", show_default=True)
@with_output
def list_command(
    folder: str, table: str, where: tuple[str, ...], sort: str, limit: int, columns: str, kind: str, as_json: bool, quiet: bool
) -> None:
    """Show a result table.

    Of pages: pages, texts, copies, measures, profiles. Of links: links, anchors, ranks, farms. Of words: words, words_by_page,
    words_by_site, dispersion, lemmas, unknown, neologisms. Of words together: segments, collocations, regimes.
    """
    from trasmallo.project.project import Project
    from trasmallo.project.results.tables import SHOWN, Question

    question = Question(where, sort, limit, 0, tuple(name for name in columns.split(",") if name))
    with Project.open(folder).tables() as tables:
        answer = tables.ask(table, question)
        if as_json or kind == "jsonl":
            print_json_lines(dict(zip(answer.columns, row, strict=True)) for row in answer)
        elif kind == "table":
            more = "" if quiet or not limit else _how_many(tables.number(table, where), limit)
            print_table(answer.columns, answer, title="" if quiet else SHOWN[table], caption=more)
        else:
            print_separated(answer.columns, answer, tabs=kind == "tsv")


@click.command("export", epilog="Example: trasmallo export mycorpus --as parquet --table words -o words.parquet")
@folder_argument
@click.option("--as", "kind", required=True, metavar="FORMAT", help="csv, jsonl, parquet or warc, and what plug-ins add.")
@click.option("--table", default="pages", show_default=True, help="Which table; warc exports the raw pages.")
@click.option("-o", "--output", required=True, type=click.Path(), metavar="OUT", help="The file, or for warc the folder.")
@with_output
def export_command(folder: str, kind: str, table: str, output: str, as_json: bool, quiet: bool) -> None:
    """Write results in a format that others read."""
    from trasmallo.cli.progress import warnings
    from trasmallo.project.project import Project

    project = Project.open(folder)
    with warnings(project.bus):
        number = project.export(kind, output, table=table)
    if as_json:
        print_json({"file": output, "rows": number})
    elif not quiet:
        click.echo(f"Wrote {number:,} {'answers' if kind == 'warc' else 'rows'} to {output}.")


def _how_many(number: int, limit: int) -> str:
    return f"{min(number, limit):,} of {number:,} rows; --limit 0 shows all" if number > limit else f"{number:,} rows"

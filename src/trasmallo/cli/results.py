"""Commands that show and export results."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from trasmallo.cli.output import (
    STANDARD_OUTPUT,
    as_typed,
    folder_argument,
    number_of,
    place_for,
    print_fitted,
    print_json,
    print_json_lines,
    print_separated,
    with_cells,
    with_output,
    with_rows,
    with_scope,
    with_time,
)
from trasmallo.results.dates import local, with_dates
from trasmallo.results.registry import GROUPS, all_tables, find, groups
from trasmallo.values.errors import UsageError

_COUNTED = {"warc": "answers", "tei": "documents", "conllu": "documents", "vert": "documents"}
"""What the number is that an exporter returns; rows for all others."""


def _complete_table(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The tables whose names begin so, for the shell."""
    return [CompletionItem(name, help=table.about.en) for name, table in all_tables().items() if name.startswith(begun)]


_TABLES = " ".join(f"{GROUPS[group].en}: {', '.join(names)}." for group, names in groups().items() if names)


@click.command(
    "list",
    help=f"Show a result table.\n\n{_TABLES}",
    epilog="Example: trasmallo list mycorpus words --where 'count>=5' --sort -documents --limit 50",
)
@folder_argument
@click.argument("table", metavar="TABLE", shell_complete=_complete_table)
@click.option("--where", multiple=True, metavar="CONDITION", help="column=value, !=, >, <, >=, <=, or column~part.")
@click.option(
    "--since", default="", metavar="DATE", help="Words first seen, or documents, since then: 2026, 2026-05 or 2026-05-31."
)
@click.option("--until", default="", metavar="DATE", help="Words first seen, or documents, until then.")
@click.option("--by", type=click.Choice(["month", "week"]), help="Periods of trends and lemma_trends; month if not given.")
@click.option("--sort", default="", metavar="COLUMN", help="Sort by COLUMN; -COLUMN sorts downwards.")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 is all."
)
@click.option(
    "--set",
    "keys",
    multiple=True,
    metavar="KEY=VALUE",
    help="Make tables of the tokens anew with another value of a [study] key, as segments_of=lemmas or collocation_words=3.",
)
@click.option(
    "--address", default="", metavar="URL", help="Only what this start address led to, where results are kept by address."
)
@click.option("--columns", default="", metavar="A,B", help="Only these columns.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv", "jsonl"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_rows
def list_command(
    folder: str,
    table: str,
    where: tuple[str, ...],
    since: str,
    until: str,
    by: str | None,
    sort: str,
    limit: int,
    keys: tuple[str, ...],
    address: str,
    columns: str,
    kind: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show a result table; its help lists them all."""
    from trasmallo.project.keys import parse_keys
    from trasmallo.project.project import Project
    from trasmallo.results.database.planner import Question

    table = _by_period(table, by)
    chosen = tuple(name for name in columns.split(",") if name)
    with as_typed(Project.open(folder)).tables(address=address, **parse_keys(keys)) as tables:
        known = tables.columns_of(table)
        where += _between(table, known, since, until)
        people = kind == "table" and not as_json
        shown = chosen or (find(table).on_screen(known) if people else ())
        answer = tables.ask(table, Question(where, sort, limit, 0, shown))
        if people:
            more = "" if quiet or not limit else _how_many(tables.number(table, where), limit)
            remark = "" if quiet else tables.remark(table)
            rows = with_dates(answer.columns, answer, local)
            captions = () if quiet else (more, remark)
            hidden = 0 if chosen or quiet else len(set(known) - set(shown))
            print_fitted(answer.columns, rows, title="" if quiet else find(table).about.en, captions=captions, hidden=hidden)
        elif as_json or kind == "jsonl":
            print_json_lines(dict(zip(answer.columns, row, strict=True)) for row in with_dates(answer.columns, answer))
        else:
            print_separated(answer.columns, with_dates(answer.columns, answer), tabs=kind == "tsv")


@click.command("export", epilog="Example: trasmallo export mycorpus --as parquet --table words -o words.parquet")
@folder_argument
@click.option(
    "--as",
    "kind",
    required=True,
    metavar="FORMAT",
    help="csv, tsv, jsonl, parquet, tei, conllu, vert or warc, and what plug-ins add.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(),
    metavar="OUT",
    help="The file, or for warc perhaps a folder; - is standard output.",
)
@click.option(
    "--table",
    default="",
    metavar="TABLE",
    shell_complete=_complete_table,
    help="The table for csv, tsv, jsonl and parquet; pages if not given.",
)
@click.option("--where", multiple=True, metavar="CONDITION", help="As for list; documents are chosen by the columns of pages.")
@click.option("--columns", default="", metavar="A,B", help="Only these columns of the table, or of pages.")
@click.option("--sort", default="", metavar="COLUMN", help="Sort the table by COLUMN; -COLUMN sorts downwards.")
@click.option("--raw", is_flag=True, help="csv, tsv: leave cells as they are that spreadsheets take for formulas.")
@click.option("--bom", is_flag=True, help="csv, tsv: begin with a byte order mark, by which Excel knows UTF-8.")
@with_time
@with_scope
@with_output
def export_command(
    folder: str,
    kind: str,
    output: str,
    table: str,
    where: tuple[str, ...],
    columns: str,
    sort: str,
    raw: bool,
    bom: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write results in a format that others read.

    Tables: csv, tsv, jsonl (OUT.meta.json beside them says where they come from), parquet. In csv and tsv cells that begin
    with = + - @, a tab or a carriage return get an apostrophe in front, so that no spreadsheet computes them. Running text
    with lemmas and categories: tei, conllu, vert (with OUT.registry for NoSketch Engine). Raw pages: warc, a file if OUT ends
    in .warc.gz, else a folder.
    """
    from trasmallo.cli.progress import export_bar
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    with export_bar(project.bus, quiet=quiet or as_json), place_for(output) as path:
        chosen = tuple(name for name in columns.split(",") if name)
        number = project.export(kind, path, table=table, where=where, columns=chosen, sort=sort, raw=raw, bom=bom)
    what = _COUNTED.get(kind, "rows")
    if output == STANDARD_OUTPUT:
        return
    if as_json:
        print_json({"file": output, what: number})
    elif not quiet:
        click.echo(f"Wrote {number_of(number, what.removesuffix('s'))} to {output}.")


def _by_period(table: str, by: str | None) -> str:
    """The table of trends by a period; raises UsageError where there are no others."""
    if by is None:
        return table
    name = table.removesuffix("_by_week")
    if name not in ("trends", "lemma_trends"):
        raise UsageError("{table} has no periods", "use --by with trends or lemma_trends", table=table)
    return name if by == "month" else f"{name}_by_week"


def _between(table: str, known: tuple[str, ...], since: str, until: str) -> tuple[str, ...]:
    """Conditions on when words were seen first, or on the dates of documents."""
    from trasmallo.results.database.document_dates import between

    column = next((name for name in ("first_seen", "date", "document") if name in known), "")
    if (since or until) and not column:
        problem, repair = "the rows of {table} have no dates", "use --since and --until with trends, neologisms or unknown"
        raise UsageError(problem, repair, table=table)
    return between("date" if column == "document" else column, since, until)


def _how_many(number: int, limit: int) -> str:
    rows = number_of(number, "row")
    return f"{min(number, limit):,} of {rows}; --limit 0 shows all" if number > limit else rows

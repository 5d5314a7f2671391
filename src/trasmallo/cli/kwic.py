"""The command that shows words in their surroundings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click
import msgspec

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json,
    print_json_lines,
    print_separated,
    print_table,
    printable,
    with_cells,
    with_either,
    with_scope,
    with_time,
)
from trasmallo.results.dates import BY_VISIT
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import TrasmalloError, UsageError

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.results.concordance.concordance import Concordance, ConcordancePage, Options
    from trasmallo.results.concordance.counts import CollocateWindow, Period
    from trasmallo.results.concordance.lines import Hit

_DATE = len("2026-05-31* ")
_NARROWEST = 60  # judgement: columns below which no context can be read
_MEASURES = ["log_likelihood", "mi", "mi3", "t", "log_dice", "delta_p", "delta_p_back"]
_PART_COLUMNS = ("count", "documents", "tokens", "per_million")
_PARTS = ["document", "site", "language", "year", "month", "week", "day"]


def _choosing(command: Callable[..., None]) -> Callable[..., None]:
    """Options that say which hits there are, and in which order."""
    for option in (
        click.option("--offset", default=0, type=click.IntRange(min=0), metavar="N", help="Leave out the first N."),
        click.option("--limit", default=20, show_default=True, type=click.IntRange(min=0), metavar="N",
                     help="At most N lines; 0 is all."),
        click.option("--reverse", is_flag=True, help="Sort backwards."),
        click.option("--sort", default="", metavar="BY",
                     help="date, left, right, hit, or tokens like lemma/-1,word/1,pos/0 (-1 is before the hit, 1 after it)."),
        click.option("--context", default="8", show_default=True, metavar="SIZE",
                     help="Tokens on each side; 40c: characters; s: the sentence."),
        click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="Which sample."),
        click.option("--not-in", "not_in", multiple=True, metavar="GROUP", help="Leave out the lines of a line group."),
        click.option("--in", "in_group", default="", metavar="GROUP", help="Only lines of a line group."),
        click.option("--per-document", default=0, type=click.IntRange(min=0), metavar="N",
                     help="At most N hits of each document, drawn by chance."),
        click.option("--sample", default=0, type=click.IntRange(min=0), metavar="N", help="Only N hits, drawn by chance."),
        click.option("--keep", type=click.Choice(["all", "longest", "shortest"]), default="all", show_default=True,
                     help="Of hits that begin at the same token."),
        click.option("--until", default="", metavar="DATE", help="Only documents until then: 2026, 2026-05 or 2026-05-31."),
        click.option("--since", default="", metavar="DATE", help="Only documents since then: 2026, 2026-05 or 2026-05-31."),
        click.option("--where", multiple=True, metavar="CONDITION",
                     help="Only documents with language=es, site=..., date>=2026-05 or another condition on pages."),
    ):  # fmt: skip
        command = option(command)
    return command


def _counting(command: Callable[..., None]) -> Callable[..., None]:
    """Options that ask for a table of the hits instead of the hits."""
    for option in (
        click.option("--content-words", is_flag=True, help="Collocates without function words, such as articles."),
        click.option("--least", default=3, show_default=True, type=click.IntRange(min=1), metavar="N",
                     help="Fewest occurrences of a collocate."),
        click.option("--window", default="5", show_default=True, metavar="N[,N]",
                     help="Tokens to the left and right of a hit where collocates stand."),
        click.option("--measure", type=click.Choice(_MEASURES), default="log_dice", show_default=True,
                     help="Sort collocates by it."),
        click.option("--distribution", type=click.Choice(_PARTS), help="How hits are spread over these."),
        click.option("--collocates", is_flag=False, flag_value="lemma", default="", metavar="[ATTRIBUTE]",
                     help="What stands near the hits: word, lemma (when none is named) or pos."),
        click.option("--breakdown", default="", metavar="BY", help="Count hits by tokens like word/hit,lemma/-1,pos/1."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command(
    "kwic", epilog="""Example: trasmallo kwic mycorpus '[lemma="hacer"] []{0,3} [pos="NOUN"] within s' --sort right"""
)
@folder_argument
@click.argument("query")
@_choosing
@_counting
@click.option("--into", default="", metavar="GROUP", help="Put the lines that are shown into a line group.")
@click.option("--out-of", default="", metavar="GROUP", help="Take the lines that are shown out of a line group.")
@click.option("--save", default="", metavar="NAME", help="Save the query with its choice of hits; see `queries`.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv", "jsonl"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_either("--breakdown, --collocates or --distribution")
def kwic_command(
    folder: str,
    query: str,
    breakdown: str,
    collocates: str,
    distribution: Period | None,
    measure: str,
    window: str,
    least: int,
    content_words: bool,
    into: str,
    out_of: str,
    save: str,
    kind: str,
    as_json: bool,
    quiet: bool,
    **choice: object,
) -> None:
    """Show a word, a phrase or a corpus query in its surroundings, or what the hits have in common.

    QUERY is a word, a phrase, or a sequence of tokens such as [lemma="hacer"] []{0,3} [pos="NOUN"] within s.
    """
    from trasmallo.project.project import Project
    from trasmallo.results.concordance.concordance import Options

    options = msgspec.convert(choice, decodable(Options))
    project = as_typed(Project.open(folder))
    if (into or out_of) and (breakdown or collocates or distribution):
        raise UsageError("--into and --out-of are for lines", "leave out --breakdown, --collocates and --distribution")
    if save:
        project.save_query(save, query, **msgspec.structs.asdict(options))
    if into or out_of:
        _group(project, query, options, into, out_of, quiet=quiet)
    with project.concordance() as concordance:
        concordance.read(query)
        remember(project, query, options)
        if breakdown:
            counted = concordance.breakdown(query, breakdown, options)
            _print_rows((*counted.points, "count", "share"), counted.rows, "jsonl" if as_json else kind, options)
        elif collocates:
            rows = concordance.collocates(query, collocates, _window(window, least, measure, content=content_words), options)
            _print_rows(("value", "count", "total", *_MEASURES), rows, "jsonl" if as_json else kind, options)
        elif distribution:
            parts = concordance.distribution(query, distribution, options)
            _print_rows((distribution, *_PART_COLUMNS), parts, "jsonl" if as_json else kind, options)
        else:
            _print_hits(concordance, query, options, "json" if as_json else kind, quiet=quiet)


def remember(project: Project, query: str, options: Options) -> None:
    """Put a query into the history, where who asks may write there."""
    with suppress(TrasmalloError):
        project.remember_query(query, options)


def _group(project: Project, query: str, options: Options, into: str, out_of: str, *, quiet: bool) -> None:
    """Put the lines that are chosen into a group, or take them out of one."""
    with project.concordance() as concordance:
        hits = list(concordance.lines(query, options))
    if into:
        number = project.put_into_group(into, hits, query=query)
        said = f"{number_of(number, 'line')} put into {printable(into)!r}"
        if not quiet:
            click.echo(said, err=True)
    if out_of:
        number = project.take_out_of_group(out_of, hits)
        if not quiet:
            click.echo(f"{number_of(number, 'line')} taken out of {printable(out_of)!r}", err=True)


def _window(text: str, least: int, measure: str, *, content: bool) -> CollocateWindow:
    from trasmallo.results.concordance.counts import CollocateWindow

    sides = text.split(",")
    if len(sides) > 2 or not all(side.isdecimal() and int(side) <= 100 for side in sides):
        raise UsageError(
            "{text!r} is no window", "give numbers of tokens up to 100 like 5, or 0,3 for the left and right", text=text
        )
    return CollocateWindow(int(sides[0]), int(sides[-1]), least, measure, content)


def _print_rows(columns: tuple[str, ...], rows: Sequence[msgspec.Struct], kind: str, options: Options) -> None:
    """Rows of a table that was made of hits."""
    chosen = rows[options.offset : options.offset + options.limit if options.limit else None]
    if kind == "jsonl":
        print_json_lines(chosen)
        return
    cells = [list(_flat(msgspec.structs.astuple(row))) for row in chosen]
    if kind == "table":
        print_table(columns, cells, caption=f"{len(chosen):,} of {number_of(len(rows), 'row')}")
    else:
        print_separated(columns, cells, tabs=kind == "tsv")


def _flat(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        yield from value if isinstance(value, tuple) else (value,)


def _print_hits(concordance: Concordance, query: str, options: Options, kind: str, *, quiet: bool) -> None:
    if kind == "json":
        print_json(concordance.find(query, options))
    elif kind == "jsonl":
        print_json_lines(concordance.lines(query, options))
    elif kind == "table":
        _print_lines(concordance.find(query, options), dated=_asks_for_dates(options), quiet=quiet)
    else:
        from trasmallo.results.concordance.lines import LINE_COLUMNS, line_row

        print_separated(LINE_COLUMNS, map(line_row, concordance.lines(query, options)), tabs=kind == "tsv")


def print_page(found: ConcordancePage, *, as_json: bool, quiet: bool) -> None:
    """A page of hits for people or programs."""
    if as_json:
        print_json(found)
    else:
        _print_lines(found, dated=False, quiet=quiet)


def _asks_for_dates(options: Options) -> bool:
    return options.sort == "date" or bool(options.since or options.until)


def _print_lines(found: ConcordancePage, *, dated: bool, quiet: bool) -> None:
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    for line in _aligned(found.hits, width, dated=dated):
        click.echo(line)
    if not quiet:
        per_million = f", {found.total / found.tokens * 1e6:,.2f} per million tokens" if found.tokens else ""
        click.echo(
            f"{len(found.hits):,} of {number_of(found.total, 'hit')} in {number_of(found.documents, 'document')}{per_million}"
        )
        if dated and any(hit.date_origin == BY_VISIT for hit in found.hits):
            click.echo("* dated by the first visit, since the document tells no date", err=True)


def _aligned(hits: Iterable[Hit], width: int, *, dated: bool) -> Iterator[str]:
    """A line a hit, the hits below each other, as wide as the screen; after the date of its document when that is asked for."""
    from trasmallo.results.concordance.lines import sides_of

    rows = [(_date(hit) if dated else "", *map(printable, sides_of(hit))) for hit in hits]
    middle = min(max((len(row[2]) for row in rows), default=0), width // 2)
    side = (width - middle - 4 - _DATE * dated) // 2
    for date, left, hit, right in rows:
        line = f"{left[-side:]:>{side}}  {click.style(hit, bold=True)}{' ' * (middle - len(hit))}  {right[:side]}"
        yield (f"{date:<{_DATE}}{line}" if dated else line).rstrip()


def _date(hit: Hit) -> str:
    """The date of a hit's document, with a star where it is that of the first visit."""
    return hit.date + "*" * (hit.date_origin == BY_VISIT)

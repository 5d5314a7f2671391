"""The command that searches."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypedDict

import click
import msgspec

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json,
    print_json_lines,
    print_table,
    printable,
    with_either,
    with_scope,
    with_time,
)
from trasmallo.results.registry import leading_first

if TYPE_CHECKING:
    from trasmallo.results.estimates import Estimate
    from trasmallo.results.search.finder import Hit, Results
    from trasmallo.store.index.entries import Stored


class _ReaderOptions(TypedDict):
    groups: tuple[str, ...]
    all_words: bool
    copies: bool
    language: str


_FACETS = ("site", "language", "type", "date", "entity", "folder", "owner", "from", "list")


@click.command("find", epilog="Example: trasmallo find mycorpus '+vela \"regata de otoño\" -motor language:es date:2024..'")
@folder_argument
@click.argument("query", metavar="QUERY")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="Hits on a page.")
@click.option("--page", default=1, show_default=True, type=click.IntRange(min=1), metavar="N", help="Which page.")
@click.option("--all", "all_words", is_flag=True, help="Only documents with every word.")
@click.option("--every", is_flag=True, help="All hits, streamed as JSON lines.")
@click.option("--estimate", is_flag=True, help="Only tell how many documents have all words, counted and estimated.")
@click.option(
    "--share",
    default=0.2,
    show_default=True,
    type=float,
    metavar="S",
    help="The share of the rarest word's documents that C/s looks at.",
)
@click.option(
    "--pair",
    type=(str, str),
    default=None,
    metavar="WORD WORD",
    help="Estimate the collection's size from these two words, not from all pairs of many.",
)
@click.option("--cached", is_flag=True, help="QUERY is the address or id of a document: print its stored text.")
@click.option("--original", is_flag=True, help="QUERY is the address or id of a document: print the page as it was stored.")
@click.option("--facet", "facets", multiple=True, type=click.Choice(_FACETS), help="Count the hits by this; repeatable.")
@click.option("--as", "groups", multiple=True, metavar="GROUP", help="See what this group may see too; repeatable.")
@click.option("--copies", is_flag=True, help="List near copies too.")
@click.option("--language", default="", metavar="CODE", help="The language of the words, instead of the project's.")
@with_time
@with_scope
@with_either("--every")
def find_command(
    folder: str,
    query: str,
    limit: int,
    page: int,
    all_words: bool,
    every: bool,
    estimate: bool,
    share: float,
    pair: tuple[str, str] | None,
    cached: bool,
    original: bool,
    facets: tuple[str, ...],
    groups: tuple[str, ...],
    copies: bool,
    language: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search the latest run, the best documents first.

    QUERY has words, "phrases", +must, -not, title:word, begin*, near~1, date:2024..2025, language:es, site:example.org,
    type:pdf. A word finds its other forms too, unless it is in quotation marks; accents do not count.
    """
    from trasmallo.cli.progress import bars
    from trasmallo.project.project import Project

    reader: _ReaderOptions = {"groups": groups, "all_words": all_words, "copies": copies, "language": language}
    project = as_typed(Project.open(folder))
    with bars(project.bus, quiet=quiet):
        if estimate:
            told = project.estimate(query, share=share, pair=pair or (), groups=groups, copies=copies, language=language)
            _print_estimate(told, as_json=as_json)
            return
        if original:
            sys.stdout.buffer.write(project.cached_page(query, groups=groups))
            return
        if cached:
            _print_cached(project.cached(query, groups=groups), as_json=as_json)
            return
        if every:
            print_json_lines(map(_flat, project.find_every(query, **reader)))
            return
        found = project.find(query, limit=limit, offset=limit * (page - 1), facets=facets, **reader)
    if as_json:
        print_json({**msgspec.to_builtins(found), "hits": [_flat(hit) for hit in found.hits]})
    else:
        _print(found, quiet=quiet)


def _flat(hit: Hit) -> dict[str, object]:
    """A hit with its snippet as one text and the places of the found words in it."""
    at, marks = 0, []
    for piece in hit.snippet.pieces:
        if piece.hit:
            marks.append([at, at + len(piece.text)])
        at += len(piece.text)
    row: dict[str, object] = msgspec.to_builtins(hit)
    row = {name: row[name] for name in leading_first(tuple(row))}
    return row | {"snippet": {"text": hit.snippet.text, "start": hit.snippet.start, "marks": marks}}


def _print_cached(found: Stored, *, as_json: bool) -> None:
    if as_json:
        print_json({name: getattr(found, name) for name in found.__struct_fields__})
    else:
        click.echo("\n".join(map(printable, found.text.splitlines())))


def _print_estimate(found: Estimate, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    ways = {"independence": found.independence, "co-occurrence": found.cooccurrence, f"C/s, s = {found.s:.3g}": found.share}
    rows = [("counted, as find --all", found.counted), *ways.items()]
    rows.append(("with any of the words, as find", found.any_word))
    print_table(("way", "documents"), rows, title="Documents with " + ", ".join(found.words))
    pairs = " and ".join(found.pair) if found.pair else f"{found.pairs:,} pairs of words"
    rows = [("counted", found.documents), (f"from {pairs}", found.collection)]
    print_table(("of the collection", "documents"), rows)


def _print(found: Results, *, quiet: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True, highlight=False)
    if found.absent:
        there = ", ".join(f"{language or 'unknown'} ({number:,})" for language, number in found.languages.items())
        console.print(Text(f"No document is in the language {printable(found.absent)}: there are {there or 'none'}"))
    if found.suggestion:
        console.print(Text(f"Did you mean: {printable(found.suggestion)}"))
    for number, hit in enumerate(found.hits, found.offset + 1):
        console.print(Text(f"{number}. {printable(hit.title) or hit.url}", style="bold"))
        copies = f" · {hit.copies} near {'copy' if hit.copies == 1 else 'copies'}" if hit.copies else ""
        told = " · ".join(filter(None, (hit.url, hit.day, hit.language)))
        console.print(Text(f"   {told}{copies}", style="dim"))
        line = Text("   … " if hit.snippet.start else "   ")
        for piece in hit.snippet.pieces:
            line.append(printable(piece.text), style="bold yellow" if piece.hit else "")
        console.print(line)
    for name, values in found.facets.items():
        console.print(Text(f"By {name}: " + ", ".join(f"{printable(value)} {number:,}" for value, number in values.items())))
    if not quiet:
        console.print(Text(f"{found.total:,} of {number_of(found.documents, 'document')}", style="dim"))

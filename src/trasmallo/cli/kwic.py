"""The command that shows words in their surroundings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from trasmallo.cli.output import folder_argument, print_json, print_json_lines, print_separated, printable, with_output

if TYPE_CHECKING:
    from trasmallo.project.results.concordance.concordance import Found
    from trasmallo.project.results.concordance.lines import Hit

_COLUMNS = ("document", "url", "title", "position", "start", "end", "left", "hit", "right")
_NARROWEST = 60


def _choosing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which hits there are."""
    for option in (
        click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="Which sample."),
        click.option("--sample", default=0, type=click.IntRange(min=0), metavar="N", help="Only N hits, drawn by chance."),
        click.option("--keep", type=click.Choice(["all", "longest", "shortest"]), default="all", show_default=True,
                     help="Of hits that begin at the same token."),
        click.option("--where", multiple=True, metavar="CONDITION",
                     help="Only documents with language=es, site=..., date>=2026-05 or another condition on pages."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command("kwic", epilog="""Example: trasmallo kwic mycorpus '[lemma="hacer"] []{0,3} [pos="NOUN"] within s' --limit 50""")
@folder_argument
@click.argument("query")
@_choosing
@click.option(
    "--context", default="8", show_default=True, metavar="SIZE", help="Tokens on each side; 40c: characters; s: the sentence."
)
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=0), metavar="N", help="At most N hits; 0 is all."
)
@click.option("--offset", default=0, type=click.IntRange(min=0), metavar="N", help="Leave out the first N.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv", "jsonl"]), default="table", show_default=True)
@with_output
def kwic_command(folder: str, query: str, kind: str, as_json: bool, quiet: bool, **options: Any) -> None:
    """Show a word, a phrase or a corpus query in its surroundings.

    QUERY is a word, a phrase, or a sequence of tokens such as [lemma="hacer"] []{0,3} [pos="NOUN"].
    """
    from trasmallo.project.project import Project

    found = Project.open(folder).kwic(query, **options)
    if as_json:
        print_json(found)
    elif kind == "jsonl":
        print_json_lines(found.hits)
    elif kind == "table":
        _print_lines(found, quiet=quiet)
    else:
        print_separated(_COLUMNS, map(_row, found.hits), tabs=kind == "tsv")


def _row(hit: Hit) -> tuple[object, ...]:
    from trasmallo.project.results.concordance.lines import written

    sides = (written(hit.left), written(hit.hit), written(hit.right))
    return (hit.document, hit.url, hit.title, hit.position, hit.start, hit.end, *sides)


def _print_lines(found: Found, *, quiet: bool) -> None:
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    for line in _aligned(found.hits, width):
        click.echo(line)
    if not quiet:
        per_million = f", {found.total / found.tokens * 1e6:,.2f} per million tokens" if found.tokens else ""
        click.echo(f"{len(found.hits):,} of {found.total:,} hits in {found.documents:,} documents{per_million}")


def _aligned(hits: Iterable[Hit], width: int) -> Iterator[str]:
    """A line a hit, the hits below each other, as wide as the screen."""
    rows = [tuple(map(printable, map(str, _row(hit)[6:]))) for hit in hits]
    middle = min(max((len(row[1]) for row in rows), default=0), width // 2)
    side = (width - middle - 4) // 2
    for left, hit, right in rows:
        yield f"{left[-side:]:>{side}}  {click.style(hit, bold=True)}{' ' * (middle - len(hit))}  {right[:side]}".rstrip()

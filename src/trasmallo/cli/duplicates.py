"""The command that finds copies among documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import print_json_lines, print_table, printable, with_rows

if TYPE_CHECKING:
    from trasmallo.project.duplicates import Likeness

_METHODS = ["minhash", "simhash", "fingerprint", "exact", "crc32", "bytesum"]


@click.command("duplicates", epilog="Example: trasmallo duplicates mycorpus pages/ --like pages/news.html")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--method",
    type=click.Choice(_METHODS),
    default="minhash",
    show_default=True,
    help="How to find copies; crc32 and bytesum are weak checksums for teaching.",
)
@click.option("--like", default="", metavar="DOC", help="Only what is like this one: a file, a URL, or -.")
@click.option("--least", type=click.FloatRange(0, 1, min_open=True), metavar="SHARE", help="Similarity of copies, 0 to 1.")
@click.option("--bits", type=click.IntRange(64, 384), default=384, show_default=True, help="Size of a simhash, in 64s.")
@click.option("--groups", is_flag=True, help="Each copy once, with the document that represents its group.")
@with_rows
def duplicates_command(
    paths: tuple[str, ...], method: str, like: str, least: float | None, bits: int, groups: bool, as_json: bool, quiet: bool
) -> None:
    """Show pairs of copies and near copies among documents, compared by their main text.

    PATH is a file, a folder with files, or a project: the documents of its latest run.
    """
    from trasmallo.clean.copies import choose
    from trasmallo.project.duplicates import Collection, check_document

    chosen = choose(method, bits=bits)
    share = chosen.least if least is None else least
    if like:
        check_document(like)
    skipped: list[str] = []
    collection = Collection((like, *paths) if like else paths, chosen, skipped.append)
    found = collection.like_first(share) if like else collection.copies(share) if groups else collection.pairs(share)
    if as_json:
        print_json_lines(pair._asdict() for pair in found)
    else:
        _print(found, groups, "" if quiet else f"{len(collection.names):,} documents, {100 * share:.0f} % or more alike")
    if not quiet:
        _tell(skipped)


def _print(found: Iterable[Likeness], groups: bool, title: str) -> None:
    columns = ("similarity", "original", "copy") if groups else ("similarity", "first", "second")
    print_table(columns, [(pair.similarity, pair.first, pair.second) for pair in found], title=title)


def _tell(skipped: list[str]) -> None:
    for reason in skipped[:3]:
        click.echo(f"Left out: {printable(reason)}", err=True)
    if skipped[3:]:
        click.echo(f"Left out: {len(skipped) - 3:,} more files", err=True)
